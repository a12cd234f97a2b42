// Validation of a sale and of a lead, and the format of a draft.
import * as v from 'valibot';
import { amount, code, dateOrNow, email, present } from '../../components/rules';

export const saleRules = (offset: string) =>
  v.object({
    productReferenceId: present,
    productPurchasePrice: amount,
    planId: present,
    planPurchasePrice: amount,
    transactionId: code,
    transactionTotal: amount,
    transactionDate: dateOrNow(offset),
    customerName: present,
    customerEmail: email,
  });

export const leadRules = (offset: string) =>
  v.object({
    productReferenceId: present,
    productPurchasePrice: amount,
    transactionId: code,
    transactionDate: dateOrNow(offset),
  });

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
