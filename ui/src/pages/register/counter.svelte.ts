// The sale at the counter as it is typed and submitted. It is kept when the page closes, so that
// opening another page loses nothing.
import type * as v from 'valibot';
import { Problems } from '../../components/problems.svelte';
import { judge } from '../../components/rules';
import { plainCode } from '../../format/plain';
import { groupDigits, parseAmount } from '../../format/amounts';
import { offsetAt } from '../../format/dates';
import { Call } from '../../ipc/call.svelte';
import {
  commands,
  type Answer,
  type Confirmed,
  type EarlierLead,
  type EntryDraft,
  type LeadDraft,
  type Plan,
  type PlanList,
  type Question,
  type SubmissionView,
  type Warning,
} from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { questionsOf, type Failure } from '../../ipc/failure';
import { ofProfile } from '../../ipc/profile-reset';
import { ProductLookup } from './product-lookup.svelte';
import { Progress } from './progress.svelte';
import { commonOf, SaleForm } from './sale-form.svelte';
import { leadRules, oddValues, saleRules, type SaleDraft } from './sale-rules';
import { FormDate } from '../../sale/draft-date';
import { Staff } from '../../sale/staff.svelte';

export class Counter extends SaleForm {
  readonly problems = new Problems(() => ({ ...this.#typed(), staffCode: this.staff.code }));
  warnings = $state<Warning[]>([]);
  questions = $state<Question[]>([]);
  /** The answers given so far in this attempt: a sale can be asked about more than once. */
  #said: Confirmed[] = [];

  readonly product = new ProductLookup({
    isLocked: () => this.underWay || this.questions.length > 0,
    changed: (before) => this.#fill(before),
  });
  readonly progress = new Progress();
  readonly staff = new Staff();
  readonly registering = new Call();
  readonly declining = new Call();
  readonly checking = new Call();

  /** The customer declined, and the lead still lacks a required field. */
  declined = $state(false);
  /** The current submission. After a change of profile, none is awaited. */
  #sending = $state.raw<symbol | null>(null);
  /** The idempotency key of this entry: two submissions with it make one contract. */
  #entryId = $state<string>(crypto.randomUUID());
  #leadId: string = crypto.randomUUID();
  /** The plan of a restored draft, until a list of plans contains it. */
  #restored = '';
  /** The entry that this sale corrects, as it is now; registering replaces it. */
  correcting = $state.raw<SubmissionView | null>(null);
  /** How many changes there had been when that entry was read; -1: it may have changed since. */
  #readCorrecting = -1;
  readonly #following = new Call();
  readonly #date = new FormDate();

  get planList(): PlanList | null {
    return this.product.planList;
  }

  get plan(): Plan | null {
    return this.#planIn(this.planList);
  }

  /** The reference in the box: one that was looked up as it is written, a typed one made plain. */
  get reference(): string {
    const text = this.productReferenceId;
    return text === this.product.reference ? text : plainCode(text);
  }

  /** The refusal to list plans of the reference in the box: it does not know it, or the store. */
  get unknownProduct(): Failure | null {
    const { failure } = this.product.plans.refreshing;
    const asked = this.reference === this.product.reference;
    return failure?.code === 'refused' && asked ? failure : null;
  }

  /** Whether the sale is being sent: it cannot change until there is an answer. */
  get underWay(): boolean {
    return this.#sending !== null;
  }

  get entryId(): string {
    return this.#entryId;
  }

  get draft(): SaleDraft {
    const ids = { entryId: this.#entryId, leadId: this.#leadId };
    const replaces = this.correcting?.id ?? null;
    const planId = this.planId || this.#restored;
    const former = { planId: '', productPurchasePrice: '', planPurchasePrice: '' };
    return { ...ids, replaces, ...this.#typed(), planId, ...(this.#typedOver ? former : null) };
  }

  /** Restores a draft that was kept then; `correcting` is the entry that it replaces. */
  restore(draft: SaleDraft, keptAt: string, correcting: SubmissionView | null = null): void {
    const { entryId, leadId, replaces: _, ...typed } = draft;
    typed.transactionDate = this.#date.restored(draft, keptAt);
    // A draft has no staff code: one that was typed meanwhile stays.
    const { code } = this.staff;
    this.#take(typed);
    this.staff.code = code;
    this.correcting = correcting;
    this.#readCorrecting = -1;
    this.#entryId = entryId;
    this.#leadId = leadId;
  }

  /** Fills in the form with an entry that was not sold, to correct and resubmit it. */
  correct(entry: SubmissionView): void {
    if (this.underWay) return;
    this.#take({
      ...commonOf(entry),
      productReferenceId: entry.productReferenceId,
      productPurchasePrice: groupDigits(entry.productPurchasePrice),
      planId: entry.planId,
      planPurchasePrice: groupDigits(entry.planPurchasePrice),
    });
    this.correcting = entry;
    this.#readCorrecting = -1;
  }

  /** Updates the entry that is corrected: one that waits may be sent meanwhile. */
  async followCorrecting(): Promise<void> {
    const id = this.correcting?.id;
    const { changes } = desk;
    const changed = desk.changedSince(this.#readCorrecting);
    if (!id || this.underWay || !(changed?.includes(id) ?? true)) return;
    const answer = await this.#following.run(() => commands.submission(id));
    if (!answer || this.underWay || this.correcting?.id !== id) return;
    this.correcting = answer.value;
    this.#readCorrecting = changes;
  }

  /**
   * The plan of the entry that is corrected, as long as no list contains it and no other is chosen.
   */
  get keptPlan(): string {
    const entry = this.correcting;
    const same = entry?.productReferenceId === this.product.reference;
    return entry && same && this.planId === '' ? entry.planId : '';
  }

  #take({ planId, ...typed }: EntryDraft): void {
    this.clear();
    Object.assign(this, typed);
    // The plan is selected again once its list is read.
    this.#restored = planId;
    this.product.reset(typed.productReferenceId);
    void this.lookUp(typed.productReferenceId);
  }

  /** Shows the plans of a product. */
  async lookUp(reference: string): Promise<void> {
    if (this.underWay) return;
    this.productReferenceId = reference;
    if (reference === '') return;
    if (reference !== this.product.reference) {
      this.#changeProduct(reference);
    }
    this.problems.drop('productReferenceId', 'planId');
    await this.product.read();
  }

  /** Drops the plans and prices if the box now has another product; looks nothing up. */
  dropOtherProduct(): void {
    const other = this.reference !== this.product.reference;
    if (other && !this.underWay) this.#changeProduct('');
  }

  /** Whether the box has another product than the one whose plan and prices are in the form. */
  get #typedOver(): boolean {
    const { reference } = this.product;
    return reference !== '' && this.reference !== reference;
  }

  #changeProduct(reference: string): void {
    this.product.reset(reference);
    this.#restored = '';
    this.declined = false;
    this.planId = '';
    this.planPurchasePrice = '';
    this.productPurchasePrice = '';
    this.warnings = [];
    this.checking.reset();
    this.problems.drop('productPurchasePrice', 'planPurchasePrice');
  }

  #planIn(planList: PlanList | null): Plan | null {
    return planList?.plans.find(({ id }) => id === this.planId) ?? null;
  }

  /** Fills in prices, and the plan of a draft, from the current plans. */
  #fill(before: PlanList | null): void {
    const { planList, plan } = this;
    // A price that was not edited changes with the product's. The fee was told to the customer when
    // the plan was chosen: only a fee that was not known then is filled in.
    const priceUntouched =
      this.productPurchasePrice === '' ||
      (!this.correcting && is(this.productPurchasePrice, before?.productPrice));
    if (planList?.productPrice != null && priceUntouched) {
      this.productPurchasePrice = groupDigits(planList.productPrice);
    }
    const feeUnknown = this.planPurchasePrice === '' && this.#planIn(before)?.price == null;
    if (plan?.price != null && feeUnknown) this.planPurchasePrice = groupDigits(plan.price);
    if (this.planId !== '' && !plan) this.planId = '';
    if (this.planId === '' && planList?.plans.some(({ id }) => id === this.#restored)) {
      this.planId = this.#restored;
    }
  }

  /** Selects a plan. Resolves when its product's details are read. */
  async choose(plan: Plan): Promise<void> {
    if (this.underWay) return;
    this.#restored = '';
    this.declined = false;
    this.planId = plan.id;
    this.planPurchasePrice = plan.price != null ? groupDigits(plan.price) : '';
    await this.product.readDetails(plan.id);
  }

  #typed(): EntryDraft {
    return {
      transactionId: this.transactionId,
      transactionTotal: this.transactionTotal,
      transactionDate: this.transactionDate,
      customerName: this.customerName,
      customerEmail: this.customerEmail,
      productReferenceId: this.reference,
      productPurchasePrice: this.productPurchasePrice,
      planId: this.planId || this.keptPlan,
      planPurchasePrice: this.planPurchasePrice,
    };
  }

  /** Gives a sale that was typed on an earlier day the date that its draft would have. */
  followDay(): void {
    if (!this.underWay) this.transactionDate = this.#date.of(this.#typed());
  }

  /** Warns of what is odd in the boxes, and lets the desk check a complete entry. Never blocks. */
  async look(): Promise<void> {
    const judged = judge(saleRules, this.#typed());
    const odd = oddValues(this.#typed(), offsetAt(desk.profile, new Date()));
    this.warnings = judged.ok ? [...new Set([...this.warnings, ...odd])] : odd;
    this.checking.reset();
    if (!judged.ok) return;
    const answer = await this.checking.run(() => commands.contractCheck(judged.value));
    if (answer) this.warnings = answer.value.warnings;
  }

  /** Registers the contract; stops at questions, which the next call passes as `confirmed`. */
  async register(confirmed: Confirmed[] = []): Promise<boolean> {
    // A second Enter, a repeating key or a double click does not register again.
    if (this.underWay) return false;
    this.questions = [];
    const said = (this.#said = confirmed.length > 0 ? [...this.#said, ...confirmed] : []);
    const sale = this.#judge(saleRules);
    return sale !== null && this.#send(() => this.#registerNow(sale, said));
  }

  /** Judges the form and forgets how the last attempt failed; `null` when something is wrong. */
  #judge<S extends v.GenericSchema>(rules: S): v.InferOutput<S> | null {
    // A key pressed in the product box comes before the box tells of its change.
    if (this.#typedOver) this.dropOtherProduct();
    this.followDay();
    for (const call of [this.registering, this.declining]) call.reset();
    return this.problems.judge(rules, this.staff.problems());
  }

  /** Locks the sale until the answer is handled. */
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
    const made = await this.#make(this.registering, (profile) =>
      this.#enter(profile, id, draft, confirmed),
    );
    // After a change of profile the form has another sale, unless this one was restored there.
    if (this.#entryId !== id) return made !== null;
    if (!made) {
      if (this.registering.failure?.code === 'alreadyRegistered') await this.#showFirst(id);
      this.problems.take(this.registering.failure);
      this.questions = questionsOf(this.registering.failure);
      return false;
    }
    this.progress.show(made);
    this.clear();
    // The state may have changed before the answer came, when there was no receipt to update.
    void this.progress.follow();
    return true;
  }

  /** Returns what was made, also after a change of profile, when `call` ignores the answer. */
  async #make<T>(call: Call, enter: (profile: string) => Promise<Answer<T>>): Promise<T | null> {
    const entering = desk.underProfile((profile) => this.staff.enters(() => enter(profile)));
    await call.run(() => entering);
    const entered = await entering.catch(() => null);
    return entered?.status === 'ok' ? entered.data : null;
  }

  async #enter(
    profile: string,
    id: string,
    draft: EntryDraft,
    confirmed: Confirmed[],
  ): Promise<Answer<SubmissionView>> {
    if (!this.correcting) return commands.contractRegister(profile, id, draft, confirmed);
    const edit = { kind: 'edit', draft, confirmed } as const;
    const answer = await commands.outboxResolve(this.correcting.id, edit);
    return answer.status === 'ok' ? { ...answer, data: answer.data.submission } : answer;
  }

  /** The earlier lead for this transaction and product that a person is asked about. */
  get earlierLead(): EarlierLead | null {
    return this.declining.failure?.earlierLead ?? null;
  }

  /** Shows the entry first registered with this id, and gives the sale in the form a new id. */
  async #showFirst(id: string): Promise<void> {
    const first = await commands.submission(id);
    if (first.status === 'ok') this.progress.show(first.data);
    this.#entryId = crypto.randomUUID();
  }

  /** How the last attempt failed, unless a field, a question or the earlier lead says it. */
  get failure(): Failure | null {
    if (this.earlierLead || this.questions.length > 0) return null;
    return this.problems.unexplained(this.registering.failure ?? this.declining.failure);
  }

  /** Closes the question; the sale keeps its input and can be edited. */
  goBack(): void {
    this.questions = [];
    this.registering.reset();
    this.product.showLater();
  }

  /** Whether the lead of a customer who declined has all its required fields. */
  get canDecline(): boolean {
    return this.declined && judge(leadRules, this.#typed()).ok;
  }

  /** Submits a lead instead of a contract, because the customer declined. */
  async decline(beside: string | null = null): Promise<boolean> {
    if (this.underWay || this.correcting) return false;
    const lead = this.#judge(leadRules);
    this.declined = lead === null && this.product.reference !== '';
    return lead !== null && this.#send(() => this.#declineNow({ ...lead, quantity: '1' }, beside));
  }

  async #declineNow(draft: LeadDraft, beside: string | null): Promise<boolean> {
    const id = this.#leadId;
    const made = await this.#make(this.declining, (profile) =>
      commands.leadCreate(profile, id, draft, beside),
    );
    const isDone = made !== null && made.state !== 'rejected';
    if (this.#leadId !== id) return isDone;
    if (!made) {
      // The id has another lead already: the next attempt is one of its own.
      if (this.declining.failure?.code === 'alreadyRegistered') this.#leadId = crypto.randomUUID();
      this.problems.take(this.declining.failure);
      return false;
    }
    this.progress.show(null, made);
    // A refused one stays in the form, to be corrected to a lead of its own.
    if (isDone) this.clear();
    else this.#leadId = crypto.randomUUID();
    return isDone;
  }

  /** Clears the form for the next customer. The receipt stays visible. */
  clear(): void {
    this.#renew();
    this.staff.next();
    this.#empty();
    this.#forget();
  }

  /** After a change of profile: keeps the input, drops the data of the former service. */
  reset(): void {
    // An id belongs to one profile: each of them may register what was typed.
    this.#renew();
    // A correction replaces an entry of the former profile: as another sale it would be sold twice.
    // Its draft stays with that profile.
    if (this.correcting) this.#empty();
    this.#sending = null;
    this.staff.code = '';
    this.planId = this.#restored = '';
    this.planPurchasePrice = '';
    // A price that was not edited is the former service's.
    if (is(this.productPurchasePrice, this.planList?.productPrice)) this.productPurchasePrice = '';
    this.progress.reset();
    this.product.storeIsKnown = false;
    // A price that was typed is still of this product.
    this.product.reset(this.product.reference);
    // It says why the form is empty.
    this.#forget('profileMoved');
  }

  /** Empties every box. */
  #empty(): void {
    this.product.reset();
    this.#restored = '';
    this.correcting = null;
    for (const field of Object.keys(this.#typed()) as (keyof EntryDraft)[]) this[field] = '';
  }

  /** Gives the form new ids. */
  #renew(): void {
    this.#entryId = crypto.randomUUID();
    this.#leadId = crypto.randomUUID();
  }

  /** Drops the results of calls, but for one failure. */
  #forget(kept: Failure['code'] | null = null): void {
    this.declined = false;
    this.apart = '';
    this.problems.take(null);
    this.warnings = [];
    this.questions = [];
    for (const call of [this.checking, this.registering, this.declining]) {
      if (call.failure?.code !== kept) call.reset();
    }
  }

  override continueWith(sold: SubmissionView): boolean {
    return !this.underWay && super.continueWith(sold);
  }
}

/** Whether a typed amount is this one. */
function is(typed: string, amount: number | null | undefined): boolean {
  const parsed = parseAmount(typed);
  return parsed.ok && parsed.value === amount;
}

export const counter = ofProfile(new Counter());
