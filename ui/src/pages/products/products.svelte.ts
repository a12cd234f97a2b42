// The desk's own list of products, and the one being edited.
import * as v from 'valibot';
import { Problems } from '../../components/problems.svelte';
import { amount, present, written } from '../../components/rules';
import { plainCode } from '../../format/plain';
import { groupDigits } from '../../format/amounts';
import { Call } from '../../ipc/call.svelte';
import {
  commands,
  type Answer,
  type ProductDraft,
  type ProductFilter,
  type ProductRecord,
  type ProductSort,
  type UpsertReport,
} from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { KeptForm } from '../../ipc/kept-form.svelte';
import { PagedProducts } from '../../ipc/paged-list.svelte';
import { ofProfile } from '../../ipc/profile-reset';
import { ListPlace, type Column } from '../../list/place.svelte';

const rules = v.object({
  productReferenceId: written,
  title: present,
  price: amount,
  imageUrl: present,
  category: present,
});

const EMPTY: ProductDraft = { referenceId: '', title: '', price: '', imageUrl: '', category: '' };

export interface Change {
  field: Exclude<keyof ProductDraft, 'referenceId'>;
  before: string | null;
  after: string;
  changed: boolean;
}

/** Whether a person changed a field; what is known may have spaces around it, which are not sent. */
const isTyped = ({ before, after }: Change) => (before ?? '').trim() !== after;

class ProductsPage {
  text = $state('');
  readonly list = new PagedProducts();
  readonly columns: readonly Column<ProductSort>[] = [
    { name: 'referenceId', title: 'field.productReferenceId', rem: 9, text: true, opens: 'code' },
    { name: 'title', title: 'field.title', text: true },
    { name: 'price', title: 'field.price', rem: 7, end: true },
    { name: 'category', title: 'field.category', rem: 6.5, text: true },
    { name: 'brand', title: 'field.brand', rem: 7.5, text: true },
    { name: 'knownAt', title: 'products.known', rem: 8 },
  ];
  readonly place = new ListPlace<ProductSort>('referenceId', true);

  editing = $state(false);
  draft = $state<ProductDraft>({ ...EMPTY });
  /** The last known product of the reference in the form; `undefined` while it is being read. */
  known = $state<ProductRecord | null | undefined>(null);
  readonly problems = new Problems(() => {
    const { referenceId, ...others } = this.draft;
    return { productReferenceId: referenceId, ...others };
  });
  report = $state<UpsertReport | null>(null);
  /** The fields that were not edited and have other values since: nothing was sent for them. */
  renewed = $state.raw<Change['field'][]>([]);
  /** The reference of the product a person wants in place of a changed one. */
  wanted = $state<string | null>(null);

  /** The reference of the form, also one typed over the first; empty for a new product. */
  #begunWith = $state<string | null>(null);
  /** The form that the report is about. */
  #sent = '';
  /** The reference that was read last, and its reading. */
  #asked = '';
  #recalled = Promise.resolve();
  readonly kept = new KeptForm(
    'product/form',
    () =>
      this.changed
        ? JSON.stringify({ begunWith: this.#begunWith, draft: this.draft, known: this.known })
        : null,
    (text) => {
      const { begunWith, draft, known } = JSON.parse(text);
      // Another product was opened while this one was read: that one is asked about.
      if (this.editing && this.#begunWith !== begunWith) this.wanted = this.#begunWith;
      this.#begunWith = begunWith;
      this.draft = { ...EMPTY, ...draft };
      this.known = known ?? null;
      this.report = null;
      this.renewed = [];
      void this.resume();
    },
  );

  readonly reading = new Call();
  readonly putting = new Call();

  /** What the upsert will change, field by field. */
  get changes(): Change[] {
    const known = this.known ?? null;
    return (['title', 'price', 'category', 'imageUrl'] as const).map((field) => {
      const value = known?.[field] ?? null;
      const before = value === null ? null : String(value);
      const judged = field === 'price' ? v.safeParse(amount, this.draft.price) : null;
      const after = judged?.success ? judged.output : this.draft[field].trim();
      return { field, before, after, changed: before !== after };
    });
  }

  readonly filter: ProductFilter = $derived({
    text: this.text.trim(),
    sort: this.place.sort,
    ascending: this.place.ascending,
    offset: 0,
    limit: 0,
  });

  async openFirst(): Promise<void> {
    const first = await this.list.first(this.filter);
    // A person may have opened a product meanwhile.
    if (!first || this.editing) return;
    this.place.choose(0, first.referenceId);
    await this.edit(first.referenceId);
  }

  /** Whether the form has something that is neither known nor sent. */
  get changed(): boolean {
    const isSent = this.report !== null && JSON.stringify(this.draft) === this.#sent;
    return this.#begunWith !== null && !isSent && this.changes.some(isTyped);
  }

  /**
   * Opens the form with the last known values, or as it was left without sending it; asks before
   * another product that was changed is dropped. One that is being saved stays: its outcome is shown
   * in the form.
   */
  async edit(reference: string): Promise<void> {
    if (this.putting.busy) {
      this.editing = true;
      return;
    }
    const same = this.#begunWith === reference;
    if (this.changed && !same) {
      this.wanted = reference;
      return;
    }
    this.editing = true;
    if (same && (this.changed || (this.draft.referenceId === reference && !this.report))) {
      await this.#readAgain();
      return;
    }
    this.#begunWith = reference;
    this.report = null;
    this.problems.take(null);
    this.putting.reset();
    this.draft = { ...EMPTY, referenceId: reference };
    await this.recall(false);
  }

  /** Opens the form as it was left; what is known of the product is read again. */
  async resume(): Promise<void> {
    this.editing = this.#begunWith !== null;
    if (this.editing) await this.#readAgain();
  }

  /** Drops what is typed in the form. */
  discard(): void {
    this.#begunWith = null;
    this.draft = { ...EMPTY };
    this.close();
  }

  /** Opens the wanted product, or the changed one again. */
  async decide(drop: boolean): Promise<void> {
    const reference = drop ? this.wanted : this.#begunWith;
    this.wanted = null;
    if (drop && !this.putting.busy) this.#begunWith = null;
    if (reference !== null) await this.edit(reference);
  }

  /** Enters a scanned reference in the form of a new product that has none yet. */
  takeReference(code: string): void {
    if (!this.editing || this.draft.referenceId !== '') return;
    this.draft.referenceId = code;
    void this.recall(true);
  }

  /**
   * Reads the last known product of the reference in the form and fills the empty fields with it;
   * what was not edited was of the former product. A known reference stays as it is; a typed one is
   * normalised, and sent as it is displayed then.
   */
  recall(typed: boolean): Promise<void> {
    if (typed && this.draft.referenceId === this.#asked) return this.#recalled;
    return (this.#recalled = this.#recall(typed));
  }

  async #recall(typed: boolean): Promise<void> {
    this.renewed = [];
    const { referenceId } = this.draft;
    const reference = typed ? plainCode(referenceId) : referenceId;
    this.draft.referenceId = this.#asked = reference;
    for (const { field } of this.#following) this.draft[field] = '';
    if (reference === '') {
      this.reading.reset();
      this.known = null;
      return;
    }
    if (typed && this.#begunWith !== '') this.#begunWith = reference;
    this.known = undefined;
    const answer = await this.reading.run(() => commands.productLastKnown(reference));
    if (this.draft.referenceId !== reference) return;
    if (answer) this.#take(answer.value);
    else this.known = null;
  }

  /** Reads the last known product once more. A failure leaves the form as it was. */
  async #readAgain(): Promise<void> {
    const reference = (this.#asked = this.draft.referenceId);
    if (reference === '') return;
    const answer = await this.reading.run(() => commands.productLastKnown(reference));
    if (this.draft.referenceId !== reference) return;
    if (answer) this.#take(answer.value);
    else this.known ??= null;
  }

  /** What was not edited in the form: as it is known, or empty before anything is. */
  get #following(): Change[] {
    return this.changes.filter((change) =>
      this.known ? !isTyped(change) : this.draft[change.field] === '',
    );
  }

  /** Fills in what was not edited; returns the fields that have another value now. */
  #take(known: ProductRecord | null): Change['field'][] {
    const following = this.#following;
    this.known = known;
    this.reading.reset();
    const renewed: Change['field'][] = [];
    for (const { field, after } of following) {
      const value = known?.[field] ?? null;
      if (value === null || String(value).trim() === after) continue;
      this.draft[field] = field === 'price' ? groupDigits(value) : String(value);
      renewed.push(field);
    }
    return renewed;
  }

  /**
   * Saves the form to the service. What was not edited may have another value since the form was
   * read: then it is only shown, and a person saves again. So is a product that becomes known only
   * after the press.
   */
  async put(): Promise<boolean> {
    // A key pressed in the box of the reference comes before the box tells of its change.
    void this.recall(true);
    if (this.known === undefined) {
      const recalled = this.#recalled;
      await recalled;
      const { busy, failure } = this.reading;
      if (recalled !== this.#recalled || !this.editing || busy || failure || this.putting.busy)
        return false;
      if (this.known) {
        this.renewed = this.changes.map(({ field }) => field);
        return false;
      }
    }
    this.putting.reset();
    this.report = null;
    this.renewed = [];
    const judged = this.problems.judge(rules);
    if (judged === null) return false;
    const { productReferenceId, ...others } = judged;
    const sent: ProductDraft = { referenceId: productReferenceId, ...others };
    const form = JSON.stringify(this.draft);
    const reference = this.draft.referenceId;
    // A kept form of another product may be restored meanwhile.
    const shown = () => this.draft.referenceId === reference;
    const answer = await this.putting.run(() =>
      desk.underProfile(async (profile): Promise<Answer<UpsertReport | null>> => {
        const known = await commands.productLastKnown(sent.referenceId);
        if (known.status === 'error') return known;
        if (shown()) this.renewed = this.#take(known.data);
        if (this.renewed.length > 0) return { status: 'ok', data: null };
        return commands.productPut(profile, sent);
      }),
    );
    if (!answer) this.problems.take(this.putting.failure);
    if (!answer?.value) return false;
    if (shown()) this.report = answer.value;
    // An answer about another product says nothing of this one.
    this.#sent = answer.value.echoDiffers.includes('productReferenceId') ? '' : form;
    void this.kept.keep();
    const known = await commands.productLastKnown(sent.referenceId);
    if (known.status === 'ok' && shown()) this.known = known.data;
    this.list.again();
    return true;
  }

  /** A person closes the drawer. */
  leave(): void {
    if (!this.putting.busy) this.close();
  }

  close(): void {
    this.editing = false;
    this.reading.reset();
  }

  reset(): void {
    this.text = '';
    this.list.reset();
    this.place.reset();
    this.known = null;
    this.report = null;
    this.#begunWith = this.wanted = null;
    this.kept.reset();
    this.putting.reset();
    this.close();
  }
}

export const products = ofProfile(new ProductsPage());
