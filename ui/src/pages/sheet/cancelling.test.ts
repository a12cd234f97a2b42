// A run of the sheet can be paused and stopped as long as one of its entries was not sent, even
// after the desk has entered its last row.
import { waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import { byTestId, pressAgain, type FakeDesk } from '../../testing/desk';
import { cell, key, pasteSales, run, runRow, start } from '../../testing/sheet';

const shown = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`);

describe('a run whose rows are all entered', () => {
  let desk: FakeDesk;
  let id = '';
  const done = (more: object = {}) => ({
    ...run,
    id,
    rows: 2,
    entered: 2,
    batches: 2,
    state: 'done',
    sent: { ...run.sent, waiting: 2 },
    unsent: 1,
    ...more,
  });
  async function tell(more: object = {}): Promise<void> {
    await desk.tell({ kind: 'runProgressed', run: done(more) } as never);
    await waitFor(() => expect(shown('sheet-run')?.dataset['state']).toBe('done'));
  }

  async function submitted(): Promise<void> {
    desk = await start({
      sheet_stage: (args) => ({ ...run, id: (id = args.id as string), rows: 2 }),
      run_start: () => done({ state: 'running', entered: 0, unsent: 0 }),
      run_rows: () => [],
      run_pause: () => done({ state: 'paused' }),
      run_resume: () => done(),
      run_cancel: () => done({ state: 'cancelled', unsent: 0 }),
    });
    await pasteSales(1, 2);
    key('F12');
    (await byTestId('submit-yes')).click();
    await byTestId('sheet-pause');
  }

  it('is paused and goes on while something of it was not sent', async () => {
    await submitted();
    await tell();
    // The requests are formed and not sent yet.
    expect(shown('sheet-run')?.textContent).not.toContain('sent');
    (await byTestId('sheet-pause')).click();
    const resume = await byTestId('sheet-resume');
    expect(desk.called('run_pause')).toEqual([{ id }]);
    expect(shown('sheet-pause')).toBeNull();
    await pressAgain('sheet-resume');
    expect(desk.called('run_resume')).toEqual([]);
    resume.click();
    await byTestId('sheet-pause');
    expect(desk.called('run_resume')).toEqual([{ id }]);
  });

  it('is stopped, and what was not sent is back in the sheet', async () => {
    await submitted();
    await tell();
    desk.answer('run_rows', () => [
      runRow(1, { submission: { state: 'inFlight' } }),
      runRow(2, { submission: { state: 'cancelled' } }),
    ]);
    (await byTestId('sheet-stop')).click();
    await waitFor(() => expect(cell(1, 0)?.getAttribute('aria-readonly')).toBeNull());
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBe('true');
    expect(desk.called('run_cancel')).toEqual([{ id }]);
    expect(shown('sheet-stop')).toBeNull();
    // One of its entries is still being sent.
    expect(shown('sheet-run')?.textContent).toContain('Stopped');
  });

  it('offers neither once all of it is on its way', async () => {
    await submitted();
    await tell({ unsent: 0 });
    await waitFor(() => expect(shown('sheet-stop')).toBeNull());
    await tick();
    expect(shown('sheet-run')).not.toBeNull();
    expect(shown('sheet-pause')).toBeNull();
  });
});
