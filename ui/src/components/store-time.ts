// Converts date-times to the clock of the store, from any offset.
import { formatDateTime, offsetAt, wallClockExact } from '../format/dates';
import { desk } from '../ipc/desk.svelte';

/** A date-time with an offset; other values may not name a moment. */
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;

/** `2026-11-21T01:00:00Z` as `2026-11-21 10:00:00 +09:00`; any other text unchanged. */
export function storeTime(value: string): string {
  const moment = new Date(value);
  if (!desk.profile || !MOMENT.test(value) || Number.isNaN(moment.getTime()))
    return formatDateTime(value);
  const offset = offsetAt(desk.profile, moment);
  const shown = wallClockExact(moment, offset);
  // A contract without an end may end at the last moment of 9999, which is in the next year here.
  return /^\d{4}-/.test(shown) ? `${shown} ${offset}` : value;
}
