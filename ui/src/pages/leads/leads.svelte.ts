// Leads: the form, the lead just created with its token, and the list with its follow-ups.
import * as v from 'valibot';
import { Problems } from '../../components/problems.svelte';
import { amount, dateOrNow, present, written } from '../../components/rules';
import { folded, plainCode } from '../../format/plain';
import { groupDigits } from '../../format/amounts';
import { clock } from '../../components/clock.svelte';
import { dayAt, nextDay } from '../../format/days';
import { visible } from '../../format/visible';
import { Call } from '../../ipc/call.svelte';
import {
  commands,
  type Answer,
  type EarlierLead,
  type FieldProblem,
  type LeadDraft,
  type LeadMismatch,
  type LeadView,
} from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { problemsOf } from '../../ipc/failure';
import { KeptForm } from '../../ipc/kept-form.svelte';
import { ofProfile } from '../../ipc/profile-reset';
import type { LeadFilter } from '../../navigation/route.svelte';
import { ListPlace, SortedRows, type Column } from '../../list/place.svelte';
import { FormDate } from '../../sale/draft-date';
import { Staff } from '../../sale/staff.svelte';

/** Older leads are listed only while they are not finished or have a day for their follow-up. */
export const NEWEST = 10_000;

type LeadColumn = 'transactionId' | 'state' | 'product' | 'due' | 'note' | 'enteredAt';

/** What an answer named and the request did not. */
export function named({ transactionId, productReferenceId }: LeadMismatch): string {
  return [transactionId, productReferenceId]
    .flatMap((text) => text ?? [])
    .map(visible)
    .join(' / ');
}

const idOf = ({ id }: LeadView) => id;

function valueOf(lead: LeadView, column: LeadColumn): string | number | null {
  return column === 'product' ? (lead.productTitle ?? lead.productReferenceId) : lead[column];
}

const EMPTY: LeadDraft = {
  transactionId: '',
  productReferenceId: '',
  productPurchasePrice: '',
  quantity: '1',
  transactionDate: '',
};

/** What of an open lead its follow-up is compared with; its token is no part of a draft. */
type Opened = Pick<LeadView, 'id' | 'due' | 'note' | 'noteUnreadable' | 'noteLost'>;

class LeadsPage {
  draft = $state<LeadDraft>({ ...EMPTY });
  readonly problems = new Problems(() => this.draft);
  readonly kept = new KeptForm(
    'lead/form',
    () => (this.untouched ? null : JSON.stringify(this.draft)),
    (text, keptAt) => {
      const typed: LeadDraft = { ...EMPTY, ...JSON.parse(text) };
      this.draft = { ...typed, transactionDate: this.#date.restored(typed, keptAt) };
      this.#priced = this.draft.productReferenceId;
    },
  );
  created = $state<LeadView | null>(null);
  history = $state.raw<LeadView[] | null>(null);
  filter = $state<LeadFilter>('');
  /** What is searched in the list. */
  text = $state('');

  readonly columns: readonly Column<LeadColumn>[] = [
    { name: 'transactionId', title: 'field.transactionId', rem: 8.5, text: true, opens: 'code' },
    { name: 'state', title: 'word.state', rem: 10, text: true },
    { name: 'product', title: 'word.product', text: true },
    { name: 'due', title: 'leads.due', rem: 6.5, text: true },
    { name: 'note', title: 'field.note', rem: 7, text: true },
    { name: 'enteredAt', title: 'entries.entered', rem: 8 },
  ];
  readonly place = new ListPlace<LeadColumn>('enteredAt', false);
  readonly today = $derived(dayAt(desk.profile, new Date(clock())));
  readonly rows = new SortedRows(this.place, () => this.#filtered, idOf, valueOf);
  readonly #filtered = $derived.by(() => {
    const { filter } = this;
    const text = folded(this.text.trim());
    const wanted = filter === 'due' ? this.isDue : ({ state }: LeadView) => state === filter;
    const found = (lead: LeadView) =>
      [lead.transactionId, lead.productReferenceId, lead.productTitle, lead.note].some((field) =>
        folded(field ?? '').includes(text),
      );
    return this.history?.filter((lead) => (filter === '' || wanted(lead)) && found(lead)) ?? null;
  });
  /** Whether older leads may not be listed. */
  readonly isCutOff = $derived((this.history?.length ?? 0) >= NEWEST);
  /** The leads on screen in their order; `null` for all, also those that are not listed. */
  readonly exported = $derived(
    this.isCutOff && this.filter === '' && this.text.trim() === ''
      ? null
      : (this.rows.records?.map(({ id }) => id) ?? []),
  );

  /** The lead in the drawer as it was opened, and its follow-up as typed. */
  #opened = $state.raw<Opened | null>(null);
  readonly open = $derived(this.history?.find(({ id }) => id === this.#opened?.id) ?? null);
  due = $state('');
  note = $state('');
  dueWrong = $state(false);
  noteProblems = $state<FieldProblem[]>([]);
  /** The note was unreadable when the lead was opened: there is no field for it. */
  readonly noteHidden = $derived(
    this.#opened !== null && this.#opened.noteUnreadable && !this.#opened.noteLost,
  );
  /** The typed day; without a year it is the next such day. */
  readonly nextDue = $derived(nextDay(this.due, this.today));
  readonly dueChanged = $derived(this.due.trim() !== (this.#opened?.due ?? ''));
  readonly #noteChanged = $derived(this.note !== (this.#opened?.note ?? ''));
  readonly changed = $derived(this.#opened !== null && (this.dueChanged || this.#noteChanged));
  readonly keptFollowUp = new KeptForm(
    'follow-up/lead',
    () => {
      if (this.#opened === null || !this.changed) return null;
      const { id, due, note, noteUnreadable, noteLost } = this.#opened;
      const opened: Opened = { id, due, note, noteUnreadable, noteLost };
      return JSON.stringify({ opened, due: this.due, note: this.note });
    },
    (text) => {
      // Another lead was opened while this was read: this one follows.
      if (this.#opened !== null) return this.keptFollowUp.reset();
      const { opened, due, note } = JSON.parse(text);
      this.edit(opened);
      this.due = due;
      this.note = note;
    },
  );

  readonly staff = new Staff();
  readonly creating = new Call();
  readonly listing = new Call();
  readonly acting = new Call();
  /** The id of the lead that `acting` is about. */
  acted = $state<string | null>(null);
  readonly following = new Call();
  readonly #date = new FormDate();
  #id = crypto.randomUUID();
  /** The product of the price in the form; empty without a product. */
  #priced = '';
  /** How many changes there had been when the history was read. */
  #read = 0;

  get untouched(): boolean {
    const { transactionId, productReferenceId, productPurchasePrice } = this.draft;
    return [transactionId, productReferenceId, productPurchasePrice].every((s) => s.trim() === '');
  }

  /** Gives a lead that was typed on an earlier day the date that its draft would have. */
  followDay(): void {
    if (!this.creating.busy) this.draft.transactionDate = this.#date.of(this.draft);
  }

  /** Fills in a product reference, and its price when it is known here. */
  async takeProduct(typed: string): Promise<void> {
    const reference = plainCode(typed);
    this.draft.productReferenceId = reference;
    // The price was that of the former product.
    if (this.#priced !== '' && this.#priced !== reference) this.draft.productPurchasePrice = '';
    this.#priced = reference;
    if (reference === '') return;
    const known = await commands.productLastKnown(reference);
    const price = known.status === 'ok' ? known.data?.price : null;
    if (price != null && this.#priced === reference && this.draft.productPurchasePrice === '') {
      this.draft.productPurchasePrice = groupDigits(price);
    }
  }

  /** The earlier lead for this transaction and product that a person is asked about. */
  get earlier(): EarlierLead | null {
    return this.creating.failure?.earlierLead ?? null;
  }

  async create(beside: string | null = null): Promise<boolean> {
    const rules = v.object({
      transactionId: present,
      productReferenceId: written,
      productPurchasePrice: amount,
      quantity: amount,
      transactionDate: dateOrNow,
    });
    this.creating.reset();
    // A key pressed in the product box comes before the box tells of its change.
    const { productReferenceId } = this.draft;
    if (plainCode(productReferenceId) !== this.#priced) void this.takeProduct(productReferenceId);
    this.followDay();
    const draft = this.problems.judge(rules);
    if (!this.staff.judge() || draft === null) return false;
    const id = this.#id;
    const answer = await this.creating.run(() =>
      this.staff.enters(() =>
        desk.underProfile(async (profile) => {
          const dropDraft = this.kept.sending(profile);
          const made = await commands.leadCreate(profile, id, draft, beside);
          if (made.status === 'ok' && made.data.state !== 'rejected') void dropDraft();
          return made;
        }),
      ),
    );
    void this.list();
    if (!answer) {
      // The id has another lead already: the next attempt is one of its own.
      if (this.creating.failure?.code === 'alreadyRegistered') this.#id = crypto.randomUUID();
      this.problems.take(this.creating.failure);
      return false;
    }
    this.created = answer.value;
    this.#id = crypto.randomUUID();
    // A refused one stays in the form, to be corrected.
    if (answer.value.state !== 'rejected') this.clear();
    this.staff.next();
    // The page may be closed meanwhile.
    void this.kept.finish();
    return true;
  }

  clear(): void {
    this.draft = { ...EMPTY };
    for (const problems of [this.problems, this.staff.found]) problems.take(null);
    this.#priced = '';
  }

  /** A cancelled or refused lead is due for nobody. */
  readonly isDue = ({ due, state }: LeadView) =>
    due !== null && due <= this.today && state !== 'cancelled' && state !== 'rejected';

  /** Lists the leads of a filter; those to be contacted by now, the longest overdue first. */
  show(filter: LeadFilter): void {
    this.text = '';
    this.limit(filter);
  }

  /** Limits the list to a filter. Leads to be contacted come with an order of their own, and it leaves with them. */
  limit(filter: LeadFilter): void {
    const due = filter === 'due';
    if (due || (this.filter === 'due' && this.place.sort === 'due')) {
      this.place.sort = due ? 'due' : 'enteredAt';
      this.place.ascending = due;
    }
    this.filter = filter;
  }

  /**
   * Opens the lead that is searched: the one with just that transaction, or the only one found. Returns
   * whether a person has to choose among several.
   */
  openFound(): boolean {
    const found = this.rows.records ?? [];
    const text = folded(this.text.trim());
    const exact = found.filter(({ transactionId }) => folded(transactionId) === text);
    const [meant] = exact.length === 1 ? exact : found;
    if (!meant) return false;
    if (exact.length !== 1 && found.length > 1) return true;
    this.edit(meant);
    return false;
  }

  edit(lead: Opened): void {
    this.#opened = lead;
    this.due = lead.due ?? '';
    this.note = lead.note ?? '';
    this.dueWrong = false;
    this.noteProblems = [];
    this.following.reset();
  }

  close(): void {
    this.#opened = null;
  }

  /** A person closes the drawer. */
  leave(): void {
    if (this.following.busy) return;
    // Its failure was seen here; what is still to be decided stays.
    const seen = this.acted === this.#opened?.id && !this.acting.busy && !this.second;
    if (seen) this.acting.reset();
    this.close();
  }

  /** Keeps the typed follow-up of the open lead and closes it. */
  async keep(): Promise<void> {
    // An overdue day may stay.
    const due = this.dueChanged ? this.nextDue : (this.#opened?.due ?? null);
    this.dueWrong = due === null && this.due.trim() !== '';
    if (!this.dueWrong) await this.#follow(due);
  }

  /** The same without a day: the customer was contacted. */
  async done(): Promise<void> {
    await this.#follow(null);
  }

  /** An unchanged note is not sent, so that it needs no key and is kept no longer. */
  async #follow(due: string | null): Promise<void> {
    const lead = this.#opened;
    if (!lead) return;
    const note = this.#noteChanged ? this.note : null;
    const answer = await this.following.run(() => commands.leadFollowUp(lead.id, due, note));
    this.noteProblems = problemsOf(this.following.failure);
    if (!answer) return;
    this.leave();
    // The page may be closed meanwhile.
    void this.keptFollowUp.keep();
    await this.list();
  }

  /** Lists the leads again when one of them changed. */
  async follow(): Promise<void> {
    const changed = desk.changedSince(this.#read);
    const listed = this.history?.some(({ id }) => changed?.includes(id));
    if (!this.history || !changed || listed) await this.list();
  }

  async list(): Promise<void> {
    const now = desk.changes;
    const answer = await this.listing.run(() => commands.leads(NEWEST));
    if (!answer) return;
    this.#read = now;
    this.history = answer.value;
    // A lead that had to wait is sent by the desk. A token may not be written yet, and the lead is final.
    const listed = answer.value.find(({ id }) => id === this.created?.id);
    if (listed && !this.created?.token) this.created = listed;
  }

  /** The other lead that a person is asked about before a refused one is sent again. */
  get second(): EarlierLead | null {
    return this.acting.failure?.earlierLead ?? null;
  }

  /** Sends a lead again, after a person confirmed it. */
  async sendAgain(id: string, beside: string | null = null): Promise<void> {
    await this.#act(id, () => commands.leadSendAgain(id, beside));
  }

  async cancel(id: string): Promise<void> {
    await this.#act(id, () => commands.leadCancel(id));
  }

  async #act(id: string, call: () => Promise<Answer<LeadView>>): Promise<void> {
    this.acted = id;
    await this.acting.run(call);
    await this.list();
  }

  /**
   * For another profile, which has other leads; what is typed in the form stays, and a half-typed
   * follow-up waits under its own.
   */
  reset(): void {
    for (const call of [this.creating, this.listing, this.acting, this.following]) call.reset();
    this.#id = crypto.randomUUID();
    this.created = null;
    this.history = null;
    this.show('');
    this.place.reset();
    this.close();
    this.keptFollowUp.reset();
  }
}

export const leads = ofProfile(new LeadsPage());
