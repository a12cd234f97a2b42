// The plans that can be offered for each product of the sheet. The service is asked again for those of
// a product once they are some minutes old.
import { SvelteMap } from 'svelte/reactivity';
import { folded, plainCode } from '../../format/plain';
import { commands, type Plan, type PlanList } from '../../ipc';
import { CachedQuery } from '../../ipc/cached-query.svelte';
import { OFFERED } from '../register/product-lookup.svelte';

/** How long plans are offered before they are asked for again, in milliseconds. */
const RECENT_MS = 5 * 60_000;
/** How soon they are asked for again after they could not be read, in milliseconds. */
const RETRY_MS = 15_000;

export class PlanLists {
  readonly #planLists = new SvelteMap<string, PlanList>();
  readonly #titles = new SvelteMap<string, string>();
  readonly #products = new SvelteMap<string, string>();
  readonly #queries = new SvelteMap<string, CachedQuery<PlanList>>();
  readonly #askedAt = new Map<string, number>();
  /** Lists that came while a plan of their product was being typed. */
  readonly #later = new Map<string, PlanList>();
  #met = new Set<string>();
  readonly #metPlans = new Set<string>();
  readonly #came: (reference: string) => void;
  readonly #isTyped: (reference: string) => boolean;

  /**
   * `came` is called for each list that is shown. `isTyped` says whether a plan of a product is being
   * typed, maybe by its number in the list that is shown.
   */
  constructor(came: (reference: string) => void, isTyped: (reference: string) => boolean) {
    this.#came = came;
    this.#isTyped = isTyped;
  }

  of(reference: string): PlanList | null {
    return this.#planLists.get(reference) ?? null;
  }

  isReading(reference: string): boolean {
    return this.#queries.get(reference)?.refreshing.busy ?? false;
  }

  titleOf(plan: string): string | null {
    return this.#titles.get(plan) ?? null;
  }

  productTitleOf(reference: string): string | null {
    return this.#products.get(reference) ?? null;
  }

  /** Reads a product's plans, unless they are being read or were read a short time ago. */
  async read(reference: string): Promise<void> {
    const before = this.#queries.get(reference);
    const now = Date.now();
    const passed = now - (this.#askedAt.get(reference) ?? 0);
    const isRecent = passed < (before?.refreshing.failure ? RETRY_MS : RECENT_MS);
    if (reference === '' || (before && isRecent)) return;
    this.#askedAt.set(reference, now);
    const query =
      before ?? new CachedQuery<PlanList>((planList) => this.#show(reference, planList));
    this.#queries.set(reference, query);
    await query.run(
      () => commands.plansCached(reference, OFFERED),
      () => commands.plansRefresh(reference, OFFERED),
    );
    await this.#readProduct(reference, query);
  }

  /** Reads title and price of a product that is new here from one of its plans. */
  async #readProduct(reference: string, query: CachedQuery<PlanList>): Promise<void> {
    const list = this.#later.get(reference) ?? this.of(reference);
    const first = list?.plans[0];
    if (!list || !first || list.productPrice != null || query.refreshing.failure) return;
    const answer = await commands.planOpen(first.id);
    if (answer.status !== 'ok' || this.#queries.get(reference) !== query) return;
    const { product } = answer.data;
    // A plan of several products is returned with one of them.
    if (product?.referenceId !== reference) return;
    const [productTitle, productPrice] = [product.title ?? null, product.price ?? null];
    this.#show(reference, { ...list, productTitle, productPrice });
  }

  /** Reads the names of products' plans, and of plans that are not among these, from the cache only. */
  async meet(references: Iterable<string>, plans: Iterable<string>): Promise<void> {
    const met = this.#met;
    for (const reference of references) {
      if (reference === '' || this.#queries.has(reference) || met.has(reference)) continue;
      met.add(reference);
      const remembered = await commands.plansCached(reference, OFFERED).catch(() => null);
      if (met !== this.#met) return;
      if (remembered?.status === 'ok') this.#name(remembered.data);
    }
    for (const id of plans) {
      if (id === '' || this.#titles.has(id) || this.#metPlans.has(id)) continue;
      this.#metPlans.add(id);
      const remembered = await commands.planCached(id).catch(() => null);
      if (met !== this.#met) return;
      const title = remembered?.status === 'ok' ? remembered.data?.plan.title : null;
      if (title) this.#titles.set(id, title);
    }
  }

  /** What the cache did not have may be in it by now. */
  lookAgain(): void {
    for (const reference of this.#met)
      if (!this.#products.has(reference)) this.#met.delete(reference);
    this.#metPlans.clear();
  }

  reset(): void {
    for (const query of this.#queries.values()) query.reset();
    const named = [this.#planLists, this.#titles, this.#products];
    for (const known of [this.#queries, ...named, this.#metPlans, this.#later, this.#askedAt])
      known.clear();
    // Another one, so that what is being read for the former profile is dropped.
    this.#met = new Set();
  }

  #show(reference: string, planList: PlanList): void {
    if (planList.plans.length === 0 && planList.fetchedAt == null && planList.productPrice == null)
      return;
    this.#later.delete(reference);
    if (this.of(reference)?.plans.length && this.#isTyped(reference)) {
      this.#later.set(reference, planList);
      return;
    }
    this.#planLists.set(reference, planList);
    this.#name(planList);
    this.#came(reference);
  }

  /** Shows the lists that came while a plan was being typed. */
  showLater(): void {
    const later = [...this.#later];
    this.#later.clear();
    for (const [reference, planList] of later) this.#show(reference, planList);
  }

  #name({ plans, productReference, productTitle }: PlanList): void {
    if (productTitle) this.#products.set(productReference, productTitle);
    for (const { id, title } of plans) if (title) this.#titles.set(id, title);
  }
}

/** A typed code as it is compared, always as a whole. */
const codeOf = (typed: string) => folded(plainCode(typed));

/** The words of a text, of which a part can be compared: a code is one word. */
const wordsOf = (text: string) => ` ${text.match(/[\w./-]+|[^\s\w./-]/gu)?.join(' ') ?? ''} `;

/** The plans whose id, number or store reference is a text, else those with it in their title. */
export function matching(plans: readonly Plan[], typed: string): Plan[] {
  const text = codeOf(typed);
  if (text === '') return [...plans];
  const exact = plans.filter(({ id }) => codeOf(id) === text);
  if (exact.length > 0) return exact;
  // A number may also be the store's own code of another plan; then a person chooses.
  const numbered = /^\d{1,2}$/.test(text) ? plans[Number(text) - 1] : undefined;
  const named = plans.filter(
    (plan) => plan === numbered || codeOf(plan.storeReferenceId ?? '') === text,
  );
  if (named.length > 0) return named;
  return plans.filter(({ title }) => wordsOf(folded(title ?? '')).includes(wordsOf(text)));
}
