// Amounts are whole numbers without a currency: formatted for display, never calculated with.
import { plainWidth } from './plain';

/** The largest whole number that a JSON number of the bridge carries exactly. */
const LARGEST = Number.MAX_SAFE_INTEGER;

/** Groups the digits of a whole number: `1234567` becomes `1,234,567`. */
export function groupDigits(amount: number | string): string {
  const text = String(amount);
  const sign = text.startsWith('-') ? '−' : '';
  const digits = text.replace(/^-/, '');
  return /^\d+$/.test(digits) ? sign + digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',') : text;
}

/**
 * An amount with the profile's currency label: a symbol goes before the amount, a word after it.
 */
export function formatAmount(amount: number | string, currency?: string | null): string {
  const grouped = groupDigits(amount);
  if (!currency) return grouped;
  const isSign = /^\p{Sc}$/u.test(currency);
  return isSign ? `${currency}${grouped}` : `${grouped} ${currency}`;
}

/**
 * A term length with the profile's unit; without one, the bare number, because the interface
 * defines no unit.
 */
export function formatTerm(length: number, unit?: string | null): string {
  return unit ? `${groupDigits(length)} ${unit}` : groupDigits(length);
}

type ParsedAmount =
  { ok: true; value: number } | { ok: false; reason: 'empty' | 'notWhole' | 'tooLarge' };

/**
 * Parses typed text as the desk does: full-width digits, grouping commas and a yen sign at an end are
 * accepted. Two numbers in one text are none.
 */
export function parseAmount(typed: string): ParsedAmount {
  const text = plainWidth(typed);
  if (text === '') return { ok: false, reason: 'empty' };
  const bare = text.replace(/^[¥￥\\]\s*/, '').replace(/\s*円$/, '');
  if (!/^(\d+|\d{1,3}(,\d{3})+)$/.test(bare)) return { ok: false, reason: 'notWhole' };
  const value = Number(bare.replaceAll(',', ''));
  return value > LARGEST ? { ok: false, reason: 'tooLarge' } : { ok: true, value };
}
