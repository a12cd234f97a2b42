// The date of a row that is registered on a later day than it was typed.
import { waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { runClock } from '../../components/clock.svelte';
import { byTestId, type FakeDesk } from '../../testing/desk';
import { key, paste, pasteSales, run, runs, sale, start, textAt, type } from '../../testing/sheet';
import { DATE, TRANSACTION } from './columns';
import { sheet } from './sheet.svelte';

const [evening, morning] = ['2026-11-20T19:58:00+09:00', '2026-11-21T09:40:00+09:00'];
const [dated, now] = ['2026-11-20 19:58', 'Now'];

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(evening) }));
afterEach(() => void vi.useRealTimers());

const sleepOver = () => void vi.setSystemTime(morning);

async function register(desk: FakeDesk): Promise<unknown[]> {
  key('Enter', { ctrlKey: true });
  (await byTestId('submit-yes')).click();
  await waitFor(() => expect(desk.called('run_start')).toHaveLength(1));
  const [{ part }] = desk.called('sheet_stage') as [{ part: { rows: { draft: object }[] } }];
  return part.rows.map(({ draft }) => draft);
}

it('of an earlier day is in its cell, and registered', async () => {
  const desk = await start(runs);
  await pasteSales(1);
  expect(textAt(0, DATE)).toBe(now);
  sleepOver();
  sheet.grid.go(1, 0);
  await pasteSales(2);
  onTestFinished(runClock());
  await waitFor(() => expect(textAt(0, DATE)).toBe(dated));
  expect(await register(desk)).toMatchObject([
    { transactionId: 'T-1', transactionDate: dated },
    { transactionId: 'T-2', transactionDate: '' },
  ]);
});

it('is written before anything else of the row is changed, and before it is registered', async () => {
  const desk = await start(runs);
  await pasteSales(1, 2);
  sleepOver();
  key('Home', { ctrlKey: true });
  await type('P-9');
  expect([textAt(0, DATE), textAt(1, DATE)]).toEqual([dated, now]);
  expect(await register(desk)).toMatchObject([
    { transactionDate: dated },
    { transactionDate: dated },
  ]);
});

it('is of now when it is emptied, or when the transaction was just typed', async () => {
  await start();
  await pasteSales(1, 2);
  sheet.grid.write({ row: 1, column: TRANSACTION }, [['']]);
  sleepOver();
  onTestFinished(runClock());
  await waitFor(() => expect(textAt(0, DATE)).toBe(dated));
  sheet.grid.write({ row: 0, column: DATE }, [['']]);
  sheet.grid.write({ row: 1, column: TRANSACTION }, [['T-3']]);
  sheet.followDay();
  await waitFor(() => expect([textAt(0, DATE), textAt(1, DATE)]).toEqual([now, now]));
});

it('is of now once another transaction is typed or pasted over that of an earlier day', async () => {
  await start();
  await pasteSales(1, 2, 3);
  sleepOver();
  sheet.followDay();
  await waitFor(() => expect(textAt(2, DATE)).toBe(dated));
  key('Home', { ctrlKey: true });
  sheet.grid.go(0, TRANSACTION);
  await type('T-9');
  sheet.grid.go(1, TRANSACTION);
  paste('T-8\t98000');
  sheet.grid.go(2, TRANSACTION);
  paste('T-3\t98000');
  await waitFor(() => expect([0, 1, 2].map((row) => textAt(row, DATE))).toEqual([now, now, dated]));
});

it('is there again after a restart, also of a row that comes back from its run', async () => {
  const typed = Date.parse(evening);
  sleepOver();
  const rows = [
    [sale(1).split('\t'), [], null],
    [sale(2).split('\t'), [], ['run-1', 1], typed],
    [sale(3).split('\t'), [], null, Date.parse(morning)],
  ];
  const known = (name: string, value: unknown, keptAt: string) => ({
    name,
    state: 'known',
    text: JSON.stringify(value),
    keptAt,
  });
  const stopped = { ...run, id: 'run-1', rows: 1, state: 'running' };
  const desk = await start({
    drafts: () => [known('sheet/head', ['sheet/1'], morning), known('sheet/1', rows, evening)],
    run: () => stopped,
    run_rows: () => [],
  });
  const shown = () => [0, 1, 2].map((row) => textAt(row, DATE));
  await waitFor(() => expect(shown()).toEqual([dated, '', now]));
  await desk.tell({ kind: 'runProgressed', run: { ...stopped, state: 'cancelled' } } as never);
  await waitFor(() => expect(shown()).toEqual([dated, dated, now]));
});
