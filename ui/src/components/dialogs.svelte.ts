// Whether a dialog stands open over the page. Dialogs tell of themselves; knows none of them.
class Dialogs {
  #count = $state(0);

  get open(): boolean {
    return this.#count > 0;
  }

  /** One opens. Returns what to do when it closes. */
  opened(): () => void {
    this.#count += 1;
    return () => (this.#count -= 1);
  }
}

export const dialogs = new Dialogs();
