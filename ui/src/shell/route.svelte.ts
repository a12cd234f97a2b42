// Which page is open. Pages keep what was typed in their own state, so going away loses nothing.
import type { RunKind } from '../ipc';

export const PAGES = [
  'register',
  'sheet',
  'import',
  'plans',
  'products',
  'contracts',
  'leads',
  'outbox',
  'settings',
] as const;
export type Page = (typeof PAGES)[number];

/** What a page is asked to show when it is opened from somewhere else. */
export type Target =
  | { productReference: string }
  | { contractId: string }
  | { planId: string }
  | { importKind: RunKind };

let current = $state<Page>('register');
let target: Target | null = null;

export function page(): Page {
  return current;
}

export function openPage(next: Page, shows: Target | null = null): void {
  target = shows;
  current = next;
}

/** What the page just opened is asked to show; it is given out once. */
export function takeTarget(): Target | null {
  const given = target;
  target = null;
  return given;
}
