// Browsing, searching and linking plans.
import { planKinds, planTitle } from '../../components/plan-words';
import { CachedQuery } from '../../ipc/cached-query.svelte';
import { Call } from '../../ipc/call.svelte';
import {
  commands,
  type LinkReport,
  type Plan,
  type PlanFilter,
  type PlanRecord,
  type PlanList,
} from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { meantReference } from '../../ipc/known-products';
import type { Failure } from '../../ipc/failure';
import { ofProfile } from '../../ipc/profile-reset';
import { ListPlace, type Column } from '../../list/place.svelte';

export const MODES = ['product', 'text'] as const;
export const FILTERS: readonly PlanFilter[] = ['Any', 'Live', 'LiveInStore'];

const LIMIT = 200;

/** A plan in a list, with its product and its age where several products are listed. */
export interface PlanRow {
  plan: Plan;
  product?: string;
  fetchedAt?: string;
}

type PlanColumn =
  'listed' | 'title' | 'product' | 'price' | 'term' | 'kind' | 'storeReference' | 'fetchedAt';

const COLUMNS: readonly Column<PlanColumn>[] = [
  { name: 'title', title: 'word.plan', text: true, opens: 'title' },
  { name: 'product', title: 'word.product', text: true },
  { name: 'price', title: 'plan.price', rem: 6.5, end: true },
  { name: 'term', title: 'plan.term', rem: 6.5, end: true },
  { name: 'kind', title: 'plan.kind', rem: 12.5, text: true },
  { name: 'storeReference', title: 'field.storeReferenceId', rem: 11, text: true },
  { name: 'fetchedAt', title: 'plans.asOf', rem: 8 },
];
const ofOneProduct = ({ name }: Column) => name !== 'product' && name !== 'fetchedAt';
/** A narrow window needs the room for product and code; the drawer names the kind. */
const ofSearch = ({ name }: Column) => name !== 'kind';

/** The lists of the page, at first in the order they come in. */
const LISTS = {
  product: {
    columns: COLUMNS.filter(ofOneProduct),
    place: new ListPlace<PlanColumn>('listed', true),
  },
  text: {
    columns: COLUMNS.filter(ofSearch),
    place: new ListPlace<PlanColumn>('listed', true),
  },
};
export type PlanLists = typeof LISTS;

export const idOf = ({ plan }: PlanRow) => plan.id;

/** What a list is sorted by. */
export function valueOf({ plan, product, fetchedAt }: PlanRow, column: PlanColumn) {
  switch (column) {
    case 'title':
      return planTitle(plan);
    case 'product':
      return product;
    case 'price':
      return plan.price;
    case 'term':
      return plan.termLength;
    case 'kind':
      return planKinds(plan);
    case 'storeReference':
      return plan.storeReferenceId;
    case 'fetchedAt':
      return fetchedAt;
    case 'listed':
      return null;
  }
}

class PlansPage {
  mode = $state<(typeof MODES)[number]>('product');
  reference = $state('');
  filter = $state<PlanFilter>('Any');
  planList = $state<PlanList | null>(null);
  text = $state('');
  found = $state<PlanRecord[] | null>(null);
  /** Whether the search finds more than is listed. */
  foundMore = $state(false);
  /** The text that these plans contain. */
  searched = $state('');

  /** The plan whose details are open. */
  openId = $state<string | null>(null);
  record = $state<PlanRecord | null>(null);
  storeReferenceId = $state('');
  usedBy = $state<string[]>([]);
  proof = $state<LinkReport | null>(null);

  readonly lists = LISTS;
  readonly browsing = new CachedQuery<PlanList>((planList) => (this.planList = planList));
  readonly opening = new CachedQuery<PlanRecord>((record) => this.#show(record));
  readonly searching = new Call();
  readonly linking = new Call();
  readonly paging = new Call();
  readonly refreshingAll = new Call();
  readonly findingUse = new Call();

  /** The reference that was shown last, as it is written. */
  #browsed = '';

  /** Shows the plans of the product in the box, again or as it is typed now. */
  async browseTyped(): Promise<void> {
    const { reference } = this;
    if (reference === this.#browsed) return this.browse(reference);
    const meant = await meantReference(reference);
    if (this.reference === reference) await this.browse(meant);
  }

  /** Shows the plans of a product. */
  async browse(reference: string): Promise<void> {
    this.reference = this.#browsed = reference;
    this.mode = 'product';
    if (reference !== '') await this.#list(reference);
  }

  async #list(reference: string): Promise<void> {
    const filter = this.filter;
    if (this.planList?.productReference !== reference || this.planList.filter !== filter) {
      this.planList = null;
      this.browsing.reset();
    }
    await this.browsing.run(
      () => commands.plansCached(reference, filter),
      () => commands.plansRefresh(reference, filter),
    );
  }

  /** Plans in the cache that contain a text; needs no network. */
  async search(): Promise<void> {
    const text = this.text.trim();
    if (text === '') {
      this.searching.reset();
      this.found = null;
      this.searched = '';
      return;
    }
    const answer = await this.searching.run(() => commands.plansSearch(text, LIMIT + 1));
    if (!answer) return;
    this.found = answer.value.slice(0, LIMIT);
    this.foundMore = answer.value.length > LIMIT;
    this.searched = text;
  }

  /** Whether the store reference in the box is not that of the open plan. */
  get typed(): boolean {
    return this.storeReferenceId !== (this.record?.plan.storeReferenceId ?? '');
  }

  async open(id: string): Promise<void> {
    this.openId = id;
    this.record = null;
    this.proof = null;
    this.usedBy = [];
    this.storeReferenceId = '';
    for (const call of [this.opening, this.linking, this.paging]) call.reset();
    await this.opening.run(
      () => commands.planCached(id),
      () => commands.planOpen(id),
    );
  }

  #show(record: PlanRecord): void {
    const { typed } = this;
    this.record = record;
    if (!typed) this.storeReferenceId = record.plan.storeReferenceId ?? '';
  }

  /** The reference of the open plan's product. */
  get product(): string | null {
    return this.record?.product?.referenceId ?? this.record?.productReference ?? null;
  }

  close(): void {
    this.openId = null;
    this.record = null;
    this.opening.reset();
  }

  /** Closes the plan unless it is being linked: what comes of that is shown with it. */
  leave(): void {
    if (!this.linking.busy) this.close();
  }

  /** Reads which other plans have the typed store reference. */
  async askUsedBy(): Promise<void> {
    const reference = this.storeReferenceId.trim();
    const current = this.record?.plan.storeReferenceId ?? '';
    if (reference === '' || reference === current) {
      this.findingUse.reset();
      this.usedBy = [];
      return;
    }
    const answer = await this.findingUse.run(() => commands.storeReferenceUsedBy(reference));
    if (answer) this.usedBy = answer.value.filter((id) => id !== this.openId);
  }

  /** Links the open plan; the desk verifies it by reading the plan again. */
  async link(): Promise<void> {
    const record = this.record;
    if (!record) return;
    const reference = this.storeReferenceId.trim();
    const expected = record.plan.storeReferenceId ?? null;
    this.proof = null;
    // An answer to what was asked before would hide what comes of this.
    this.opening.reset();
    const answer = await this.linking.run(() =>
      desk.underProfile((profile) =>
        commands.planLink(profile, record.plan.id, reference, expected),
      ),
    );
    if (answer) {
      this.proof = answer.value;
      this.record = { ...record, plan: answer.value.plan };
      this.storeReferenceId = answer.value.plan.storeReferenceId ?? '';
      this.usedBy = [];
      void this.search();
      if (this.planList) void this.#list(this.planList.productReference);
      return;
    }
    const failed: Failure['code'] | undefined = this.linking.failure?.code;
    if (failed === 'changedMeanwhile' || failed === 'notProven') {
      const fresh = await commands.planOpen(record.plan.id);
      if (fresh.status === 'ok' && this.openId === record.plan.id) this.record = fresh.data;
    }
  }

  openPage(): void {
    const id = this.openId;
    const host = this.record?.pageHost ?? null;
    if (id === null || host === null) return;
    void this.paging.run(() => commands.planPageOpen(id, host));
  }

  async refreshAll(): Promise<void> {
    await this.refreshingAll.run(() => commands.plansRefreshAll(this.filter));
  }

  cancelRefreshAll(): void {
    void commands.plansRefreshCancel();
  }

  reset(): void {
    this.close();
    this.text = this.searched = this.reference = this.#browsed = '';
    this.planList = null;
    this.found = null;
    desk.refresh = null;
    for (const { place } of Object.values(LISTS)) place.reset();
    for (const call of [this.browsing, this.searching, this.refreshingAll]) call.reset();
  }
}

export const plans = ofProfile(new PlansPage());
