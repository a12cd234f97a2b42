// Codes scanned at the counter, until each has its place in a sale. They outlive the page, so that
// what is scanned while a sale is on its way is not lost by looking something up in between.
import { counter, type Meaning, type Scan } from './counter.svelte';

class Scans {
  #taking = false;
  #kept = $state.raw<readonly Scan[]>([]);

  get count(): number {
    return this.#kept.length;
  }

  keep(code: string): void {
    this.#add(code, false);
  }

  /** Keeps a product that was chosen somewhere else. */
  keepProduct(reference: string): void {
    this.#add(reference, true);
  }

  #add(code: string, isProduct: boolean): void {
    const during = counter.underWay ? counter.entryId : null;
    this.#kept = [...this.#kept, { code, during, isProduct }];
  }

  /**
   * Gives each its place, one after the other, until `held`. What has to be asked about stays the
   * first until it is dropped.
   */
  async take(
    held: () => boolean,
    place: (code: string, meaning: Meaning) => Promise<void>,
  ): Promise<void> {
    if (this.#taking) return;
    this.#taking = true;
    try {
      for (let scan = this.#kept[0]; scan && !held(); scan = this.#kept[0]) {
        const entry = counter.entryId;
        const meaning = await counter.meaningOf(scan).catch(() => 'otherProduct' as const);
        // Asked of a sale that was sent meanwhile, it is asked again of what stands here then.
        if (held() || counter.entryId !== entry || this.#kept[0] !== scan) continue;
        if (meaning !== 'otherProduct') this.drop();
        await place(scan.code, meaning);
      }
    } finally {
      this.#taking = false;
    }
  }

  /** The first one has found its place, or is wanted nowhere. */
  drop(): void {
    this.#kept = this.#kept.slice(1);
  }

  /** They were meant for sales of the former profile. */
  reset(): void {
    this.#kept = [];
  }
}

export const scans = new Scans();
