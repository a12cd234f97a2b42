// A barcode scanner is a keyboard that types faster than any hand and ends with Enter or Tab.
// This module only judges a sequence of keys; `scan-capture.ts` applies the judgement to the page.

/** One key as it came, `at` in milliseconds of any steady clock. */
export interface KeyStroke {
  key: string;
  at: number;
  /** Ctrl, Alt or Meta was held. */
  modified: boolean;
}

export interface BurstLimits {
  /** Fewest characters of a code. Below it, a quick hand could do the same. */
  minLength: number;
  /** Longest pause between two keys of a burst, in milliseconds. */
  maxGap: number;
  /** Longest pause on average, in milliseconds. */
  maxAverageGap: number;
}

export const SCANNER: BurstLimits = { minLength: 4, maxGap: 60, maxAverageGap: 35 };

export type Verdict =
  /** The first key after a pause: the page may have to be put back to before it. */
  | { kind: 'first' }
  /** A further key of what may be a burst. */
  | { kind: 'more' }
  /** A whole code, ended by this key, which must have no other effect. */
  | { kind: 'scan'; text: string }
  /** No part of a burst. */
  | { kind: 'other' };

export class BurstDetector {
  #text = '';
  #firstAt = 0;
  #lastAt = 0;
  readonly #limits: BurstLimits;

  constructor(limits: BurstLimits = SCANNER) {
    this.#limits = limits;
  }

  /** How many characters the running burst has. */
  get length(): number {
    return this.#text.length;
  }

  stroke({ key, at, modified }: KeyStroke): Verdict {
    if (key === 'Shift') return { kind: 'other' };
    const flows = this.#text !== '' && at - this.#lastAt <= this.#limits.maxGap;

    if (key === 'Enter' || key === 'Tab') {
      const text = this.#text;
      const average = (at - this.#firstAt) / Math.max(1, text.length);
      this.reset();
      const scanned =
        flows && text.length >= this.#limits.minLength && average <= this.#limits.maxAverageGap;
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
      return { kind: 'more' };
    }
    this.#text = key;
    this.#firstAt = at;
    return { kind: 'first' };
  }

  reset(): void {
    this.#text = '';
  }
}
