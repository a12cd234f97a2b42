// Helpers for tests of the sheet in the whole window.
import { waitFor } from '@testing-library/svelte';
import { expect, vi } from 'vitest';
import type { RunRow, RunView } from '../ipc';
import { byTestId, startWindow, type FakeDesk, type Reply } from './desk';
import { REFERENCE } from './samples';

/** A run of the sheet that was just staged. */
export const run: RunView = {
  whole: true,
  id: '',
  kind: 'contracts',
  source: 'sheet',
  name: '',
  state: 'staged',
  rows: 0,
  checked: 0,
  pending: 0,
  entered: 0,
  alreadyEntered: 0,
  differing: 0,
  rejected: 0,
  unchecked: 0,
  warned: 0,
  batches: 0,
  sent: {
    waiting: 0,
    held: 0,
    unknown: 0,
    accepted: 0,
    confirmed: 0,
    needsPerson: 0,
    rejected: 0,
    cancelled: 0,
    stopped: 0,
    possibleDuplicates: 0,
  },
  unsent: 0,
  createdAt: '2026-11-21T10:00:00.000+09:00',
  createdBy: 'clerk',
  leftOut: { hiddenRows: 0, hiddenLines: [], otherSheets: [] },
  waitingFor: null,
  unreadable: false,
};

/** A row of a run as the desk reports it: entered and not sent yet. */
export const runRow = (number: number, otherwise: object = {}): RunRow => ({
  number,
  line: number,
  outcome: 'entered',
  problems: [],
  questions: [],
  differs: [],
  warnings: [],
  failure: null,
  submission: null,
  content: [],
  ...otherwise,
});

/** A rejected row of a run: the service knows no such plan. */
export const rejectedRow = (number: number) =>
  runRow(number, {
    outcome: 'rejected',
    problems: [{ field: 'planId', problem: 'unknownPlan' }],
  });

/** A sale as a spreadsheet copies it. */
export const sale = (number: number) =>
  [REFERENCE, '98000', 'plan-2', '3980', `T-${number}`, '101980', '', '見本 太郎', 'a@b.jp'].join(
    '\t',
  );

/** The answers of a desk that takes rows and sends them. */
export const runs = {
  sheet_stage: ({ id }) => ({ ...run, id, rows: 2 }),
  run_start: ({ id }) => ({ ...run, id, rows: 2, state: 'running' }),
  run_rows: () => [],
} satisfies Record<string, Reply>;

/** The box that has the focus. */
export let box: HTMLTextAreaElement;

/** A cell, both counted from 0; column -1 is the margin. */
export const cell = (row: number, column: number) =>
  document.querySelector(`[aria-rowindex="${row + 2}"] > [aria-colindex="${column + 2}"]`);
export const textAt = (row: number, column: number) => cell(row, column)?.textContent?.trim();
export const cursor = () =>
  box.getAttribute('aria-activedescendant')?.split('-').slice(-2).map(Number);

export function key(name: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', {
    key: name,
    bubbles: true,
    cancelable: true,
    ...more,
  });
  box.dispatchEvent(event);
  return event;
}

export function put(text: string): void {
  box.value = text;
  box.dispatchEvent(new Event('input', { bubbles: true }));
}

export async function type(text: string, end = 'Tab'): Promise<void> {
  put(text);
  key(end);
  await waitFor(() => expect(box.value).toBe(''));
}

export function paste(text: string): void {
  const event = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { getData: () => text } });
  box.dispatchEvent(event);
}

/** Pastes sales, until they can be submitted. */
export async function pasteSales(...numbers: number[]): Promise<void> {
  paste(numbers.map(sale).join('\r\n'));
  const button = await byTestId<HTMLButtonElement>('sheet-register');
  await waitFor(() => expect(button.disabled).toBe(false), { timeout: 20_000 });
}

/** Waits until the sheet is in the window. */
export async function shown(): Promise<void> {
  box = await byTestId<HTMLTextAreaElement>('grid-box');
  await waitFor(() => expect(cell(0, 0)).not.toBeNull());
}

/** Opens the sheet in the whole window. */
export async function start(otherwise: Parameters<typeof startWindow>[1] = {}): Promise<FakeDesk> {
  // Gives the window a size: the test's document has no layout of its own.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000);
  const desk = await startWindow('sheet', otherwise);
  await shown();
  await waitFor(() => expect(desk.called('drafts')).not.toHaveLength(0));
  return desk;
}
