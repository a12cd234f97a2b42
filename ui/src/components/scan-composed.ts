// Recognises a scanner while Japanese input is on: its keys arrive as one quick composition, or as
// many of one full-width character each. This module only classifies; `scan-capture.ts` applies the
// result.
import { plainCode } from '../format/plain';
import { SCANNER } from './scanner';

/** Text that a scanner can have sent, after its hyphens are converted back from kana. */
const CODE = /^[\x21-\x7e]+$/;

/** Times are milliseconds of one clock. */
export class ComposedBurst {
  #text = '';
  #composed = '';
  #lastAt = 0;
  #quick = 0;

  /** Whether a composition that starts now continues the ones before. */
  flows(at: number): boolean {
    return this.#text !== '' && at - this.#lastAt <= SCANNER.maxGap;
  }

  started(at: number): void {
    if (!this.flows(at)) this.reset();
    this.#composed = '';
  }

  updated(composed: string, at: number): void {
    const grown = [...composed].length - [...this.#composed].length;
    this.#composed = composed;
    // A composition of the same length is a conversion by a person.
    if (grown <= 0) return;
    if (at - this.#lastAt <= SCANNER.quickGap) this.#quick += grown;
    this.#lastAt = at;
  }

  /** The code, if it is complete at the end of this composition. */
  ended(composed: string, at: number): string | null {
    this.#text += composed;
    return [...composed].length > 1 ? this.finished(at) : null;
  }

  /** The code, if the compositions so far are one and it is complete now. */
  finished(at: number): string | null {
    const text = plainCode(this.#text);
    const scanned =
      at - this.#lastAt <= SCANNER.endGap &&
      text.length >= SCANNER.minLength &&
      CODE.test(text) &&
      this.#quick / text.length >= SCANNER.quickShare;
    if (scanned) this.reset();
    return scanned ? text : null;
  }

  reset(): void {
    this.#text = '';
    this.#composed = '';
    this.#quick = 0;
  }
}
