// The question before rows are submitted; only the rows it names are submitted.
import { fireEvent, waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import type { SheetPart } from '../../ipc';
import {
  byTestId,
  focusIsAt,
  held,
  press,
  pressAgain,
  shows,
  typist,
  type FakeDesk,
} from '../../testing/desk';
import { clean } from '../../testing/samples';
import { cursor, key, paste, put, runs, sale, start } from '../../testing/sheet';
import { sheet } from './sheet.svelte';

const staged = (desk: FakeDesk) =>
  desk.called('sheet_stage').flatMap(({ part }) => (part as SheetPart).rows);
const ready = (count: number) =>
  waitFor(() => expect(sheet.findings.counts.ready).toBe(count), { timeout: 3_000 });

describe('submitting', () => {
  it('asks once the rows were looked at, about all of them', async () => {
    const [waits, answer] = held();
    const desk = await start({ ...runs, contracts_check_rows: waits });
    paste([sale(1), sale(2)].join('\n'));
    key('F12');
    await waitFor(() => expect(desk.called('contracts_check_rows')).toHaveLength(1));
    expect(shows('submit-yes')).toBe(false);
    answer([]);
    expect((await byTestId('submit-yes')).textContent).toContain('2');
  });

  it('submits the rows asked about, and none that came or changed since', async () => {
    const desk = await start(runs);
    paste([sale(1), sale(2)].join('\n'));
    await ready(2);
    key('F12');
    const yes = await byTestId('submit-yes');
    sheet.grid.write({ row: 1, column: 4 }, [['T-9']]);
    sheet.grid.write({ row: 2, column: 0 }, [sale(3).split('\t')]);
    await ready(3);
    expect(yes.textContent).toContain('2');
    yes.click();
    await waitFor(() => expect(desk.called('run_start')).toHaveLength(1));
    expect(staged(desk)).toMatchObject([{ draft: { transactionId: 'T-1' } }]);
  });

  it('submits an equal row with the yes to it, and without one keeps it here', async () => {
    const desk = await start(runs);
    paste([sale(1), sale(2), sale(1)].join('\n'));
    await ready(2);
    expect(sheet.findings.counts.asks).toBe(1);
    await press('sheet-attention-open');
    expect((await byTestId('attention-yes')).textContent?.trim()).toBe('Include this row');
    await press('attention-yes');
    await ready(3);
    key('F12');
    (await byTestId('submit-yes')).click();
    await waitFor(() => expect(desk.called('run_start')).toHaveLength(1));
    expect(staged(desk).map(({ confirmed }) => confirmed)).toEqual([
      [],
      [],
      [{ kind: 'repeatedRow', line: 1, nth: 2 }],
    ]);
  });

  it('takes no yes of a double click for the row that moved up meanwhile', async () => {
    await start(runs);
    paste([sale(1), sale(1), sale(1)].join('\n'));
    await waitFor(() => expect(sheet.findings.counts.asks).toBe(2));
    await press('sheet-attention-open');
    await press('attention-yes');
    await pressAgain('attention-yes');
    expect(sheet.findings.counts.asks).toBe(1);
    // Whoever goes on clicking answers the next one.
    await pressAgain('attention-yes', 600);
    expect(sheet.findings.counts.asks).toBe(0);
  });

  it('moves the focus on to the next question, which the held key does not answer', async () => {
    await start(runs);
    paste([sale(1), sale(1), sale(1)].join('\n'));
    await waitFor(() => expect(sheet.findings.counts.asks).toBe(2));
    await press('sheet-attention-open');
    (await byTestId('attention-yes')).focus();
    await typist.keyboard('{Enter>}');
    await waitFor(() => expect(sheet.findings.counts.asks).toBe(1));
    await focusIsAt('attention-yes');
    const next = await byTestId('attention-yes');
    expect(await fireEvent.keyDown(next, { key: 'Enter', repeat: true })).toBe(false);
    await typist.keyboard('{/Enter}{Enter}');
    expect(sheet.findings.counts.asks).toBe(0);
  });

  it('takes the first Alt+Y of a held key for a yes, and none after it', async () => {
    await start(runs);
    paste([sale(1), sale(1), sale(1)].join('\n'));
    await waitFor(() => expect(sheet.findings.counts.asks).toBe(2));
    const confirm = (repeat: boolean) => key('y', { code: 'KeyY', altKey: true, repeat });
    sheet.grid.go(1, 4);
    confirm(false);
    expect(sheet.findings.counts.asks).toBe(1);
    sheet.grid.go(2, 4);
    confirm(true);
    expect(sheet.findings.counts.asks).toBe(1);
  });

  it('takes a yes for the question that is shown, and for no other of its row', async () => {
    const questions = [
      { kind: 'secondContract', submissionId: 's' },
      { kind: 'changedPrice', entered: 3980, current: 4980 },
    ];
    await start({
      ...runs,
      contracts_check_rows: () => [{ index: 0, check: { ...clean, questions } }],
    });
    paste(sale(1));
    await press('sheet-attention-open');
    expect((await byTestId('attention-item')).textContent).toMatch(/Fee: The plan now costs 4,980/);
    const yes = await byTestId('attention-yes');
    expect(yes.textContent?.trim()).toBe('Keep as entered');
    yes.click();
    await waitFor(async () =>
      expect((await byTestId('attention-item')).textContent).toMatch(/Transaction: .* registered/),
    );
    expect(sheet.findings.answers(sheet.grid.cells.at(0)!)).toEqual([
      { kind: 'changedPrice', current: 4980 },
    ]);
    const confirm = () => key('y', { code: 'KeyY', altKey: true });
    sheet.grid.go(0, 5);
    confirm();
    expect(sheet.findings.counts.asks).toBe(1);
    sheet.grid.go(0, 4);
    confirm();
    expect(sheet.findings.counts).toMatchObject({ asks: 0, ready: 1 });
  });

  it('with nothing but a row half filled in goes to what is missing there', async () => {
    const check = { ...clean, problems: [{ field: 'customerEmail', problem: 'missing' }] };
    await start({ ...runs, contracts_check_rows: () => [{ index: 0, check }] });
    put('2000000000015');
    key('Tab');
    await tick();
    key('F12');
    await waitFor(() => expect(cursor()).toEqual([0, 8]));
    expect(shows('submit-yes')).toBe(false);
  });
});
