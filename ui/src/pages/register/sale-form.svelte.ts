// The boxes of the sale at the counter as they are typed, and what they take over from another
// sale. Knows no product, no plans and no calls.
import { groupDigits } from '../../format/amounts';
import { offsetAt, wallClockExact } from '../../format/dates';
import { plainCode } from '../../format/plain';
import type { SubmissionView } from '../../ipc';
import { desk } from '../../ipc/desk.svelte';

export class SaleForm {
  productReferenceId = $state('');
  productPurchasePrice = $state('');
  planId = $state('');
  planPurchasePrice = $state('');
  transactionId = $state('');
  transactionTotal = $state('');
  /** Empty: the time of registering. */
  transactionDate = $state('');
  customerName = $state('');
  customerEmail = $state('');

  /** The transaction in the box when nothing of another one was carried over to it. */
  protected apart = $state('');

  get untouched(): boolean {
    return this.productReferenceId.trim() === '' && !this.begun;
  }

  /** Whether something is filled in that stays when the product changes. */
  get begun(): boolean {
    return [
      this.transactionId,
      this.transactionTotal,
      this.transactionDate,
      this.customerName,
      this.customerEmail,
    ].some((text) => text.trim() !== '');
  }

  /** Whether the last registration was not carried over, being of another transaction. */
  get notCarriedOver(): boolean {
    return this.apart !== '' && plainCode(this.transactionId) === this.apart;
  }

  /** Fills in a scanned transaction id. */
  takeTransaction(scanned: string): void {
    this.transactionId = plainCode(scanned);
  }

  /**
   * Adds another product to the same sale: fills empty boxes with the data that both have in
   * common. Both contracts get the same date. Another transaction is another sale: returns `false`
   * then, and fills nothing in.
   */
  continueWith(sold: SubmissionView): boolean {
    const typed = plainCode(this.transactionId);
    if (typed !== '' && typed !== plainCode(sold.transactionId)) {
      this.apart = typed;
      return false;
    }
    const common = commonOf(sold);
    for (const [field, text] of Object.entries(common) as [keyof typeof common, string][]) {
      if (this[field].trim() === '') this[field] = text;
    }
    return true;
  }
}

/** The data that all contracts of one sale have in common, in the format of the form. */
export function commonOf(sold: SubmissionView) {
  const moment = new Date(sold.transactionDate);
  return {
    transactionId: sold.transactionId,
    transactionTotal: groupDigits(sold.transactionTotal),
    transactionDate: wallClockExact(moment, offsetAt(desk.profile, moment)),
    customerName: sold.customerName ?? '',
    customerEmail: sold.customerEmail ?? '',
  };
}
