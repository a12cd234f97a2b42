// The sale at the counter: what was typed, what is known of the product, and what became of it.
// It outlives the page, so that nothing typed is lost by looking something up in between.
import { judge, plainCode } from '../../components/rules';
import { groupDigits, parseAmount } from '../../format/amounts';
import { offsetAt, typedOffset, wallClockExact } from '../../format/dates';
import { CachedQuery } from '../../ipc/cached-query.svelte';
import { Call } from '../../ipc/call.svelte';
import {
  commands,
  type Confirmed,
  type EarlierLead,
  type EntryDraft,
  type FieldProblem,
  type LeadDraft,
  type LeadView,
  type Plan,
  type PlanShelf,
  type Question,
  type SubmissionView,
  type Warning,
} from '../../ipc';
import { desk, MOVING } from '../../ipc/desk.svelte';
import { problemsOf, questionsOf, type Failure } from '../../ipc/failure';
import { leadRules, saleRules, type SaleDraft } from './sale-rules';

/** Plans that may be offered to a customer. */
const OFFERED = 'Live';

const LATEST = 6;

/** A code scanned at the counter. */
export interface Scan {
  code: string;
  /** The entry that was on its way when this was scanned. */
  during: string | null;
  /** It was chosen as a product, so it can be nothing else. */
  isProduct: boolean;
}

/** What a scanned code stands for. */
export type Meaning = 'product' | 'otherProduct' | 'transaction';

export class Counter {
  productReferenceId = $state('');
  productPurchasePrice = $state('');
  planId = $state('');
  planPurchasePrice = $state('');
  transactionId = $state('');
  transactionTotal = $state('');
  /** Empty: the moment of registering. */
  transactionDate = $state('');
  customerName = $state('');
  customerEmail = $state('');

  shelf = $state<PlanShelf | null>(null);
  problems = $state<FieldProblem[]>([]);
  warnings = $state<Warning[]>([]);
  questions = $state<Question[]>([]);
  receipt = $state<SubmissionView | null>(null);
  lead = $state<LeadView | null>(null);
  latest = $state<SubmissionView[]>([]);

  readonly plansQuery = new CachedQuery<PlanShelf>((shelf) => this.#show(shelf));
  readonly meeting = new Call();
  readonly registering = new Call();
  readonly declining = new Call();
  readonly checking = new Call();
  readonly following = new Call();
  readonly listing = new Call();

  /** The customer declined, and something the lead needs is missing still. */
  declined = $state(false);
  /** The sending that is under way; a profile that was left waits for none. */
  #sending = $state.raw<symbol | null>(null);
  /** What came of its product's plans while the sale was not to change. */
  #later: PlanShelf | null = null;
  /** Names this entry to the desk: the same name twice is one contract. */
  #entryId = $state<string>(crypto.randomUUID());
  #leadId: string = crypto.randomUUID();
  /** The reference whose plans are shown or being asked for. */
  #shelfOf = '';
  /** Call what the product is called and costs; answered once for each reference. */
  #met: Promise<void> | null = null;
  /** The plan of a draft, until a list of plans has it. */
  #restored = '';

  get offset(): string {
    return offsetAt(desk.profile, new Date());
  }

  get plan(): Plan | null {
    return this.shelf?.plans.find((plan) => plan.id === this.planId) ?? null;
  }

  /** The service's refusal to list plans of the reference in the box: it does not know it. */
  get unknownProduct(): Failure | null {
    const { failure } = this.plansQuery.refreshing;
    const asked = plainCode(this.productReferenceId) === this.#shelfOf;
    return failure?.code === 'refused' && asked ? failure : null;
  }

  get untouched(): boolean {
    return [
      this.productReferenceId,
      this.transactionId,
      this.transactionTotal,
      this.transactionDate,
      this.customerName,
      this.customerEmail,
    ].every((text) => text.trim() === '');
  }

  /** The sale is on its way: until there is an answer, it stays as it was sent. */
  get underWay(): boolean {
    return this.#sending !== null;
  }

  get entryId(): string {
    return this.#entryId;
  }

  /** What was typed, to be kept until it is registered. */
  get draft(): SaleDraft {
    const planId = this.planId || this.#restored;
    return { entryId: this.#entryId, leadId: this.#leadId, ...this.#typed(), planId };
  }

  /** Takes up what was typed before. */
  restore(draft: SaleDraft): void {
    this.clear();
    const { entryId, leadId, planId, ...typed } = draft;
    this.#entryId = entryId;
    this.#leadId = leadId;
    Object.assign(this, typed);
    // The plan is chosen again when its list is there: only then can it be seen.
    this.#restored = planId;
    this.#shelfOf = plainCode(draft.productReferenceId);
    void this.lookUp(draft.productReferenceId);
  }

  /**
   * What a scanned code is at this point of the sale: once a plan is chosen, the next code is the
   * transaction's, unless a product of that reference is known here. The same once the customer has
   * declined: no plan will be chosen. What was scanned while this sale was on its way was meant for
   * the next one.
   */
  async meaningOf(scanned: Scan): Promise<Meaning> {
    const code = plainCode(scanned.code);
    if (code === this.#shelfOf) return 'product';
    if (scanned.during === this.#entryId) return 'otherProduct';
    if (scanned.isProduct) return this.planId === '' ? 'product' : 'otherProduct';
    if (this.planId === '' && !this.declined) {
      // Kept with one before it, whose plan nobody could choose yet: it may be anything.
      return scanned.during !== null && this.#shelfOf !== '' ? 'otherProduct' : 'product';
    }
    if (this.transactionId.trim() !== '') return 'otherProduct';
    const [plans, product] = await Promise.all([
      commands.plansCached(code, OFFERED),
      commands.productLastKnown(code),
    ]);
    const offered = plans.status === 'ok' && plans.data.plans.length > 0;
    return offered || (product.status === 'ok' && product.data !== null)
      ? 'otherProduct'
      : 'transaction';
  }

  /** Takes a scanned transaction id. */
  takeTransaction(scanned: string): void {
    this.transactionId = plainCode(scanned);
    this.#mended('transactionId');
  }

  /** Shows a product's plans: at once what is remembered, then what the service says. */
  async lookUp(typed: string): Promise<void> {
    if (this.underWay) return;
    const reference = plainCode(typed);
    this.productReferenceId = reference;
    if (reference === '') return;
    if (reference !== this.#shelfOf) {
      this.#shelfOf = reference;
      this.#met = null;
      this.#restored = '';
      this.declined = false;
      this.meeting.reset();
      this.plansQuery.reset();
      this.shelf = null;
      this.planId = '';
      this.planPurchasePrice = '';
      this.productPurchasePrice = '';
      this.warnings = [];
      this.#mended('productPurchasePrice', 'planPurchasePrice');
    }
    this.#mended('productReferenceId', 'planId');
    await this.plansQuery.run(
      () => commands.plansCached(reference, OFFERED),
      () => commands.plansRefresh(reference, OFFERED),
    );
  }

  /** While the sale is on its way or asked about, what is sent is what stands in the boxes. */
  #show(shelf: PlanShelf): void {
    if (this.underWay || this.questions.length > 0) {
      this.#later = shelf;
      return;
    }
    this.#later = null;
    const before = this.plan;
    // A list that was on its way while the product became known does not make it unknown again.
    this.shelf = {
      ...shelf,
      productTitle: shelf.productTitle ?? this.shelf?.productTitle ?? null,
      productPrice: shelf.productPrice ?? this.shelf?.productPrice ?? null,
    };
    if (this.productPurchasePrice === '' && this.shelf.productPrice != null) {
      this.productPurchasePrice = groupDigits(this.shelf.productPrice);
    }
    // A fee that nobody changed by hand follows the plan.
    const fee = parseAmount(this.planPurchasePrice);
    const feeUntouched = fee.ok && fee.value === before?.price;
    if (this.plan?.price != null && feeUntouched) {
      this.planPurchasePrice = groupDigits(this.plan.price);
    }
    if (this.planId !== '' && !this.plan) this.planId = '';
    if (this.planId === '' && this.shelf.plans.some(({ id }) => id === this.#restored)) {
      this.planId = this.#restored;
    }
  }

  /** Takes a plan at once. Ends when all that can be known of its product is known. */
  async choose(plan: Plan): Promise<void> {
    if (this.underWay) return;
    this.#restored = '';
    this.declined = false;
    this.planId = plan.id;
    this.planPurchasePrice = plan.price != null ? groupDigits(plan.price) : '';
    this.#mended('planId', 'planPurchasePrice');
    if (this.shelf?.productPrice == null) await (this.#met ??= this.#meet(plan.id));
  }

  /** A list of plans names no product; a plan read by itself does. */
  async #meet(plan: string): Promise<void> {
    const reference = this.#shelfOf;
    const answer = await this.meeting.run(() => commands.planOpen(plan));
    if (reference !== this.#shelfOf) return;
    // Without an answer the next plan that is chosen asks again.
    if (!answer) this.#met = null;
    const product = answer?.value.product;
    if (!this.shelf || product?.referenceId !== reference) return;
    this.#show({
      ...this.shelf,
      productTitle: this.shelf.productTitle ?? product.title ?? null,
      productPrice: this.shelf.productPrice ?? product.price ?? null,
    });
    if (this.productPurchasePrice !== '') this.#mended('productPurchasePrice');
  }

  #mended(...fields: FieldProblem['field'][]): void {
    this.problems = this.problems.filter(({ field }) => !fields.includes(field));
  }

  #typed(): EntryDraft {
    return {
      transactionId: this.transactionId,
      transactionTotal: this.transactionTotal,
      transactionDate: this.transactionDate,
      customerName: this.customerName,
      customerEmail: this.customerEmail,
      productReferenceId: plainCode(this.productReferenceId),
      productPurchasePrice: this.productPurchasePrice,
      planId: this.planId,
      planPurchasePrice: this.planPurchasePrice,
    };
  }

  /** Asks the desk what is odd about a complete entry. Never blocks. */
  async look(): Promise<void> {
    const judged = judge(saleRules(typedOffset(desk.profile)), this.#typed());
    if (!judged.ok) {
      this.warnings = [];
      return;
    }
    const answer = await this.checking.run(() => commands.contractCheck(judged.value));
    if (answer) this.warnings = answer.value.warnings;
  }

  /** Registers the contract; stops at questions, which come back as `confirmed` once answered. */
  async register(confirmed: Confirmed[] = []): Promise<boolean> {
    // Enter twice, a key held down, two clicks: one of them registers.
    if (this.underWay) return false;
    this.questions = [];
    const judged = judge(saleRules(typedOffset(desk.profile)), this.#typed());
    this.problems = judged.ok ? [] : judged.problems;
    if (!judged.ok) return false;
    return this.#send(() => this.#registerNow(judged.value, confirmed));
  }

  /** The sale stays as it is until what became of it has been taken in. */
  async #send(send: () => Promise<boolean>): Promise<boolean> {
    const sending = (this.#sending = Symbol());
    try {
      return await send();
    } finally {
      if (this.#sending === sending) this.#sending = null;
      this.#showLater();
    }
  }

  #showLater(): void {
    const shelf = this.#later;
    if (shelf && plainCode(shelf.productReference) === this.#shelfOf) this.#show(shelf);
  }

  async #registerNow(draft: EntryDraft, confirmed: Confirmed[]): Promise<boolean> {
    const id = this.#entryId;
    const answer = await this.registering.run(() =>
      commands.contractRegister(id, draft, confirmed),
    );
    // The form was emptied meanwhile: what stands in it now is another sale.
    const same = this.#entryId === id;
    if (!answer) {
      if (!same) return false;
      if (this.registering.failure?.code === 'alreadyRegistered') await this.#showFirst(id);
      this.problems = problemsOf(this.registering.failure);
      this.questions = questionsOf(this.registering.failure);
      return false;
    }
    this.receipt = answer.value;
    this.lead = null;
    if (same) this.clear();
    // The contract may have moved on before the answer came, while there was no receipt to update.
    void this.follow();
    return true;
  }

  /** The earlier lead for this transaction and product that a person is asked about. */
  get earlierLead(): EarlierLead | null {
    return this.declining.failure?.earlierLead ?? null;
  }

  /** The first entry of this id is the one that was registered; what stands here is another sale. */
  async #showFirst(id: string): Promise<void> {
    const first = await commands.submission(id);
    if (first.status === 'ok') {
      this.receipt = first.data;
      this.lead = null;
    }
    this.#entryId = crypto.randomUUID();
  }

  /** The question is left open: the sale stays as typed, and nothing needs a person any more. */
  goBack(): void {
    this.questions = [];
    this.registering.reset();
    this.#showLater();
  }

  /** Whether all is there that the lead of a customer who declined needs. */
  get canDecline(): boolean {
    return this.declined && judge(leadRules(typedOffset(desk.profile)), this.#typed()).ok;
  }

  /** The customer declines: the same entry becomes a lead. */
  async decline(beside: string | null = null): Promise<boolean> {
    if (this.underWay) return false;
    const judged = judge(leadRules(typedOffset(desk.profile)), this.#typed());
    this.problems = judged.ok ? [] : judged.problems;
    this.declined = !judged.ok && this.#shelfOf !== '';
    if (!judged.ok) return false;
    return this.#send(() => this.#declineNow({ ...judged.value, quantity: '1' }, beside));
  }

  async #declineNow(draft: LeadDraft, beside: string | null): Promise<boolean> {
    const id = this.#leadId;
    const answer = await this.declining.run(() => commands.leadCreate(id, draft, beside));
    if (!answer) {
      if (this.#leadId === id) this.problems = problemsOf(this.declining.failure);
      return false;
    }
    this.lead = answer.value;
    this.receipt = null;
    if (this.#leadId === id) this.clear();
    return true;
  }

  /** An empty form for the next customer. What was registered stays in view. */
  clear(): void {
    this.#entryId = crypto.randomUUID();
    this.#leadId = crypto.randomUUID();
    this.#later = null;
    this.#shelfOf = '';
    this.#met = null;
    this.#restored = '';
    this.declined = false;
    this.productReferenceId = '';
    this.productPurchasePrice = '';
    this.planId = '';
    this.planPurchasePrice = '';
    this.transactionId = '';
    this.transactionTotal = '';
    this.transactionDate = '';
    this.customerName = '';
    this.customerEmail = '';
    this.shelf = null;
    this.problems = [];
    this.warnings = [];
    this.questions = [];
    for (const call of [this.plansQuery, this.meeting, this.checking]) call.reset();
    for (const call of [this.registering, this.declining]) call.reset();
  }

  /** Another profile is chosen: what was typed stays, what came from the other service goes. */
  reset(): void {
    if (this.underWay) {
      // The desk may have it under its names by now: what stands here is another entry.
      this.#entryId = crypto.randomUUID();
      this.#leadId = crypto.randomUUID();
    }
    this.#sending = null;
    this.#later = null;
    this.questions = [];
    this.#shelfOf = '';
    this.#met = null;
    this.declined = false;
    this.shelf = null;
    this.planId = '';
    this.planPurchasePrice = '';
    this.problems = [];
    this.warnings = [];
    this.receipt = null;
    this.lead = null;
    this.latest = [];
    for (const call of [this.plansQuery, this.meeting, this.checking]) call.reset();
    for (const call of [this.registering, this.declining]) call.reset();
  }

  /**
   * Another product of a sale: what both have in common goes into the boxes that are empty. The
   * date is the one the first contract was given, so that both say the same.
   */
  continueWith(sold: SubmissionView): void {
    if (this.underWay) return;
    const common = {
      transactionId: sold.transactionId,
      transactionTotal: groupDigits(sold.transactionTotal),
      transactionDate: wallClockExact(
        sold.transactionDate,
        offsetAt(desk.profile, new Date(sold.transactionDate)),
      ),
      customerName: sold.customerName ?? '',
      customerEmail: sold.customerEmail ?? '',
    };
    for (const [field, text] of Object.entries(common) as [keyof typeof common, string][]) {
      if (this[field].trim() === '') this[field] = text;
    }
    this.#mended(...(Object.keys(common) as (keyof typeof common)[]));
  }

  /** Reads again what became of the entries in view. */
  async follow(): Promise<void> {
    const receipt = this.receipt;
    if (receipt && MOVING.includes(receipt.state)) {
      const answer = await this.following.run(() => commands.submission(receipt.id));
      if (answer && this.receipt?.id === receipt.id) this.receipt = answer.value;
    }
    const lead = this.lead;
    if (lead && (lead.state === 'queued' || lead.state === 'inFlight')) {
      const answer = await commands.leads(LATEST);
      const now = answer.status === 'ok' ? answer.data.find(({ id }) => id === lead.id) : undefined;
      if (now && this.lead?.id === lead.id) this.lead = now;
    }
    const filter = { states: [], possibleDuplicates: false, text: '', limit: LATEST };
    const latest = await this.listing.run(() => commands.submissions(filter));
    if (latest) this.latest = latest.value;
  }
}

export const counter = new Counter();
