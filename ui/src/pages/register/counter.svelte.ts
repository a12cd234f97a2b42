// The sale at the counter: what was typed, what is known of the product, and what became of it.
// It outlives the page, so that nothing typed is lost by looking something up in between.
import { judge, plainCode } from '../../components/rules';
import { groupDigits, parseAmount } from '../../format/amounts';
import { offsetAt, typedOffset, wallClockExact } from '../../format/dates';
import { Call } from '../../ipc/call.svelte';
import {
  commands,
  type Confirmed,
  type EarlierLead,
  type EntryDraft,
  type FieldProblem,
  type LeadDraft,
  type Plan,
  type PlanShelf,
  type Question,
  type SubmissionView,
  type Warning,
} from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { problemsOf, questionsOf, type Failure } from '../../ipc/failure';
import { ProductLookup } from './product-lookup.svelte';
import { Progress } from './progress.svelte';
import { leadRules, saleRules, type SaleDraft } from './sale-rules';

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

  problems = $state<FieldProblem[]>([]);
  warnings = $state<Warning[]>([]);
  questions = $state<Question[]>([]);

  readonly product = new ProductLookup({
    isLocked: () => this.underWay || this.questions.length > 0,
    changed: (before) => this.#fill(before),
  });
  readonly progress = new Progress();
  readonly registering = new Call();
  readonly declining = new Call();
  readonly checking = new Call();

  /** The customer declined, and something the lead needs is missing still. */
  declined = $state(false);
  /** The sending that is under way; a profile that was left waits for none. */
  #sending = $state.raw<symbol | null>(null);
  /** Names this entry to the desk: the same name twice is one contract. */
  #entryId = $state<string>(crypto.randomUUID());
  #leadId: string = crypto.randomUUID();
  /** The plan of a draft, until a list of plans has it. */
  #restored = '';

  get offset(): string {
    return offsetAt(desk.profile, new Date());
  }

  get shelf(): PlanShelf | null {
    return this.product.shelf;
  }

  get plan(): Plan | null {
    return this.#planIn(this.shelf);
  }

  /** The service's refusal to list plans of the reference in the box: it does not know it. */
  get unknownProduct(): Failure | null {
    const { failure } = this.product.plans.refreshing;
    const asked = plainCode(this.productReferenceId) === this.product.reference;
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
    this.product.reset(plainCode(draft.productReferenceId));
    void this.lookUp(draft.productReferenceId);
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
    if (reference !== this.product.reference) {
      this.product.reset(reference);
      this.#restored = '';
      this.declined = false;
      this.planId = '';
      this.planPurchasePrice = '';
      this.productPurchasePrice = '';
      this.warnings = [];
      this.#mended('productPurchasePrice', 'planPurchasePrice');
    }
    this.#mended('productReferenceId', 'planId');
    await this.product.read();
  }

  #planIn(shelf: PlanShelf | null): Plan | null {
    return shelf?.plans.find(({ id }) => id === this.planId) ?? null;
  }

  /** Takes prices, and the plan of a draft, from the plans that are shown now. */
  #fill(before: PlanShelf | null): void {
    const { shelf, plan } = this;
    if (this.productPurchasePrice === '' && shelf?.productPrice != null) {
      this.productPurchasePrice = groupDigits(shelf.productPrice);
      this.#mended('productPurchasePrice');
    }
    // A fee that nobody changed by hand follows the plan.
    const fee = parseAmount(this.planPurchasePrice);
    const feeUntouched = fee.ok && fee.value === this.#planIn(before)?.price;
    if (plan?.price != null && feeUntouched) this.planPurchasePrice = groupDigits(plan.price);
    if (this.planId !== '' && !plan) this.planId = '';
    if (this.planId === '' && shelf?.plans.some(({ id }) => id === this.#restored)) {
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
    await this.product.readDetails(plan.id);
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
      this.product.showLater();
    }
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
    this.progress.showReceipt(answer.value);
    if (same) this.clear();
    // The contract may have moved on before the answer came, while there was no receipt to update.
    void this.progress.follow();
    return true;
  }

  /** The earlier lead for this transaction and product that a person is asked about. */
  get earlierLead(): EarlierLead | null {
    return this.declining.failure?.earlierLead ?? null;
  }

  /** The first entry of this id is the one that was registered; what stands here is another sale. */
  async #showFirst(id: string): Promise<void> {
    const first = await commands.submission(id);
    if (first.status === 'ok') this.progress.showReceipt(first.data);
    this.#entryId = crypto.randomUUID();
  }

  /** The question is left open: the sale stays as typed, and nothing needs a person any more. */
  goBack(): void {
    this.questions = [];
    this.registering.reset();
    this.product.showLater();
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
    this.declined = !judged.ok && this.product.reference !== '';
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
    this.progress.showLead(answer.value);
    if (this.#leadId === id) this.clear();
    return true;
  }

  /** An empty form for the next customer. What was registered stays in view. */
  clear(): void {
    this.#entryId = crypto.randomUUID();
    this.#leadId = crypto.randomUUID();
    this.product.reset();
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
    this.problems = [];
    this.warnings = [];
    this.questions = [];
    for (const call of [this.checking, this.registering, this.declining]) call.reset();
  }

  /** Another profile is chosen: what was typed stays, what came from the other service goes. */
  reset(): void {
    if (this.underWay) {
      // The desk may have it under its names by now: what stands here is another entry.
      this.#entryId = crypto.randomUUID();
      this.#leadId = crypto.randomUUID();
    }
    this.#sending = null;
    this.questions = [];
    this.product.reset();
    this.declined = false;
    this.planId = '';
    this.planPurchasePrice = '';
    this.problems = [];
    this.warnings = [];
    this.progress.reset();
    for (const call of [this.checking, this.registering, this.declining]) call.reset();
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
}

export const counter = new Counter();
