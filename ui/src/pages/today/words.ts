// Texts for days and rates, and the pages that belong to the lines of the close of the day.
import { language, t } from '../../i18n/language.svelte';
import type { CloseItem, Connection } from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { openPage, type Page, type Target } from '../../navigation/route.svelte';

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

/** A line that is finished on a page. */
type Unfinished = Exclude<CloseItem, 'report'>;

/** The page of each line, and what it shows then. */
const PLACE_OF: Record<Unfinished, [page: Page, shows?: Target]> = {
  needsPerson: ['outbox', { view: 'open', count: 'person' }],
  rejected: ['outbox', { view: 'open', count: 'rejected' }],
  possibleDuplicates: ['outbox', { view: 'open', count: 'duplicates' }],
  unknown: ['outbox', { view: 'open', count: 'unknown' }],
  waiting: ['outbox', { view: 'open' }],
  accepted: ['outbox', { view: 'open', count: 'accepted' }],
  leadsUnanswered: ['leads', { leads: 'unknown' }],
  leadsRejected: ['leads', { leads: 'rejected' }],
  leadsWaiting: ['leads', { leads: '' }],
  sheetRows: ['sheet'],
  runs: ['import', { pastRuns: true }],
  drafts: ['register'],
  leadDrafts: ['leads'],
  productDrafts: ['products', { productDraft: true }],
  leadsToFollowUp: ['leads'],
  otherProfiles: ['settings'],
  connection: ['settings'],
};

/** Connections that the check of the computer tells the reason of, and finds well again. */
const CHECKED: readonly Connection[] = ['notReached', 'otherAnswer', 'serviceErrors'];

/** Opens the page on which a line of the close of the day is finished. */
export function openPlace(item: Unfinished): void {
  const isChecked =
    item === 'connection' && CHECKED.includes(desk.overview?.connection ?? 'notTried');
  if (isChecked) openPage('settings', { support: 'check' });
  else openPage(...PLACE_OF[item]);
}
