import { describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n/language.svelte';
import { formatAge } from './age';

const now = Date.parse('2026-11-21T10:00:00Z');
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();

describe('an age', () => {
  it('is told in the unit a person would use', () => {
    expect(formatAge(ago(180), now)).toBe('3 minutes ago');
    expect(formatAge(ago(2 * 3600), now)).toBe('2 hours ago');
    expect(formatAge(ago(10), now)).toBe('just now');
    setLanguage('ja');
    expect(formatAge(ago(180), now)).toBe('3 分前');
    expect(formatAge(ago(5 * 86400), now)).toBe('5 日前');
    expect(formatAge(ago(10), now)).toBe('たった今');
  });

  it('is never negative, and absent when there is no moment', () => {
    expect(formatAge(ago(-600), now)).toBe('just now');
    expect(formatAge('never', now)).toBeNull();
  });
});
