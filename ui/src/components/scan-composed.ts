// A scanner while Japanese input is open: its keys arrive as one quick composition, or as many of
// one character each, in full width. This module only judges; `scan-capture.ts` applies it.
import { plainCode } from './rules';
import { SCANNER, type BurstLimits } from './scanner';

/** What a scanner can have sent: nothing of it but hyphens was turned into kana. */
const CODE = /^[\x21-\x7e]+$/;

/** Times are milliseconds of one clock. */
export class ComposedBurst {
  #text = '';
  #composed = '';
  #lastAt = 0;
  #quick = 0;
  readonly #limits: BurstLimits;

  constructor(limits: BurstLimits = SCANNER) {
    this.#limits = limits;
  }

  /** Whether a composition that starts now goes on with the ones before. */
  flows(at: number): boolean {
    return this.#text !== '' && at - this.#lastAt <= this.#limits.maxGap;
  }

  started(at: number): void {
    if (!this.flows(at)) this.reset();
    this.#composed = '';
  }

  updated(composed: string, at: number): void {
    const grown = [...composed].length - [...this.#composed].length;
    this.#composed = composed;
    // The same length is a conversion: a person's.
    if (grown <= 0) return;
    if (at - this.#lastAt <= this.#limits.quickGap) this.#quick += grown;
    this.#lastAt = at;
  }

  /** The code, when the end of a composition was the end of one. */
  ended(composed: string, at: number): string | null {
    this.#text += composed;
    return [...composed].length > 1 ? this.finished(at) : null;
  }

  /** The code, when what was composed up to now was one and ends here. */
  finished(at: number): string | null {
    const text = plainCode(this.#text);
    const scanned =
      at - this.#lastAt <= this.#limits.endGap &&
      text.length >= this.#limits.minLength &&
      CODE.test(text) &&
      this.#quick / text.length >= this.#limits.quickShare;
    if (scanned) this.reset();
    return scanned ? text : null;
  }

  reset(): void {
    this.#text = '';
    this.#composed = '';
    this.#quick = 0;
  }
}
