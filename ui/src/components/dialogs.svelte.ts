// Whether a dialog is open over the page. Each dialog registers itself here.
class Dialogs {
  #count = $state(0);

  get open(): boolean {
    return this.#count > 0;
  }

  /** Whether one is open, and no other over it. */
  get single(): boolean {
    return this.#count === 1;
  }

  /** Registers an open dialog. Returns a function to call when it closes. */
  opened(): () => void {
    this.#count += 1;
    return () => (this.#count -= 1);
  }
}

export const dialogs = new Dialogs();
