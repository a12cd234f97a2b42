// Values of the service that have words of their own here. The interface names no values, so every
// other one is shown as it came.
import { t } from '../i18n/language.svelte';

const KNOWN = [
  'Active',
  'Repair',
  'RepairOrReplace',
  'ExtendedWarranty',
  'AccidentalDamage',
] as const;

/** The words for a value. */
export function valueWord(value: string): string {
  const known = KNOWN.find((one) => one === value);
  return known ? t(`rawValue.${known}`) : value;
}

/** The same with the value beside it. */
export function rawValue(value: string | null | undefined): string {
  if (!value) return '—';
  const word = valueWord(value);
  return word === value ? value : t('rawValue.beside', { word, value });
}
