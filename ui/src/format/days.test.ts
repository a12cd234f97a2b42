import { describe, expect, it } from 'vitest';
import { dayAt, daysAfter, daysOf, nextDay, typedDay } from './days';

describe('the days of a list', () => {
  it('are those of the clock of the store', () => {
    const clock = { utcOffsetMinutes: 540, timeZone: null };
    expect(dayAt(clock, new Date('2026-11-21T14:59:00Z'))).toBe('2026-11-21');
    expect(dayAt(clock, new Date('2026-11-21T15:00:00Z'))).toBe('2026-11-22');
    const zone = { utcOffsetMinutes: 0, timeZone: 'America/New_York' };
    expect(dayAt(zone, new Date('2026-11-21T04:00:00Z'))).toBe('2026-11-20');
  });

  it('are counted over the ends of months', () => {
    expect(daysAfter('2026-03-01', -1)).toBe('2026-02-28');
    expect(daysAfter('2026-12-31', 1)).toBe('2027-01-01');
    expect(daysOf('yesterday', '2026-01-01')).toEqual({ from: '2025-12-31', to: '2025-12-31' });
    expect(daysOf('week', '2026-11-22')).toEqual({ from: '2026-11-16', to: '2026-11-22' });
    expect(daysOf('all', '2026-11-22')).toEqual({ from: null, to: null });
  });

  it('can be typed in the ways people write them', () => {
    for (const [typed, day] of [
      ['2026-11-02', '2026-11-02'],
      ['２０２６／１１／２', '2026-11-02'],
      ['11/2', '2026-11-02'],
      ['12.31', '2025-12-31'],
      ['2/30', null],
      ['soon', null],
      ['', null],
    ] as const) {
      expect(typedDay(typed, '2026-11-22')).toBe(day);
    }
  });

  it('without a year are the next ones where something is planned, leap years or not', () => {
    for (const [typed, today, day] of [
      ['11/22', '2026-11-22', '2026-11-22'],
      ['11/21', '2026-11-22', '2027-11-21'],
      ['2025-11-21', '2026-11-22', '2025-11-21'],
      ['2/29', '2027-03-01', '2028-02-29'],
      ['2/28', '2028-02-29', '2029-02-28'],
      ['2/29', '2026-11-22', null],
      ['soon', '2026-11-22', null],
    ] as const) {
      expect(nextDay(typed, today)).toBe(day);
    }
  });
});
