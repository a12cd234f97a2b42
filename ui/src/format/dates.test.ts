import { describe, expect, it } from 'vitest';
import {
  formatOffset,
  offsetMinutes,
  onClock,
  toDateTime,
  wallClock,
  wallClockExact,
} from './dates';

describe('date-times', () => {
  it('are put on the clock of the profile and back', () => {
    const moment = new Date('2026-11-20T16:30:45Z');
    expect(wallClock(moment, '+09:00')).toBe('2026-11-21 01:30');
    expect(toDateTime('2026-11-21 01:30')).toBe('2026-11-21T01:30:00');
    expect(toDateTime('２０２６/１１/２１ １:３０')).toBe('2026-11-21T01:30:00');
  });

  it('are on the clock of a time zone, or of the offset where the window does not know that zone', () => {
    const clock = { utcOffsetMinutes: 540, timeZone: 'Europe/Berlin' };
    expect(onClock(clock, '2026-11-20T16:30:45Z')).toBe('2026-11-20 17:30');
    const unknown = { ...clock, timeZone: 'Europe/Nowhere' };
    expect(onClock(unknown, '2026-11-20T16:30:45Z')).toBe('2026-11-21 01:30');
    expect(onClock(clock, '2026-13-20T16:30:45Z')).toBe('');
  });

  it('are carried over to the second', () => {
    expect(wallClockExact(new Date('2026-11-20T16:30:45.000Z'), '+09:00')).toBe(
      '2026-11-21 01:30:45',
    );
    expect(toDateTime('2026-11-21 01:30:45')).toBe('2026-11-21T01:30:45');
    expect(wallClockExact(new Date('yesterday'), '+09:00')).toBe('');
  });

  it('are refused when the day, the hour or the offset does not exist', () => {
    for (const typed of ['2026-02-30 10:00', '2026-11-21 25:00', '2026-11-21', 'now', '']) {
      expect(toDateTime(typed), typed).toBeNull();
    }
    expect(offsetMinutes('+09:00')).toBe(540);
    expect(offsetMinutes('-03:30')).toBe(-210);
    expect(offsetMinutes('+19:00')).toBeNull();
    expect(formatOffset(540)).toBe('+09:00');
    expect(formatOffset(-210)).toBe('-03:30');
  });
});
