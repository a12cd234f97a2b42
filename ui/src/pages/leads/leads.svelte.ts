// Leads: the form, the lead just created with its token, and the history.
import * as v from 'valibot';
import { amount, dateOrNow, judge, plainCode, present } from '../../components/rules';
import { groupDigits } from '../../format/amounts';
import { offsetAt, typedOffset } from '../../format/dates';
import { Call } from '../../ipc/call.svelte';
import {
  commands,
  type EarlierLead,
  type FieldProblem,
  type LeadDraft,
  type LeadView,
} from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { problemsOf } from '../../ipc/failure';

const LIMIT = 200;

const EMPTY: LeadDraft = {
  transactionId: '',
  productReferenceId: '',
  productPurchasePrice: '',
  quantity: '1',
  transactionDate: '',
};

class LeadsPage {
  draft = $state<LeadDraft>({ ...EMPTY });
  problems = $state<FieldProblem[]>([]);
  /** The lead just created. This is the only place that holds its token. */
  created = $state<LeadView | null>(null);
  history = $state<LeadView[] | null>(null);

  readonly creating = new Call();
  readonly listing = new Call();
  readonly acting = new Call();
  #id = crypto.randomUUID();
  /** How many changes there had been when the history was read. */
  #read = 0;

  get offset(): string {
    return offsetAt(desk.profile, new Date());
  }

  get untouched(): boolean {
    const { transactionId, productReferenceId, productPurchasePrice } = this.draft;
    return [transactionId, productReferenceId, productPurchasePrice].every((s) => s.trim() === '');
  }

  /** Fills in a product reference, and its price when it is known here. */
  async takeProduct(typed: string): Promise<void> {
    const reference = plainCode(typed);
    this.draft.productReferenceId = reference;
    if (reference === '') return;
    const known = await commands.productLastKnown(reference);
    const price = known.status === 'ok' ? known.data?.price : null;
    if (price != null && this.draft.productPurchasePrice === '') {
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
      productReferenceId: present,
      productPurchasePrice: amount,
      quantity: amount,
      transactionDate: dateOrNow(typedOffset(desk.profile)),
    });
    const judged = judge(rules, this.draft);
    this.problems = judged.ok ? [] : judged.problems;
    if (!judged.ok) return false;
    const id = this.#id;
    const answer = await this.creating.run(() => commands.leadCreate(id, judged.value, beside));
    void this.list();
    if (!answer) {
      this.problems = problemsOf(this.creating.failure);
      return false;
    }
    this.created = answer.value;
    this.#id = crypto.randomUUID();
    this.draft = { ...EMPTY };
    return true;
  }

  /** Lists the leads again when one of them changed. */
  async follow(): Promise<void> {
    const changed = desk.changedSince(this.#read);
    const listed = this.history?.some(({ id }) => changed?.includes(id));
    if (!this.history || !changed || listed) await this.list();
  }

  async list(): Promise<void> {
    const now = desk.changes;
    const answer = await this.listing.run(() => commands.leads(LIMIT));
    if (!answer) return;
    this.#read = now;
    this.history = answer.value;
    // A lead that had to wait is sent by the desk; its token is then in the history.
    const created = this.created;
    const listed = answer.value.find(({ id }) => id === created?.id);
    if (created && listed && listed.state !== created.state) this.created = listed;
  }

  /** Sends a lead again, after a person confirmed it. */
  async sendAgain(id: string): Promise<void> {
    const answer = await this.acting.run(() => commands.leadSendAgain(id));
    if (answer) this.created = answer.value;
    await this.list();
  }

  /** Accepts the stored answer of a lead, after a person confirmed it. */
  async takeToken(id: string): Promise<void> {
    const answer = await this.acting.run(() => commands.leadToken(id));
    if (answer) this.created = answer.value;
    await this.list();
  }

  async cancel(id: string): Promise<void> {
    await this.acting.run(() => commands.leadCancel(id));
    await this.list();
  }

  reset(): void {
    this.created = null;
    this.history = null;
  }
}

export const leads = new LeadsPage();
