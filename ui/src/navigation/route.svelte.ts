// The page that is open. A page keeps typed input in its own state when another one is opened.
import { untrack } from 'svelte';
import type { LeadState, RunKind, SubmissionView } from '../ipc';

export const PAGES = [
  'register',
  'sheet',
  'today',
  'import',
  'plans',
  'products',
  'contracts',
  'leads',
  'outbox',
  'settings',
] as const;
export type Page = (typeof PAGES)[number];

/** The digit that opens a page with Alt; the tenth page has 0. */
export const digitOf = (page: Page) => (PAGES.indexOf(page) + 1) % 10;

/** Which leads are listed: all, those of one state, or those to be contacted by now. */
export type LeadFilter = LeadState | 'due' | '';
/** Which entries the outbox lists, and the count above its list that limits them further. */
export type View = 'open' | 'person' | 'unknown' | 'confirmed' | 'all';
export type Count =
  'waiting' | 'held' | 'unknown' | 'accepted' | 'person' | 'rejected' | 'duplicates' | 'confirmed';

/** What of the help and support of the settings is wanted. */
export type Support = 'check' | 'bundle' | 'journal';

/** What a page should show when another page opens it. */
export type Target =
  | { productReference: string }
  | { productDraft: true }
  | { correct: SubmissionView }
  | { contractId: string }
  | { planId: string }
  | { leads: LeadFilter }
  | { view: View; count?: Count }
  | { entry: string }
  | { importKind: RunKind; compares?: boolean }
  | { pastRuns: true }
  | { support: Support };

let current = $state<Page>('register');
/** How often a page was opened, also the one that was open. */
let openings = $state(0);
/** The pages that were open before, the latest last. */
let visited: Page[] = [];
const MOST_VISITED = 20;
let target = $state.raw<{ page: Page; shows: Target } | null>(null);

export function page(): Page {
  return current;
}

export const timesOpened = () => openings;

export function openPage(next: Page, shows: Target | null = null): void {
  target = shows && { page: next, shows };
  if (next !== current) visited = [...visited, current].slice(-MOST_VISITED);
  current = next;
  openings += 1;
}

/** Opens the page that was open before. */
export function goBack(): void {
  const before = visited.at(-1);
  if (before === undefined) return;
  visited = visited.slice(0, -1);
  target = null;
  current = before;
}

/** Passes what a page should show to it, also while it is open; each request is delivered once. */
export function whenAsked(of: Page, show: (shows: Target) => void): void {
  $effect(() => {
    if (target?.page !== of) return;
    const { shows } = target;
    target = null;
    untrack(() => show(shows));
  });
}
