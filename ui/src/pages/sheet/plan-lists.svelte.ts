// The plans that can be offered for each product of the sheet: at once what is remembered, then
// what the service says, asked for once a product.
import { SvelteMap } from 'svelte/reactivity';
import { plainCode } from '../../components/rules';
import { commands, type Plan, type PlanShelf } from '../../ipc';

/** Plans that may be offered to a customer. */
const OFFERED = 'Live';

export class PlanLists {
  readonly #planLists = new SvelteMap<string, PlanShelf>();
  readonly #titles = new SvelteMap<string, string>();
  readonly #asked = new Set<string>();
  readonly #met = new Set<string>();
  /** Products whose plans are being read from the service. */
  readonly #reading = new SvelteMap<string, true>();
  readonly #came: (reference: string) => void;

  /** `came` hears of each list that has come. */
  constructor(came: (reference: string) => void) {
    this.#came = came;
  }

  of(reference: string): PlanShelf | null {
    return this.#planLists.get(reference) ?? null;
  }

  isReading(reference: string): boolean {
    return this.#reading.has(reference);
  }

  titleOf(plan: string): string | null {
    return this.#titles.get(plan) ?? null;
  }

  /** Has a product's plans read, unless that was done before. */
  async read(reference: string): Promise<void> {
    if (reference === '' || this.#asked.has(reference)) return;
    this.#asked.add(reference);
    this.#reading.set(reference, true);
    const fresh = commands.plansRefresh(reference, OFFERED).catch(() => null);
    const remembered = await commands.plansCached(reference, OFFERED).catch(() => null);
    if (remembered?.status === 'ok') this.#show(reference, remembered.data);
    const read = await fresh;
    this.#reading.delete(reference);
    if (read?.status === 'ok') this.#show(reference, read.data);
    // Without an answer the next look at the product asks again.
    else this.#asked.delete(reference);
  }

  /** Learns what the plans of products are called, from what is remembered alone. */
  async meet(references: Iterable<string>): Promise<void> {
    for (const reference of references) {
      if (reference === '' || this.#asked.has(reference) || this.#met.has(reference)) continue;
      this.#met.add(reference);
      const remembered = await commands.plansCached(reference, OFFERED).catch(() => null);
      if (remembered?.status === 'ok') this.#name(remembered.data);
    }
  }

  reset(): void {
    this.#met.clear();
    this.#planLists.clear();
    this.#titles.clear();
    this.#asked.clear();
    this.#reading.clear();
  }

  #show(reference: string, shelf: PlanShelf): void {
    if (shelf.plans.length === 0 && shelf.fetchedAt == null && shelf.productPrice == null) return;
    this.#planLists.set(reference, shelf);
    this.#name(shelf);
    this.#came(reference);
  }

  #name({ plans }: PlanShelf): void {
    for (const { id, title } of plans) if (title) this.#titles.set(id, title);
  }
}

/** The plans whose place, id or title a text names. */
export function matching(plans: readonly Plan[], typed: string): Plan[] {
  const text = plainCode(typed).toLowerCase();
  if (text === '') return [...plans];
  const numbered = /^\d{1,2}$/.test(text) ? plans[Number(text) - 1] : undefined;
  if (numbered && !plans.some(({ id }) => id === text)) return [numbered];
  const holds = (plan: Plan) =>
    [plan.id, plan.title ?? '', plan.storeReferenceId ?? ''].some((part) =>
      part.normalize('NFKC').toLowerCase().includes(text),
    );
  const exact = plans.filter(({ id }) => id.toLowerCase() === text);
  return exact.length > 0 ? exact : plans.filter(holds);
}
