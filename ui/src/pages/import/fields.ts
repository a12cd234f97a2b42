// The fields of each kind of row, in the order they are shown.
import type { Field, RunKind, Warning } from '../../ipc';

export const FIELDS: Record<RunKind, readonly Field[]> = {
  contracts: [
    'transactionId',
    'transactionTotal',
    'transactionDate',
    'customerName',
    'customerEmail',
    'productReferenceId',
    'productPurchasePrice',
    'planId',
    'planPurchasePrice',
  ],
  products: ['productReferenceId', 'title', 'price', 'imageUrl', 'category'],
  planLinks: ['planId', 'storeReferenceId'],
  productReferences: ['productReferenceId'],
};

/** What is compared beside the transaction, where the list has it. */
export const COMPARED = [
  'transactionTotal',
  'transactionDate',
  'productReferenceId',
  'productPurchasePrice',
  'planId',
  'planPurchasePrice',
] as const satisfies readonly Field[];

/** Which field of a row a warning is about. */
export const WARNED = {
  feeHigh: 'planPurchasePrice',
  totalBelowPrice: 'transactionTotal',
  dateAhead: 'transactionDate',
  dateLongAgo: 'transactionDate',
  priceUnusual: 'productPurchasePrice',
  listedPriceNotUnderstood: 'productPurchasePrice',
  notChecked: 'planId',
  planOfAnotherProduct: 'planId',
  storeReferenceUsed: 'storeReferenceId',
  storeReferenceReplaced: 'storeReferenceId',
} as const satisfies Record<Warning, Field>;

/** A sale without a date takes the current time; no other field may be missing. */
export function isRequired(field: Field): boolean {
  return field !== 'transactionDate';
}
