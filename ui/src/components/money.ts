// Amounts and terms with the currency and the unit of the profile; a dash where there is none.
import { formatAmount, formatTerm } from '../format/amounts';
import { desk } from '../ipc/desk.svelte';

export function money(amount: number | string | null | undefined): string {
  return amount == null ? '—' : formatAmount(amount, desk.currency);
}

export function termText(length: number | null | undefined): string {
  return length == null ? '—' : formatTerm(length, desk.termUnit);
}
