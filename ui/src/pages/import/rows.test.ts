import { beforeEach, describe, expect, it } from 'vitest';
import type { RunRow } from '../../ipc';
import { startWindow, type FakeDesk } from '../../testing/desk';
import { runRow } from '../../testing/sheet';
import { Rows } from './rows.svelte';

/** What the desk gives at most in one call. */
const MOST = 10_000;

const row = (number: number) => runRow(number, { line: number + 1, outcome: 'rejected' });

/** The rows that a desk answers with, of a run of so many. */
function rowsOf(count: number, { after, limit }: Record<string, unknown>): RunRow[] {
  const first = Number(after);
  const many = Math.min(Number(limit), MOST, Math.max(0, count - first));
  return Array.from({ length: many }, (_, at) => row(first + at + 1));
}

describe('the rows of a run', () => {
  let fake: FakeDesk;
  let rows: Rows;
  /** Answers that are held back, oldest first. */
  let held: (() => void)[];
  let holding: boolean;
  let count: number;

  beforeEach(async () => {
    [held, holding, count] = [[], false, 600];
    fake = await startWindow('import', {
      run_rows: (args) => {
        const answer = rowsOf(count, args);
        if (!holding) return answer;
        return new Promise((resolve) => held.push(() => resolve(answer)));
      },
    });
    rows = new Rows();
    await rows.read('run-1', 'found');
  });

  const numbers = () => rows.shown?.map(({ number }) => number) ?? [];
  const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
  const asked = (calls: number) => expect.poll(() => held.length).toBe(calls);

  it.each([
    [0, 1],
    [1, 0],
  ])('that are asked for come, whether the change or they are answered first', async (...order) => {
    expect(numbers()).toEqual(upTo(200));
    holding = true;
    const both = [rows.readMore(), rows.read('run-1', 'found')];
    await asked(2);
    for (const at of order) {
      held[at]!();
      await both[at];
    }
    expect(numbers()).toEqual(upTo(400));
    expect(rows.more).toBe(true);
  });

  it('of another list are not joined with more of the former one', async () => {
    await rows.readMore();
    holding = true;
    const more = rows.readMore();
    const other = rows.read('run-1', 'entered');
    const again = rows.read('run-1', 'entered');
    await rows.readMore();
    await asked(3);
    for (const answer of held.reverse()) answer();
    await Promise.all([more, other, again]);
    expect(numbers()).toEqual(upTo(200));
    expect(fake.called('run_rows').at(-1)).toMatchObject({ limit: 200 });
  });

  it('beyond what one call gives stay, and so does the way to more', async () => {
    count = MOST + 600;
    rows.shown = upTo(MOST + 200).map(row);
    await rows.read('run-1', 'found');
    expect(numbers()).toEqual(upTo(MOST + 200));
    expect(rows.more).toBe(true);
    await rows.readMore();
    expect(numbers()).toEqual(upTo(MOST + 400));
  });

  it('that are no longer of the list go', async () => {
    await rows.readMore();
    count = 300;
    await rows.read('run-1', 'found');
    expect(numbers()).toEqual(upTo(300));
    expect(rows.more).toBe(false);
  });
});
