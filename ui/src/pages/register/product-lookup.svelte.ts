// What is known of the product of a sale: its plans, and its title and price. It does not know what
// is typed in the form.
import { commands, type PlanList } from '../../ipc';
import { CachedQuery } from '../../ipc/cached-query.svelte';
import { Call } from '../../ipc/call.svelte';

/** Plans that may be offered to a customer. */
export const OFFERED = 'Live';

/** The sale that the product belongs to. */
interface Sale {
  /** Whether nothing in the sale may change now; what is read meanwhile is shown afterwards. */
  isLocked: () => boolean;
  /** The plans shown have changed; `before` are the former ones. */
  changed: (before: PlanList | null) => void;
}

export class ProductLookup {
  planList = $state<PlanList | null>(null);
  readonly plans = new CachedQuery<PlanList>((planList) => this.#show(planList));
  #reference = '';
  readonly #opening = new Call();
  /** The read of the product's title and price; one for each reference. */
  #details: Promise<void> | null = null;
  /** What was read while the sale was locked. */
  #later: PlanList | null = null;
  readonly #sale: Sale;

  constructor(sale: Sale) {
    this.#sale = sale;
  }

  /** The reference whose plans are shown or being read; empty before the first. */
  get reference(): string {
    return this.#reference;
  }

  /** Forgets the former product. */
  reset(reference = ''): void {
    this.#reference = reference;
    this.planList = null;
    this.#details = null;
    this.#later = null;
    for (const call of [this.plans, this.#opening]) call.reset();
  }

  /** Reads the plans of the product, and then its title and price if they were not with them. */
  async read(): Promise<void> {
    const reference = this.#reference;
    await this.plans.run(
      () => commands.plansCached(reference, OFFERED),
      () => commands.plansRefresh(reference, OFFERED),
    );
    const first = this.planList?.plans[0];
    const read = reference === this.#reference && !this.plans.refreshing.failure;
    if (first && read) void this.readDetails(first.id);
  }

  /** Reads title and price of the product from one of its plans, if no list of plans had them. */
  async readDetails(plan: string): Promise<void> {
    if (this.planList?.productPrice == null) await (this.#details ??= this.#open(plan));
  }

  async #open(plan: string): Promise<void> {
    const reference = this.#reference;
    const answer = await this.#opening.run(() => commands.planOpen(plan));
    if (reference !== this.#reference) return;
    const product = answer?.value.product;
    // A plan of several products is read with one of them: the next plan that is chosen asks again.
    const told = product?.referenceId === reference;
    if (!told) this.#details = null;
    if (!this.planList || !told) return;
    this.#show({
      ...this.planList,
      productTitle: this.planList.productTitle ?? product.title ?? null,
      productPrice: this.planList.productPrice ?? product.price ?? null,
    });
  }

  #show(planList: PlanList): void {
    if (this.#sale.isLocked()) {
      this.#later = planList;
      return;
    }
    this.#later = null;
    const before = this.planList;
    // A list that was requested before title and price were read does not remove them.
    this.planList = {
      ...planList,
      productTitle: planList.productTitle ?? before?.productTitle ?? null,
      productPrice: planList.productPrice ?? before?.productPrice ?? null,
    };
    this.#sale.changed(before);
  }

  /** Shows what was read while the sale was locked, once it no longer is. */
  showLater(): void {
    if (this.#later) this.#show(this.#later);
  }
}
