// Texts for values of the service that are known here. The interface names no values, so every
// other value is shown unchanged.
import { t } from '../i18n/language.svelte';

const KNOWN = [
  'Active',
  'Repair',
  'RepairOrReplace',
  'ExtendedWarranty',
  'AccidentalDamage',
] as const;

export function valueWord(value: string): string {
  const known = KNOWN.find((one) => one === value);
  return known ? t(`rawValue.${known}`) : value;
}

/** The text for a value, followed by the value. */
export function rawValue(value: string | null | undefined): string {
  if (!value) return '—';
  const word = valueWord(value);
  return word === value ? value : t('rawValue.beside', { word, value });
}
