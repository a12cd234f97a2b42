// The columns of a list of entered contracts.
import type { EntrySort } from '../ipc';
import type { Column } from './place.svelte';

export const ENTRY_COLUMNS: readonly Column<EntrySort>[] = [
  { name: 'transactionDate', title: 'field.transactionDate', rem: 8 },
  { name: 'customer', title: 'field.customerName', rem: 7.5, text: true },
  { name: 'product', title: 'entries.productAndPlan', text: true },
  { name: 'planPurchasePrice', title: 'field.planPurchasePrice', rem: 6.5, end: true },
  { name: 'state', title: 'word.state', rem: 10, text: true },
  { name: 'transactionId', title: 'field.transactionId', rem: 8.5, text: true, opens: 'code' },
];

/** When an entry was made. */
export const ENTERED: Column<EntrySort> = { name: 'enteredAt', title: 'entries.entered', rem: 8 };
