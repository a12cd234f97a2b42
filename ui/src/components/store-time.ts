// Converts date-times to the clock of the store, from any offset.
import { offsetAt, wallClockExact } from '../format/dates';
import { desk } from '../ipc/desk.svelte';

/** A date-time with an offset; other values may not name a moment. */
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;

/** `2026-11-21T01:00:00Z` as `2026-11-21 10:00:00 +09:00`; any other text unchanged. */
export function storeTime(value: string): string {
  if (!MOMENT.test(value)) return value;
  const moment = new Date(value);
  const offset = offsetAt(desk.profile, moment);
  const shown = wallClockExact(moment, offset);
  // Unchanged are a day that does not exist, and the end of 9999 where that is in the next year.
  return /^\d{4}-/.test(shown) ? `${shown} ${offset}` : value;
}
