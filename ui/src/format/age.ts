import { language, t } from '../i18n/language.svelte';

/** How long ago something was, in this language: `3 minutes ago`, `3 分前`. */
export function formatAge(then: string | number, now: number): string | null {
  const moment = typeof then === 'number' ? then : Date.parse(then);
  if (Number.isNaN(moment)) return null;
  const seconds = Math.max(0, Math.round((now - moment) / 1000));
  const words = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
  if (seconds < 45) return t('word.justNow');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return words.format(-minutes, 'minute');
  const hours = Math.round(minutes / 60);
  if (hours < 24) return words.format(-hours, 'hour');
  return words.format(-Math.round(hours / 24), 'day');
}
