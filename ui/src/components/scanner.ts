// Recognises a barcode scanner, which is a keyboard that types faster than any person and ends with
// Enter or Tab. This module only classifies a sequence of keys; `scan-capture.ts` applies the
// result.

/** One key; `at` is in milliseconds of any steady clock. */
interface KeyStroke {
  key: string;
  at: number;
  /** Ctrl, Alt or Meta was held, or the key itself. */
  modified: boolean;
}

export const SCANNER = {
  /** Fewest characters of a code. A quick person can type fewer at that speed. */
  minLength: 4,
  /**
   * Longest pause that counts as quick, in milliseconds; a person cannot type a whole code that
   * fast.
   */
  quickGap: 35,
  /** The share of quick pauses in a burst: a busy computer or a radio link may delay a few keys. */
  quickShare: 0.75,
  /** Longest pause inside a burst, in milliseconds. A shorter limit would cut delayed codes. */
  maxGap: 250,
  /** Longest pause before the ending key, in milliseconds; a later Enter comes from a person. */
  endGap: 120,
};

export type Verdict =
  /** The first key after a pause: the page may have to be restored to its state before this key. */
  | { kind: 'first' }
  /** A further key of a possible burst; `quick` when only a scanner types that fast. */
  | { kind: 'more'; quick: boolean }
  /** A whole code, ended by this key, which must have no other effect. */
  | { kind: 'scan'; text: string }
  /** Not part of a burst. */
  | { kind: 'other' };

export class BurstDetector {
  #text = '';
  #lastAt = 0;
  #quick = 0;

  get length(): number {
    return this.#text.length;
  }

  /** Whether a key at this time follows so quickly that only a scanner can have sent it. */
  isQuick(at: number): boolean {
    return this.#text !== '' && at - this.#lastAt <= SCANNER.quickGap;
  }

  stroke({ key, at, modified }: KeyStroke): Verdict {
    if (key === 'Shift') return { kind: 'other' };
    const gap = at - this.#lastAt;
    const flows = this.#text !== '' && gap <= SCANNER.maxGap;
    const quick = flows && gap <= SCANNER.quickGap;

    if (key === 'Enter' || key === 'Tab') {
      const text = this.#text;
      // There are as many pauses as characters, because the one before the ending key counts, too.
      const share = (this.#quick + (quick ? 1 : 0)) / Math.max(1, text.length);
      this.reset();
      const scanned =
        gap <= SCANNER.endGap && text.length >= SCANNER.minLength && share >= SCANNER.quickShare;
      return scanned ? { kind: 'scan', text } : { kind: 'other' };
    }
    // One character, whatever its width in UTF-16: named keys such as `ArrowLeft` are longer.
    if (modified || [...key].length !== 1) {
      this.reset();
      return { kind: 'other' };
    }
    this.#lastAt = at;
    if (flows) {
      this.#text += key;
      this.#quick += quick ? 1 : 0;
      return { kind: 'more', quick };
    }
    this.#text = key;
    this.#quick = 0;
    return { kind: 'first' };
  }

  reset(): void {
    this.#text = '';
    this.#quick = 0;
  }
}
