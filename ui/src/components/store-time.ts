// Date-times on the clock of the store, whatever offset they came with.
import { formatDateTimeExact, offsetAt, wallClockExact } from '../format/dates';
import { desk } from '../ipc/desk.svelte';

/** `2026-11-21T01:00:00Z` as `2026-11-21 10:00:00 +09:00`; anything else as it came. */
export function storeTime(value: string): string {
  const moment = new Date(value);
  if (!desk.profile || Number.isNaN(moment.getTime())) return formatDateTimeExact(value);
  const offset = offsetAt(desk.profile, moment);
  return `${wallClockExact(value, offset)} ${offset}`;
}
