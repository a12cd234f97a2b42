// Moves the focus on the register page: after each step of a sale, a scan, a question or a receipt.
// Reads the sale and does not change it.
import { tick } from 'svelte';
import { FormFocus } from '../../components/form-focus.svelte';
import type { FieldProblem } from '../../ipc';
import type { Counter } from './counter.svelte';

/** The parts of the sale that decide about the focus. */
type Sale = Readonly<
  Pick<
    Counter,
    | 'planId'
    | 'transactionId'
    | 'productPurchasePrice'
    | 'unknownProduct'
    | 'declined'
    | 'canDecline'
  >
>;

export class RegisterFocus extends FormFocus {
  /** The box of the product reference. */
  reference = $state<HTMLInputElement | null>(null);
  /** The list of plans; it takes the focus so that digit keys choose a plan. */
  planArea = $state<HTMLElement | null>(null);
  /** The box of the product's price. */
  price = $state<HTMLInputElement | null>(null);
  /** The box of the transaction id. */
  transaction = $state<HTMLInputElement | null>(null);

  /** A sale is being sent, or the focus has not yet moved to the next step after it. */
  moving = $state(false);
  readonly #sale: Sale;

  constructor(sale: Sale) {
    super();
    this.#sale = sale;
  }

  get inReference(): boolean {
    return document.activeElement === this.reference;
  }

  /** Moves to the first box of a sale and scrolls to the top of the page, where the receipt is. */
  start(): void {
    this.reference?.focus();
    this.form?.closest('main')?.scrollTo({ top: 0 });
  }

  /** Moves to the plans while the product is looked up, and back if it is unknown. */
  async afterProduct(lookedUp: Promise<void>): Promise<void> {
    // A closing question first returns the focus to the element that had it.
    await tick();
    this.planArea?.focus();
    await lookedUp;
    await tick();
    if (this.#sale.unknownProduct && document.activeElement === this.planArea) this.start();
  }

  /** Moves to the transaction, or to the product's price if the lookup did not find one. */
  async afterPlan(productKnown: Promise<void>): Promise<void> {
    await tick();
    if (this.#sale.transactionId === '') this.transaction?.focus();
    else this.next(this.transaction);
    await productKnown;
    // Typing may have continued elsewhere in the meantime.
    const resting = document.activeElement === this.transaction && this.#sale.transactionId === '';
    if (resting && this.#sale.productPurchasePrice === '') this.price?.focus();
  }

  /**
   * Moves to the next box; for a customer who declined, to the lead's button or its next required
   * box.
   */
  async afterTransactionScan(): Promise<void> {
    await tick();
    if (!this.#sale.declined) this.next(this.transaction);
    else if (this.#sale.canDecline) this.button('[data-testid="decline-lead"]')?.focus();
    else await this.firstProblem();
  }

  /** Moves to the next empty box, to the plans if none is chosen, or to the submit button. */
  override next(from: Element | null): void {
    const box = this.nextEmpty(from);
    (box ?? (this.#sale.planId === '' ? this.planArea : this.submit))?.focus();
  }

  /** Moves to the box of a field and selects its text; to the first box if the field has none. */
  async at(field: FieldProblem['field'] | null): Promise<void> {
    await tick();
    const box = field && this.form?.querySelector<HTMLInputElement>(`input[name="${field}"]`);
    if (field === 'planId') return this.planArea?.focus();
    const first = box || this.reference;
    first?.focus();
    first?.select();
  }

  /**
   * Called when the list of plans changed its size, which may have moved the focused box out of
   * sight.
   */
  stayInSight(): void {
    const focused = document.activeElement;
    if (focused !== this.planArea && this.form?.contains(focused)) inSight(focused);
  }

  async firstProblem(): Promise<void> {
    await tick();
    // A missing plan is a problem of the whole list, also while there is none.
    const problems = '[aria-invalid="true"], [data-problem]';
    const box = this.form?.querySelector<HTMLElement>(problems);
    (box instanceof HTMLInputElement ? box : box && this.planArea)?.focus();
    inSight(box ?? this.form?.querySelector('[role="alert"]'));
    // On a Mac a click does not focus a button.
    if (document.activeElement === document.body) this.submit?.focus();
  }

  /** Sets `moving` until the work that moves the focus is over. */
  async during(work: () => Promise<void>): Promise<void> {
    this.moving = true;
    try {
      await work();
    } finally {
      this.moving = false;
    }
  }

  override arrived(event: FocusEvent): void {
    super.arrived(event);
    if (event.target instanceof HTMLInputElement) inSight(event.target);
  }

  /** Enter in the product box submits the form, which looks up the product. */
  override keydown(event: KeyboardEvent): void {
    const looksUp = event.target === this.reference && event.key === 'Enter' && !event.repeat;
    if (!looksUp) super.keydown(event);
  }
}

/** Scrolls a box into view with the message below it, so that the bar of buttons covers neither. */
function inSight(box: Element | null | undefined): void {
  (box?.closest('.field') ?? box)?.scrollIntoView({ block: 'nearest' });
}
