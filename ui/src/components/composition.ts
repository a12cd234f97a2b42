// Japanese input: the Enter that confirms a conversion, and the Escape that cancels one, belong to
// the input method. WebKit reports the end of the composition before that last key, which then has
// keyCode 229 and `isComposing` false; so one such key is still swallowed shortly after the end. No
// other module handles this.

/** How long after the end of a composition its last key may still arrive, in milliseconds. */
const LATE_KEY_MS = 500;

/** keyCode of a key that the input method has already handled. */
export const INPUT_METHOD_KEY = 229;

type ComposedKey = Pick<KeyboardEvent, 'isComposing' | 'keyCode'>;

/** Decides whether a key belongs to the input method. Times are milliseconds of one clock. */
export class CompositionLatch {
  #composing = false;
  #endedAt: number | null = null;

  started(): void {
    this.#composing = true;
    this.#endedAt = null;
  }

  ended(at: number): void {
    this.#composing = false;
    this.#endedAt = at;
  }

  /**
   * Whether the key must not reach the page. Returns true for at most one late key per composition.
   */
  swallows(key: ComposedKey, at: number): boolean {
    if (key.isComposing || this.#composing) return true;
    if (key.keyCode !== INPUT_METHOD_KEY) {
      this.#endedAt = null;
      return false;
    }
    const late = this.#endedAt !== null && at - this.#endedAt <= LATE_KEY_MS;
    this.#endedAt = null;
    return late;
  }
}

/** Applies this to every key handler of the page. Returns a function that stops it. */
export function guardComposition(page: Window): () => void {
  const latch = new CompositionLatch();
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  let box: Node | null = null;

  page.addEventListener(
    'compositionstart',
    (event) => {
      box = event.target as Node;
      latch.started();
    },
    options,
  );
  page.addEventListener('compositionend', (event) => latch.ended(event.timeStamp), options);
  page.addEventListener(
    'keydown',
    (event) => {
      // A box that is gone does not say that its composition is over.
      if (box?.isConnected === false) {
        latch.ended(event.timeStamp);
        box = null;
      }
      if (!latch.swallows(event, event.timeStamp)) return;
      event.stopImmediatePropagation();
      const acts = event.key === 'Enter' || event.key === 'Escape' || event.key === 'Tab';
      if (acts || event.code === 'Enter' || event.code === 'Escape') event.preventDefault();
    },
    options,
  );
  return () => listening.abort();
}
