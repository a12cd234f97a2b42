// The days of a list, by the clock of the store: `2026-11-21`.
import { offsetAt, wallClock, type Clock } from './dates';

export const RANGES = ['all', 'today', 'yesterday', 'week', 'days'] as const;
export type Range = (typeof RANGES)[number];

export function dayAt(clock: Clock | null, moment: Date): string {
  return wallClock(moment, offsetAt(clock, moment)).slice(0, 10);
}

/** The day that is this number of days after another one. */
export function daysAfter(day: string, days: number): string {
  const moment = new Date(`${day}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}

/** First and last day of a range. */
export function daysOf(
  range: Exclude<Range, 'days'>,
  today: string,
): { from: string | null; to: string | null } {
  switch (range) {
    case 'all':
      return { from: null, to: null };
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: daysAfter(today, -1), to: daysAfter(today, -1) };
    case 'week':
      return { from: daysAfter(today, -6), to: today };
  }
}

/**
 * Parses a typed day, in any width and with `/`, `-` or `.`. Without a year it is the latest such
 * day that is not in the future. Null if there is no such day, and for an empty text.
 */
export function typedDay(typed: string, today: string): string | null {
  const year = Number(today.slice(0, 4));
  const latest = dayIn(typed, year);
  return latest !== null && latest > today && !hasYear(typed) ? dayIn(typed, year - 1) : latest;
}

/** The same for what is to come: without a year it is the next such day, today's included. */
export function nextDay(typed: string, today: string): string | null {
  const year = Number(today.slice(0, 4));
  const next = dayIn(typed, year);
  return hasYear(typed) || (next !== null && next >= today) ? next : dayIn(typed, year + 1);
}

const hasYear = (typed: string) => /^\d{4}/.test(typed.normalize('NFKC').trim());

/** A typed day, in this year unless it names one. */
function dayIn(typed: string, year: number): string | null {
  const parts = /^(?:(\d{4})[-/.])?(\d{1,2})[-/.](\d{1,2})$/.exec(typed.normalize('NFKC').trim());
  if (!parts) return null;
  const [, own = String(year), month = '', day = ''] = parts;
  const found = `${own}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const moment = new Date(`${found}T00:00:00Z`);
  const exists = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(found);
  return exists ? found : null;
}
