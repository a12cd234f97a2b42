import { language, t } from '../i18n/language.svelte';
import type { Clock } from './dates';
import { dayAt } from './days';

const DAY_MINUTES = 24 * 60;

/**
 * How long ago something was, in this language: `3 minutes ago`, `3 分前`. From a day on, the days
 * of the store's clock count, because the language may name them: `yesterday`. `null` for what is still
 * to come: a clock was ahead.
 */
export function formatAge(then: string | number, now: number, clock: Clock | null): string | null {
  const moment = typeof then === 'number' ? then : Date.parse(then);
  if (Number.isNaN(moment)) return null;
  const seconds = Math.round((now - moment) / 1000);
  if (seconds < -45) return null;
  const words = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
  if (seconds < 45) return t('word.justNow');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return words.format(-minutes, 'minute');
  if (minutes < DAY_MINUTES) return words.format(-Math.round(minutes / 60), 'hour');
  const day = (at: number) => Date.parse(dayAt(clock, new Date(at))) / (DAY_MINUTES * 60_000);
  return words.format(day(moment) - day(now), 'day');
}
