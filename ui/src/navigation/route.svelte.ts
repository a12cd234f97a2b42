// Which page is open. Pages keep what was typed in their own state when they are left.
import { untrack } from 'svelte';
import type { RunKind, SubmissionView } from '../ipc';

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

/** What a page is asked to show when it is opened from somewhere else. */
export type Target =
  | { productReference: string }
  | { correct: SubmissionView }
  | { contractId: string }
  | { planId: string }
  | { importKind: RunKind };

let current = $state<Page>('register');
/** The pages that were open before, the last one at the end. */
let visited: Page[] = [];
const MOST_VISITED = 20;
let target = $state.raw<{ page: Page; shows: Target } | null>(null);

export function page(): Page {
  return current;
}

export function openPage(next: Page, shows: Target | null = null): void {
  target = shows && { page: next, shows };
  if (next !== current) visited = [...visited, current].slice(-MOST_VISITED);
  current = next;
}

/** Opens the page that was open before. */
export function goBack(): void {
  const before = visited.at(-1);
  if (before === undefined) return;
  visited = visited.slice(0, -1);
  target = null;
  current = before;
}

/** Gives a page what it is asked to show, also while it is open; each request is delivered once. */
export function whenAsked(of: Page, show: (shows: Target) => void): void {
  $effect(() => {
    if (target?.page !== of) return;
    const { shows } = target;
    target = null;
    untrack(() => show(shows));
  });
}
