// Which field a refusal is about. The interface has no place for it in an error: the service's words
// may name a field, or the value that was sent. This only decides where the cursor goes.
import type { FieldProblem, SubmissionView } from '../../ipc';

type Field = FieldProblem['field'];

/** The field that the service's words name, if they do. */
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
