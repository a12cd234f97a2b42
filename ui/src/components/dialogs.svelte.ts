// Whether a dialog is open over the page. Each dialog registers itself here.
class Dialogs {
  /** How many there are. A state that an effect's teardown reads may still be the one before. */
  #opened = 0;
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
    this.#change(1);
    return () => this.#change(-1);
  }

  #change(by: number): void {
    this.#opened += by;
    this.#count = this.#opened;
  }
}

export const dialogs = new Dialogs();
