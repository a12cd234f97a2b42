// Validation of a sale and of a lead, and the format of a draft.
import * as v from 'valibot';
import { amount, code, dateOrNow, email, present, written } from '../../components/rules';
import { parseAmount } from '../../format/amounts';
import { toDateTime } from '../../format/dates';
import type { EntryDraft, Warning } from '../../ipc';

export const saleRules = v.object({
  productReferenceId: written,
  productPurchasePrice: amount,
  planId: written,
  planPurchasePrice: amount,
  transactionId: code,
  transactionTotal: amount,
  transactionDate: dateOrNow,
  customerName: present,
  customerEmail: email,
});

export const leadRules = v.object({
  productReferenceId: written,
  productPurchasePrice: amount,
  transactionId: code,
  transactionDate: dateOrNow,
});

/**
 * What the desk will warn of in the boxes filled in so far, by the clock of this offset. Nothing is
 * said of an empty box.
 */
export function oddValues(form: EntryDraft, offset: string): Warning[] {
  const [price, fee, total] = [
    form.productPurchasePrice,
    form.planPurchasePrice,
    form.transactionTotal,
  ].map((typed) => {
    const parsed = parseAmount(typed);
    return parsed.ok ? parsed.value : NaN;
  }) as [number, number, number];
  const date = Date.parse(`${toDateTime(form.transactionDate)}${offset}`);
  const days = (date - Date.now()) / 86_400_000;
  const odd: Partial<Record<Warning, boolean>> = {
    feeHigh: fee > Math.trunc(price / 2),
    totalBelowPrice: total < price,
    dateAhead: days > 1,
    dateLongAgo: days < -365,
  };
  return (Object.keys(odd) as Warning[]).filter((warning) => odd[warning]);
}

const kept = v.object({
  entryId: v.pipe(v.string(), v.uuid()),
  leadId: v.pipe(v.string(), v.uuid()),
  /** The entry that this one corrects and replaces. */
  replaces: v.optional(v.nullable(v.string()), null),
  productReferenceId: v.string(),
  productPurchasePrice: v.string(),
  planId: v.string(),
  planPurchasePrice: v.string(),
  transactionId: v.string(),
  transactionTotal: v.string(),
  transactionDate: v.string(),
  customerName: v.string(),
  customerEmail: v.string(),
});

/** A sale as it was typed, with the idempotency keys to register it with. */
export type SaleDraft = v.InferOutput<typeof kept>;

/** Parses a draft; null if another version wrote it in another format. */
export function saleDraft(text: string): SaleDraft | null {
  try {
    const read = v.safeParse(kept, JSON.parse(text));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}
