// Date-times on the clock of the store: as text, and as they are typed.

/** Minutes east of UTC of an offset such as `+09:00`; null if it is not an offset. */
export function offsetMinutes(offset: string): number | null {
  const parts = /^([+-])(\d{2}):(\d{2})$/.exec(offset);
  if (!parts) return null;
  const hours = Number(parts[2]);
  const minutes = Number(parts[3]);
  if (hours > 14 || minutes > 59) return null;
  return (parts[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** Minutes east of UTC as an offset: `540` is `+09:00`. */
export function formatOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

export interface Clock {
  utcOffsetMinutes: number;
  timeZone: string | null;
}

export function offsetAt(clock: Clock | null, moment: Date): string {
  if (clock?.timeZone) {
    try {
      const parts = new Intl.DateTimeFormat('en-US', {
        timeZone: clock.timeZone,
        timeZoneName: 'longOffset',
      }).formatToParts(moment);
      const name = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '');
      return name || '+00:00';
    } catch {
      // An older web view does not know each zone, and no zone has a day that does not exist.
    }
  }
  return formatOffset(clock?.utcOffsetMinutes ?? 0);
}

/** The name of a store's clock: its time zone, else its offset. */
export function clockName(clock: Clock | null): string {
  return clock?.timeZone ?? formatOffset(clock?.utcOffsetMinutes ?? 0);
}

/** A moment on the clock of an offset, in the format of the form: `2026-11-21 10:00`. */
export function wallClock(moment: Date, offset: string): string {
  return wallClockExact(moment, offset).slice(0, 16);
}

/** A date-time on the clock of a store. */
export function onClock(clock: Clock | null, value: string): string {
  const moment = new Date(value);
  return wallClock(moment, offsetAt(clock, moment));
}

/** The same to the second; empty for a text that named no moment. */
export function wallClockExact(moment: Date, offset: string): string {
  if (Number.isNaN(moment.getTime())) return '';
  const shifted = new Date(moment.getTime() + (offsetMinutes(offset) ?? 0) * 60_000);
  return shifted.toISOString().slice(0, 19).replace('T', ' ');
}

/** A typed date as `2026-11-21T10:00:00`, without an offset; null if it is not a date-time. */
export function toDateTime(typed: string): string | null {
  const text = typed.normalize('NFKC').trim().replaceAll('/', '-').replace('T', ' ');
  const parts = /^(\d{4})-(\d{1,2})-(\d{1,2}) +(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  if (!parts) return null;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '0'] = parts;
  const two = (digits: string) => digits.padStart(2, '0');
  const date = `${year}-${two(month)}-${two(day)}`;
  const time = `${two(hour)}:${two(minute)}:${two(second)}`;
  const instant = new Date(`${date}T${time}Z`);
  const exists =
    !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(`${date}T${time}`);
  return exists ? `${date}T${time}` : null;
}
