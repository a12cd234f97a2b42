// The queue of codes scanned at the counter. It is kept when the page closes, so that a code
// scanned while a sale is being sent is not lost.
import { commands } from '../../ipc';
import { ofProfile } from '../../ipc/profile-reset';
import { plainCode } from '../../format/plain';
import { counter } from './counter.svelte';
import { OFFERED } from './product-lookup.svelte';
import { storedSale } from './stored-sale.svelte';

/** A code scanned at the counter. */
interface Scan {
  code: string;
  /** The entry that was being sent when this was scanned. */
  during: string | null;
  /** It was chosen as a product, so it has no other meaning. */
  isProduct: boolean;
  /** It was scanned into the locked box of the staff code, and is probably a staff card. */
  atStaff: boolean;
}

/** What a scanned code means. */
export type Meaning = 'product' | 'otherProduct' | 'transaction';

class Scans {
  #taking = false;
  #kept = $state.raw<readonly Scan[]>([]);

  get count(): number {
    return this.#kept.length;
  }

  keep(code: string, atStaff = false): void {
    this.#add({ code: plainCode(code), isProduct: false, atStaff });
  }

  /** Queues a product that was chosen on another page. */
  keepProduct(reference: string): void {
    this.#add({ code: reference, isProduct: true, atStaff: false });
  }

  #add(scan: Omit<Scan, 'during'>): void {
    const during = counter.underWay ? counter.entryId : null;
    this.#kept = [...this.#kept, { ...scan, during }];
  }

  /**
   * Processes the codes in order, until `held`. A code that needs an answer stays first until it is
   * dropped.
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
        // If the sale was sent meanwhile, the meaning is determined again for the current one.
        if (held() || counter.entryId !== entry || this.#kept[0] !== scan) continue;
        if (meaning !== 'otherProduct') this.drop();
        await place(scan.code, meaning);
      }
    } finally {
      this.#taking = false;
    }
  }

  /** Removes the first code. */
  drop(): void {
    this.#kept = this.#kept.slice(1);
  }

  /** Drops codes that were meant for sales of the former profile. */
  reset(): void {
    this.#kept = [];
  }
}

/**
 * The meaning of a scanned code in the current state of the sale. Once a plan is chosen, or the
 * customer has declined, the next code is the transaction, unless a product with that reference is
 * known here. A code scanned while this sale was being sent belongs to the next one. A product that
 * comes to the transaction and customer of a sale that was restored, or has a product already, may
 * be another customer's. A sale typed or carried over just now waits for its first product.
 */
async function meaningOf({ code, during, isProduct, atStaff }: Scan): Promise<Meaning> {
  const { product, declined } = counter;
  if (atStaff && !(await mayBeProduct(code))) return 'otherProduct';
  const planId = counter.planId || counter.keptPlan;
  if (code === product.reference) return 'product';
  if (during === counter.entryId) return 'otherProduct';
  if (planId === '' && (isProduct || !declined)) {
    // The meaning of a second code scanned while a sale was being sent is unknown: no plan could be
    // chosen after the first one.
    const isAsked = counter.begun || (during !== null && !isProduct);
    const isFirst = product.reference === '' && storedSale.restoredAt === null;
    return isAsked && !isFirst ? 'otherProduct' : 'product';
  }
  if (isProduct || counter.transactionId.trim() !== '') return 'otherProduct';
  return (await mayBeProduct(code)) ? 'otherProduct' : 'transaction';
}

/** Whether a product with this reference is known here, or that cannot be read. */
async function mayBeProduct(code: string): Promise<boolean> {
  const [plans, known] = await Promise.all([
    commands.plansCached(code, OFFERED),
    commands.productLastKnown(code),
  ]);
  if (plans.status === 'error' || known.status === 'error') return true;
  return plans.data.plans.length > 0 || known.data !== null;
}

export const scans = ofProfile(new Scans());
