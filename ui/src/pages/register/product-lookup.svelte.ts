// What is known of the product of a sale: its plans, and its title and price. It does not know what
// is typed in the form.
import { commands, type PlanShelf } from '../../ipc';
import { CachedQuery } from '../../ipc/cached-query.svelte';
import { Call } from '../../ipc/call.svelte';

/** Plans that may be offered to a customer. */
export const OFFERED = 'Live';

/** The sale that the product belongs to. */
interface Sale {
  /** Whether nothing in the sale may change now; what is read meanwhile is shown afterwards. */
  isLocked: () => boolean;
  /** The plans shown have changed; `before` are the former ones. */
  changed: (before: PlanShelf | null) => void;
}

export class ProductLookup {
  shelf = $state<PlanShelf | null>(null);
  readonly plans = new CachedQuery<PlanShelf>((shelf) => this.#show(shelf));
  #reference = '';
  readonly #opening = new Call();
  /** The read of the product's title and price; one for each reference. */
  #details: Promise<void> | null = null;
  /** What was read while the sale was locked. */
  #later: PlanShelf | null = null;
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
    this.shelf = null;
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
    const first = this.shelf?.plans[0];
    const read = reference === this.#reference && !this.plans.refreshing.failure;
    if (first && read) void this.readDetails(first.id);
  }

  /** Reads title and price of the product from one of its plans, if no list of plans had them. */
  async readDetails(plan: string): Promise<void> {
    if (this.shelf?.productPrice == null) await (this.#details ??= this.#open(plan));
  }

  async #open(plan: string): Promise<void> {
    const reference = this.#reference;
    const answer = await this.#opening.run(() => commands.planOpen(plan));
    if (reference !== this.#reference) return;
    const product = answer?.value.product;
    // A plan of several products is read with one of them: the next plan that is chosen asks again.
    const told = product?.referenceId === reference;
    if (!told) this.#details = null;
    if (!this.shelf || !told) return;
    this.#show({
      ...this.shelf,
      productTitle: this.shelf.productTitle ?? product.title ?? null,
      productPrice: this.shelf.productPrice ?? product.price ?? null,
    });
  }

  #show(shelf: PlanShelf): void {
    if (this.#sale.isLocked()) {
      this.#later = shelf;
      return;
    }
    this.#later = null;
    const before = this.shelf;
    // A list that was requested before title and price were read does not remove them.
    this.shelf = {
      ...shelf,
      productTitle: shelf.productTitle ?? before?.productTitle ?? null,
      productPrice: shelf.productPrice ?? before?.productPrice ?? null,
    };
    this.#sale.changed(before);
  }

  /** Shows what was read while the sale was locked, once it no longer is. */
  showLater(): void {
    if (this.#later) this.#show(this.#later);
  }
}
