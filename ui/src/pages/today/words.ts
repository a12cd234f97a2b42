// Texts for days and rates, and the pages that belong to the lines of the close of the day.
import { language, t } from '../../i18n/language.svelte';
import type { CloseItem } from '../../ipc';
import { openPage, type Page } from '../../navigation/route.svelte';
import { outbox, type Count } from '../outbox/outbox.svelte';

/** A calendar day as text; it has no time zone. */
function written(date: string, options: Intl.DateTimeFormatOptions): string {
  const moment = new Date(`${date}T00:00:00Z`);
  return new Intl.DateTimeFormat(language(), { ...options, timeZone: 'UTC' }).format(moment);
}

export const longDate = (date: string) => written(date, { dateStyle: 'full' });
export const shortDate = (date: string) => written(date, { month: 'numeric', day: 'numeric' });
export const dayOfMonth = (date: string) => String(Number(date.slice(-2)));
export const weekday = (date: string) => written(date, { weekday: 'short' });

/** Converts tenths of a percent to percent. */
export function rate(permille: number | null): string {
  return permille === null ? '—' : `${(permille / 10).toFixed(1)}%`;
}

/** The name of a category or of a member of staff. */
export const named = (name: string | null) => name ?? t('today.notKnown');

/** Lines that need a person's action; the desk or the day's remaining work finishes the others. */
export const NEEDS_SOMEBODY: readonly CloseItem[] = [
  'needsPerson',
  'rejected',
  'possibleDuplicates',
  'leadsUnanswered',
  'leadsRejected',
  'report',
];

const PAGE_OF: Partial<Record<CloseItem, Page>> = {
  leadsUnanswered: 'leads',
  leadsRejected: 'leads',
  leadsWaiting: 'leads',
  sheetRows: 'sheet',
  runs: 'import',
  drafts: 'register',
  otherProfiles: 'settings',
  connection: 'settings',
};

const COUNT_OF: Partial<Record<CloseItem, Count>> = {
  needsPerson: 'person',
  rejected: 'rejected',
  possibleDuplicates: 'duplicates',
  unknown: 'unknown',
  accepted: 'accepted',
};

/** Opens the page on which a line of the close of the day is finished. */
export function openPlace(item: CloseItem): void {
  const page = PAGE_OF[item] ?? 'outbox';
  if (page === 'outbox') {
    outbox.text = '';
    outbox.view = 'open';
    outbox.count = COUNT_OF[item] ?? null;
  }
  openPage(page);
}
