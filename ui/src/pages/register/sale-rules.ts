// What a sale and a lead must have before the desk is asked, and the form a sale is kept in as a
// draft.
import * as v from 'valibot';
import { amount, code, dateOrNow, email, present } from '../../components/rules';

export const saleRules = (offset: string) =>
  v.object({
    productReferenceId: code,
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
    productReferenceId: code,
    productPurchasePrice: amount,
    transactionId: code,
    transactionDate: dateOrNow(offset),
  });

const kept = v.object({
  entryId: v.pipe(v.string(), v.uuid()),
  leadId: v.pipe(v.string(), v.uuid()),
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

/** A sale as it was typed, with the names under which it is registered at most once. */
export type SaleDraft = v.InferOutput<typeof kept>;

/** Reads a draft; nothing where another version wrote something else. */
export function saleDraft(text: string): SaleDraft | null {
  try {
    const read = v.safeParse(kept, JSON.parse(text));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}
