// Rows that a run returns, when calls to the desk may fail.
import { clearMocks, mockIPC } from '@tauri-apps/api/mocks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunView } from '../../ipc';
import { refusal } from '../../testing/desk';
import { rejectedRow, run, runRow } from '../../testing/sheet';
import { Submission, type Returned } from './submission.svelte';

const replies: Record<string, (args: Record<string, unknown>) => unknown> = {};
const returned = vi.fn<(rows: Returned[]) => void>();
const back = () => returned.mock.calls.flatMap(([rows]) => rows.map(({ id }) => id));

const told = (more: object) =>
  ({ ...run, id: 'run-1', rows: 3, state: 'running', ...more }) as RunView;

/** A sheet whose three rows belong to one run. */
async function submitted(): Promise<Submission> {
  const sending = new Submission(() => {}, returned);
  await sending.take(new Map([1, 2, 3].map((number) => [10 * number, ['run-1', number]])));
  return sending;
}

beforeEach(() => {
  returned.mockReset();
  Object.assign(replies, { run: () => told({}), run_rows: () => [] });
  mockIPC((command, args) =>
    Promise.resolve().then(() => replies[command]?.((args ?? {}) as Record<string, unknown>)),
  );
});
afterEach(clearMocks);

describe('rejected rows', () => {
  it('are told to the desk with what came back of each run, until it has heard', async () => {
    const sending = await submitted();
    replies['run_rows'] = () => [rejectedRow(2)];
    await sending.hear(told({ rejected: 1 }));
    const heard = vi.fn(() => Promise.reject('closed'));
    replies['sheet_follows'] = heard;
    await sending.tell('profile');
    replies['sheet_follows'] = heard.mockResolvedValue(undefined as never);
    await sending.tell('profile');
    const runs = [{ id: 'run-1', back: 1 }];
    expect(heard.mock.calls).toEqual([
      [{ profileId: 'profile', runs }],
      [{ profileId: 'profile', runs }],
    ]);
    await sending.tell('profile');
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it('that could not be read are not told as back', async () => {
    const sending = await submitted();
    replies['run_rows'] = () => Promise.reject('closed');
    await sending.hear(told({ rejected: 1 }));
    const heard = vi.fn();
    replies['sheet_follows'] = heard;
    await sending.tell('profile');
    expect(heard).toHaveBeenCalledWith({
      profileId: 'profile',
      runs: [{ id: 'run-1', back: null }],
    });
  });

  it('that could not be read come back with the next word of their run', async () => {
    const sending = await submitted();
    replies['run_rows'] = () => Promise.reject('closed');
    await sending.hear(told({ rejected: 1 }));
    expect(back()).toEqual([]);
    expect(sending.has(20)).toBe(true);
    replies['run_rows'] = () => [rejectedRow(2)];
    await sending.hear(told({ rejected: 1, entered: 1 }));
    expect(back()).toEqual([20]);
    expect(sending.has(20)).toBe(false);
    // They are not read a second time.
    const rows = vi.fn(() => []);
    replies['run_rows'] = rows;
    await sending.hear(told({ rejected: 1, entered: 2 }));
    expect(rows).not.toHaveBeenCalled();
  });

  it('that could not be read come back when the sheet is seen again, though their run is over', async () => {
    const sending = await submitted();
    const over = () => told({ rejected: 1, state: 'done' });
    replies['run'] = over;
    replies['run_rows'] = () => Promise.reject('closed');
    await sending.hear(over());
    replies['run_rows'] = () => [rejectedRow(2)];
    await sending.follow();
    expect(back()).toEqual([20]);
  });

  it('read for a sheet that was left are read again when it is opened again', async () => {
    const sending = await submitted();
    let answer = (_: unknown) => {};
    const asked = vi.fn(() => new Promise((done) => (answer = done)));
    replies['run_rows'] = asked;
    const heard = sending.hear(told({ rejected: 1 }));
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    sending.reset();
    answer([rejectedRow(2)]);
    await heard;
    expect(back()).toEqual([]);
    replies['run'] = () => told({ rejected: 1 });
    replies['run_rows'] = () => [rejectedRow(2)];
    await sending.take(new Map([[20, ['run-1', 2]]]));
    expect(back()).toEqual([20]);
  });

  it('that were mended and submitted anew stay there when their first run rejects more', async () => {
    const sending = await submitted();
    replies['run_rows'] = () => [rejectedRow(2)];
    await sending.hear(told({ rejected: 1 }));
    replies['run'] = ({ id }) => told({ id });
    await sending.take(new Map([[20, ['run-2', 1]]]));
    replies['run_rows'] = () => [rejectedRow(2), rejectedRow(3)];
    await sending.hear(told({ rejected: 2 }));
    expect(back()).toEqual([20, 30]);
    expect(sending.place(20)).toEqual(['run-2', 1]);
  });
});

describe('results that could not be read', () => {
  it('are read when their rows are looked at again, though their run is over', async () => {
    const sending = await submitted();
    await sending.hear(told({ state: 'done' }));
    replies['run_rows'] = () => Promise.reject(refusal);
    await sending.look([10]);
    replies['run_rows'] = () => [runRow(1, { submission: { state: 'confirmed' } })];
    await sending.look([10]);
    expect(sending.fate(10)?.submission?.state).toBe('confirmed');
  });
});

describe('rows whose run cannot be read', () => {
  const refused = (code: string) => () => Promise.reject({ ...refusal, code });

  it.each(['profileMoved', 'closing'])('stay submitted: %s', async (code) => {
    const sending = await submitted();
    replies['run'] = refused(code);
    await sending.follow();
    expect(back()).toEqual([]);
    expect(sending.has(20)).toBe(true);
  });

  it('come back once the run is gone', async () => {
    const sending = await submitted();
    replies['run'] = refused('notKnown');
    await sending.follow();
    expect(back()).toEqual([10, 20, 30]);
  });
});

describe('rows whose entries were called off', () => {
  const cancelled = (number: number, more: object = {}) =>
    runRow(number, { submission: { state: 'cancelled', settled: false }, ...more });
  const settled = (number: number) =>
    runRow(number, { submission: { state: 'cancelled', settled: true } });

  it('come back when their run is stopped, but for those a person mended or called off', async () => {
    const sending = await submitted();
    replies['run_rows'] = () => [settled(1), cancelled(2), runRow(3)];
    await sending.hear(told({ state: 'cancelled', sent: { ...run.sent, cancelled: 2 } }));
    expect(back()).toEqual([20]);
    expect(await sending.finished()).toEqual(new Set([10]));
  });

  it('with the run of another hand come back, and are not cleared away', async () => {
    const sending = await submitted();
    replies['run_rows'] = () => [cancelled(1, { outcome: 'alreadyEntered' }), settled(2)];
    await sending.hear(told({ state: 'done' }));
    expect(await sending.finished()).toEqual(new Set([20]));
    expect(back()).toEqual([10]);
    expect(sending.has(10)).toBe(false);
  });
});
