// Codes scanned at the counter, until each has its place in a sale. They outlive the page, so that
// what is scanned while a sale is on its way is not lost by looking something up in between.
import { commands } from '../../ipc';
import { plainCode } from '../../components/rules';
import { counter } from './counter.svelte';
import { OFFERED } from './product-lookup.svelte';

/** A code scanned at the counter. */
interface Scan {
  code: string;
  /** The entry that was being sent when this was scanned. */
  during: string | null;
  /** It was chosen as a product, so it can be nothing else. */
  isProduct: boolean;
}

/** What a scanned code stands for. */
export type Meaning = 'product' | 'otherProduct' | 'transaction';

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
        const meaning = await meaningOf(scan).catch(() => 'otherProduct' as const);
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

/**
 * What a scanned code is at this point of the sale. Once a plan is chosen, or the customer has
 * declined, the next code is the transaction's, unless a product of that reference is known here.
 * What was scanned while this sale was being sent was meant for the next one.
 */
async function meaningOf({ code: scanned, during, isProduct }: Scan): Promise<Meaning> {
  const code = plainCode(scanned);
  const { planId, product, declined } = counter;
  if (code === product.reference) return 'product';
  if (during === counter.entryId) return 'otherProduct';
  if (isProduct) return planId === '' ? 'product' : 'otherProduct';
  if (planId === '' && !declined) {
    // A second code kept while a sale was being sent: nobody could choose a plan after the first
    // one, so this code may be anything.
    return during !== null && product.reference !== '' ? 'otherProduct' : 'product';
  }
  if (counter.transactionId.trim() !== '') return 'otherProduct';
  const [plans, known] = await Promise.all([
    commands.plansCached(code, OFFERED),
    commands.productLastKnown(code),
  ]);
  const offered = plans.status === 'ok' && plans.data.plans.length > 0;
  return offered || (known.status === 'ok' && known.data !== null) ? 'otherProduct' : 'transaction';
}

export const scans = new Scans();
