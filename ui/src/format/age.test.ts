import { describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n/language.svelte';
import { formatAge } from './age';

const clock = { utcOffsetMinutes: 540, timeZone: null };
const now = Date.parse('2026-11-21T10:00:00Z');
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();

describe('an age', () => {
  it('is told in the unit a person would use', () => {
    expect(formatAge(ago(180), now, clock)).toBe('3 minutes ago');
    expect(formatAge(ago(2 * 3600), now, clock)).toBe('2 hours ago');
    expect(formatAge(ago(10), now, clock)).toBe('just now');
    setLanguage('ja');
    expect(formatAge(ago(180), now, clock)).toBe('3 分前');
    expect(formatAge(ago(5 * 86400), now, clock)).toBe('5 日前');
    expect(formatAge(ago(10), now, clock)).toBe('たった今');
  });

  it('of a day or more names the day that the clock of the store had', () => {
    const age = (then: string, at: string) => formatAge(then, Date.parse(at), clock);
    setLanguage('ja');
    expect(age('2026-11-16T21:00:00+09:00', '2026-11-18T08:00:00+09:00')).toBe('一昨日');
    expect(age('2026-11-17T08:00:00+09:00', '2026-11-18T20:30:00+09:00')).toBe('昨日');
    expect(age('2026-11-18T00:05:00+09:00', '2026-11-18T23:55:00+09:00')).toBe('24 時間前');
  });

  it('is absent when there is no moment or it is still to come', () => {
    expect(formatAge(ago(-10), now, clock)).toBe('just now');
    expect(formatAge(ago(-600), now, clock)).toBeNull();
    expect(formatAge('never', now, clock)).toBeNull();
  });
});
