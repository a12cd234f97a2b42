// The data of a sale's product: its plans, and its title and price. Does not know what is typed in
// the form.
import { commands, type PlanList } from '../../ipc';
import { CachedQuery } from '../../ipc/cached-query.svelte';
import { Call } from '../../ipc/call.svelte';
import { isPassing } from '../../ipc/failure';

/** Plans that may be offered to a customer. */
export const OFFERED = 'Live';

/** The sale that the product belongs to. */
interface Sale {
  /** Whether the sale must not change now; data that arrives is shown afterwards. */
  isLocked: () => boolean;
  /** Called when the plans shown have changed; `before` are the former ones. */
  changed: (before: PlanList | null) => void;
}

export class ProductLookup {
  planList = $state<PlanList | null>(null);
  /** Whether the service has listed plans, so that it knows the store. */
  storeIsKnown = $state(false);
  readonly plans = new CachedQuery<PlanList>((planList) => this.#show(planList));
  #reference = '';
  readonly #opening = new Call();
  /** The request for the product's title and price; one for each reference. */
  #details: Promise<void> | null = null;
  /** Title and price as the service has them now; a list of plans only has what was known here. */
  #read: Partial<Pick<PlanList, 'productTitle' | 'productPrice'>> = {};
  /** The plans that arrived while the sale was locked. */
  #later: PlanList | null = null;
  readonly #sale: Sale;

  constructor(sale: Sale) {
    this.#sale = sale;
  }

  /** The reference whose plans are shown or being read; empty before the first. */
  get reference(): string {
    return this.#reference;
  }

  /** Drops the data of the former product. */
  reset(reference = ''): void {
    this.#reference = reference;
    this.planList = null;
    this.#details = null;
    this.#read = {};
    this.#later = null;
    for (const call of [this.plans, this.#opening]) call.reset();
  }

  /** Reads the plans of the product, and then its title and price. */
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

  /** Reads the plans again if the service could not be reached for them. */
  async readAgain(): Promise<void> {
    if (isPassing(this.plans.refreshing.failure)) await this.read();
  }

  /** Reads title and price of the product from one of its plans, once. */
  async readDetails(plan: string): Promise<void> {
    await (this.#details ??= this.#open(plan));
  }

  async #open(plan: string): Promise<void> {
    const reference = this.#reference;
    const answer = await this.#opening.run(() => commands.planOpen(plan));
    if (reference !== this.#reference) return;
    const product = answer?.value.product;
    // A plan of several products is returned with one of them; if it is another, the next chosen
    // plan is tried.
    const matches = product?.referenceId === reference;
    if (!matches) this.#details = null;
    const list = this.#later ?? this.planList;
    if (!list || !matches) return;
    this.#read = { productTitle: product.title, productPrice: product.price };
    this.#show(list);
  }

  #show(planList: PlanList): void {
    if (planList.source === 'service' && planList.plans.length > 0) this.storeIsKnown = true;
    if (this.#sale.isLocked()) {
      this.#later = planList;
      return;
    }
    this.#later = null;
    const before = this.planList;
    this.planList = {
      ...planList,
      productTitle: this.#read.productTitle ?? planList.productTitle ?? null,
      productPrice: this.#read.productPrice ?? planList.productPrice ?? null,
    };
    this.#sale.changed(before);
  }

  /** Shows the plans that arrived while the sale was locked. */
  showLater(): void {
    if (this.#later) this.#show(this.#later);
  }
}
