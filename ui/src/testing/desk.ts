// A fake desk for tests: answers the bridge's calls with samples, unless a test replaces an answer.
import { clearMocks, mockIPC } from '@tauri-apps/api/mocks';
import { cleanup, render, waitFor } from '@testing-library/svelte';
import { emit } from '@tauri-apps/api/event';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, vi } from 'vitest';
import App from '../App.svelte';
import { painted } from '../components/painted';
import type { DeskNotice, Field, Problem, Question, UiError } from '../ipc';
import { desk } from '../ipc/desk.svelte';
import { contracts } from '../pages/contracts/contracts.svelte';
import { leads } from '../pages/leads/leads.svelte';
import { resetProfile } from '../ipc/profile-reset';
import { screenOf } from '../pages/screens';
import { counter } from '../pages/register/counter.svelte';
import { storedSale } from '../pages/register/stored-sale.svelte';
import { settings } from '../pages/settings/settings.svelte';
import { openPage, PAGES, type Page } from '../navigation/route.svelte';
import * as sample from './samples';

export type Reply = (args: Record<string, unknown>) => unknown;

const USUAL: Record<string, Reply> = {
  status: () => sample.status,
  policy: () => sample.policy,
  settings_change: () => null,
  practice_try_out: () => null,
  staff_policy_change: () => null,
  staff_enter: () => null,
  profiles: () => [sample.practice, sample.live],
  plans_cached: () => ({ ...sample.planList, source: 'cache' }),
  plans_refresh: () => sample.planList,
  plans_search: () => [sample.record],
  plan_cached: () => null,
  plan_open: () => sample.record,
  store_reference_used_by: () => [],
  products_list: () => sample.known([sample.product]),
  product_last_known: () => sample.product,
  day: () => sample.day,
  contract_check: () => sample.clean,
  contracts_check_rows: () => [],
  contract_register: () => sample.submission,
  submission: () => sample.submission,
  contracts_list: () => sample.listed([]),
  contract_lookup: () => sample.contract,
  contract_recents: () => [],
  draft_keep: () => 'file',
  drafts: () => [],
  draft_drop: () => null,
  lead_create: () => sample.lead,
  lead: () => sample.lead,
  leads: () => [],
  lead_follow_up: () => sample.lead,
  outbox_case: () => sample.openCase,
  attended: () => null,
  runs: () => [],
};

export interface FakeDesk {
  /** Every call so far, in order. */
  calls: { command: string; args: Record<string, unknown> }[];
  called(command: string): Record<string, unknown>[];
  /** Waits until the calls of a command were these. */
  hears(command: string, calls: object[]): Promise<void>;
  /** Waits until the last call of a command has this. */
  hearsLast(command: string, call: object): Promise<void>;
  /** Replaces the answer of a command from now on. A thrown value is the error. */
  answer(command: string, reply: Reply): void;
  tell(notice: DeskNotice): Promise<void>;
}

// Loaded before the first test begins, so that none is still on its way when a test ends.
await Promise.all([...PAGES.map(screenOf), import('../shell/Palette.svelte')]);

/** Starts the whole window on a page, connected to the fake desk, until the test is finished. */
export async function startWindow(
  page: Page = 'register',
  otherwise: Record<string, Reply> = {},
): Promise<FakeDesk> {
  const replies = { ...USUAL, ...otherwise };
  const calls: FakeDesk['calls'] = [];
  resetProfile();
  counter.clear();
  storedSale.reset();
  // Another profile keeps these; another start does not.
  leads.clear();
  leads.kept.reset();
  settings.clearConnectForm();
  settings.adding = false;
  settings.removing = null;
  contracts.tab = 'entered';
  desk.status = null;
  mockIPC(
    (command, payload) => {
      const args = (payload ?? {}) as Record<string, unknown>;
      calls.push({ command, args });
      const reply = replies[command];
      // The real bridge rejects with plain values, never with `Error`.
      if (!reply) return Promise.reject(`unexpected ${command}`);
      return Promise.resolve()
        .then(() => reply(args))
        .then((answer) => structuredClone(answer));
    },
    { shouldMockEvents: true },
  );
  openPage(page);
  render(App);
  onTestFinished(stopWindow);
  await waitFor(() => {
    if (desk.status === null && desk.loading.failure === null) throw new Error('not open yet');
  });
  const called = (command: string) =>
    calls.filter((call) => call.command === command).map(({ args }) => args);
  return {
    calls,
    called,
    hears: (command, all) => waitFor(() => expect(called(command)).toEqual(all)),
    hearsLast: (command, last) => waitFor(() => expect(called(command).at(-1)).toMatchObject(last)),
    answer: (command, reply) => void (replies[command] = reply),
    tell: (notice) => emit('desk-notice', notice),
  };
}

async function stopWindow(): Promise<void> {
  cleanup();
  // Work waiting for a frame, and the window's unsubscribing, run in a later turn; the bridge must
  // exist until then.
  await painted();
  await new Promise((turn) => setTimeout(turn));
  clearMocks();
  vi.restoreAllMocks();
}

/** The element with a test id, once it exists. */
export function byTestId<E extends HTMLElement = HTMLElement>(id: string): Promise<E> {
  return waitFor(() => {
    const found = document.querySelector<E>(`[data-testid="${id}"]`);
    if (!found) throw new Error(`no ${id} yet`);
    return found;
  });
}

/** Waits until the element with a test id has a text. */
export const says = (id: string, text: string) =>
  waitFor(async () => expect((await byTestId(id)).textContent).toContain(text));

/** Whether the element with a test id is in the window now. */
export const shows = (id: string) => document.querySelector(`[data-testid="${id}"]`) !== null;

/** The text in the box with a test id. */
export const valueOf = async (id: string) => (await byTestId<HTMLInputElement>(id)).value;

export const typist = userEvent.setup({ delay: null });

/** Waits until the element with a test id has the focus. */
export const focusIsAt = (id: string) =>
  waitFor(() => {
    const now = document.activeElement?.getAttribute('data-testid');
    if (now !== id) throw new Error(`the focus is at ${now}, not at ${id}`);
  });

/** Dialogs give the focus back to what had it, if that is still there, as those of a browser do. */
export function dialogsGiveBack(): void {
  const openers = new Map<HTMLDialogElement, HTMLElement>();
  vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(function (
    this: HTMLDialogElement,
  ) {
    openers.set(this, document.activeElement as HTMLElement);
    this.setAttribute('open', '');
  });
  vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(function (
    this: HTMLDialogElement,
  ) {
    this.removeAttribute('open');
    const opener = openers.get(this);
    if (opener?.isConnected) opener.focus();
  });
}

/** Clicks the element with a test id, once it exists. */
export const press = async (id: string) => typist.click(await byTestId(id));

/**
 * The next click in the same place, on the element with a test id that is there by then: the second
 * one of a double click, or one of a series that goes on `later` milliseconds after it.
 */
export async function pressAgain(id: string, later = 0): Promise<void> {
  const click = new MouseEvent('click', { bubbles: true, cancelable: true, detail: 2 });
  Object.defineProperty(click, 'timeStamp', { value: click.timeStamp + later });
  (await byTestId(id)).dispatchEvent(click);
}

/** Fills a text box like a person, but at once instead of key by key. */
export async function fill(id: string, text: string): Promise<void> {
  const box = await byTestId<HTMLInputElement>(id);
  box.focus();
  box.value = text;
  box.dispatchEvent(new Event('input', { bubbles: true }));
  box.dispatchEvent(new Event('change', { bubbles: true }));
  box.blur();
}

/** The message connected to a text box. */
export function noteOf(box: HTMLElement): string {
  const id = box.getAttribute('aria-describedby');
  return (id && document.getElementById(id)?.textContent?.trim()) || '';
}

export const refusal: UiError = {
  code: 'refused',
  message: { en: 'The service refused this.', ja: 'サービスに受け付けられませんでした。' },
  effect: 'none',
  next: 'mend',
  requestId: 'request-9',
  serviceCode: 'BadRequestException',
  serviceMessage: 'product not found',
  fields: [],
  questions: [],
  earlierLead: null,
};

/** The error of a command that finds a field wrong. */
export const wrong = (field: Field, problem: Problem): UiError => ({
  ...refusal,
  code: 'input',
  fields: [{ field, problem }],
});

/** The error of a command that stops at questions. */
export const asks = (...questions: Question[]): UiError => ({
  ...refusal,
  code: 'questions',
  questions,
});

/** A reply that fails. */
export const refuses =
  (error: unknown = refusal): Reply =>
  () => {
    throw error;
  };

/** A reply that waits for its answer, and what gives that. */
export function held(): [waits: Reply, answer: (value: unknown) => void] {
  let answer = (_: unknown) => {};
  return [() => new Promise((done) => (answer = done)), (value) => answer(value)];
}

/** A draft of this name alone, under every profile unless one is named. */
export const keeps =
  (name: unknown, text: unknown, state = 'known', of?: string): Reply =>
  ({ prefix, profileId }) =>
    prefix === name && (of ?? profileId) === profileId
      ? [{ name, state, text, keptAt: sample.lead.enteredAt }]
      : [];
