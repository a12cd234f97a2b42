// Guesses the field that a refusal is about. An error of the interface names no field, but its
// message may name one, or the value that was sent. This only decides where the cursor goes.
import type { FieldProblem, SubmissionView } from '../../ipc';

type Field = FieldProblem['field'];

/** The field that the service's message names, if any. */
export function refusedField(entry: SubmissionView): Field | null {
  const words = entry.refusal ?? '';
  const fields: [Field, ...(string | null)[]][] = [
    ['planId', 'planId', entry.planId],
    ['planPurchasePrice', 'plan.purchasePrice'],
    ['productPurchasePrice', 'product.purchasePrice'],
    ['productReferenceId', 'referenceId', entry.productReferenceId],
    ['transactionTotal', 'transactionTotal'],
    ['transactionDate', 'transactionDate'],
    ['transactionId', 'transactionId', entry.transactionId],
    ['customerEmail', 'customer.email', entry.customerEmail],
    ['customerName', 'customer.name', entry.customerName],
  ];
  return (
    fields.find(([, ...names]) => names.some((name) => name && words.includes(name)))?.[0] ?? null
  );
}
