// Rows submitted from the sheet and returned to it. Submitted rows are read-only.
import { waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import {
  byTestId,
  fill,
  focusIsAt,
  held,
  noteOf,
  press,
  refuses,
  shows,
  startWindow,
  type FakeDesk,
  type Reply,
} from '../../testing/desk';
import { t } from '../../i18n/language.svelte';
import type { RunView, SheetPart } from '../../ipc';
import { openPage } from '../../navigation/route.svelte';
import { clean, REFERENCE, wantsStaff } from '../../testing/samples';
import {
  box,
  cell,
  cursor,
  key,
  paste,
  pasteSales,
  put,
  rejectedRow,
  run,
  runRow,
  runs,
  sale,
  start,
  textAt,
} from '../../testing/sheet';
import { sheet } from './sheet.svelte';

describe('submitting', () => {
  const order = (desk: FakeDesk) =>
    desk.calls
      .map(({ command }) => command)
      .filter((name) => ['sheet_stage', 'draft_keep', 'run_start'].includes(name));

  async function submit(otherwise: Parameters<typeof startWindow>[1] = {}): Promise<FakeDesk> {
    const desk = await start({ ...runs, ...otherwise });
    await pasteSales(1, 2);
    await waitFor(() => expect(desk.called('draft_keep').length).toBeGreaterThan(1));
    desk.calls.length = 0;
    key('Enter', { ctrlKey: true });
    expect((await byTestId('submit-totals')).textContent).toMatch(/Transactions\s*2\D*7,960/);
    (await byTestId('submit-yes')).click();
    await waitFor(() => expect(desk.called('run_start')).toHaveLength(1));
    return desk;
  }

  /** Two rows that were submitted, and a report of their run. */
  async function over(otherwise: Record<string, Reply>, report: Partial<RunView>) {
    const desk = await submit(otherwise);
    const id = desk.called('sheet_stage')[0]!['id'] as string;
    await desk.tell({ kind: 'runProgressed', run: { ...run, id, rows: 2, ...report } });
    return { desk, id };
  }

  const twoSold = { ...run.sent, confirmed: 2 };

  it('asks for a code per sale before rows are submitted, once for all of them', async () => {
    const desk = await start({ ...runs, ...wantsStaff });
    await pasteSales(1, 2);
    key('F12');
    await press('submit-yes');
    await focusIsAt('staff-code');
    expect(noteOf(await byTestId('staff-code'))).toContain('Required');
    expect(desk.called('sheet_stage')).toEqual([]);
    await fill('staff-code', '42');
    await press('submit-yes');
    await waitFor(() => expect(desk.called('run_start')).toHaveLength(1));
    expect(
      desk.calls
        .filter(({ command }) => ['staff_enter', 'sheet_stage'].includes(command))
        .map(({ command, args }) => args['code'] ?? command),
    ).toEqual(['42', 'sheet_stage', 'staff_enter']);
  });

  it('keeps the rows, notes them in the sheet, and only then starts', async () => {
    const desk = await submit();
    expect(order(desk)[0]).toBe('sheet_stage');
    expect(order(desk).at(-1)).toBe('run_start');
    expect(order(desk)).toContain('draft_keep');
    const staged = desk.called('sheet_stage')[0] as { id: string; part: SheetPart };
    expect(staged.part).toMatchObject({ after: 0, last: true });
    expect(staged.part.rows).toHaveLength(2);
    const noted = desk.called('draft_keep').map(({ text }) => text as string);
    expect(noted.some((text) => text.includes(staged.id))).toBe(true);
  });

  it('hands many rows over in parts that follow each other, of which only the last makes them whole', async () => {
    const desk = await start(runs);
    await pasteSales(...Array(2_500).keys());
    key('Enter', { ctrlKey: true });
    (await byTestId('submit-yes')).click();
    await waitFor(() => expect(desk.called('run_start')).toHaveLength(1), { timeout: 20_000 });
    const calls = desk.called('sheet_stage') as { id: string; part: SheetPart }[];
    expect(calls.map(({ part }) => [part.after, part.rows.length, part.last])).toEqual([
      [0, 1_000, false],
      [1_000, 1_000, false],
      [2_000, 500, true],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(1);
  }, 60_000);

  it('leaves rows that can no longer be changed', async () => {
    await submit();
    key('Home', { ctrlKey: true });
    put('x');
    await waitFor(() => expect(box.value).toBe(''));
    paste('overwritten');
    key('Delete');
    expect(textAt(0, 0)).toBe(REFERENCE);
    expect(await byTestId('sheet-refusal')).toBeTruthy();
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBe('true');
  });

  it('promises no date of now for rows that were submitted', async () => {
    await submit();
    await waitFor(() => expect(textAt(0, 6)).toBe(''));
  });

  it('refuses to undo what they were before, and still undoes what came after', async () => {
    await submit();
    key('z', { ctrlKey: true });
    expect((await byTestId('sheet-refusal')).textContent).toContain('Submitted rows');
    expect(textAt(0, 0)).toBe(REFERENCE);
    expect(textAt(1, 4)).toBe('T-2');
    key('ArrowDown', { ctrlKey: true });
    key('ArrowDown');
    put('later');
    key('Enter');
    await waitFor(() => expect(textAt(2, 0)).toBe('later'));
    key('z', { ctrlKey: true });
    await waitFor(() => expect(textAt(2, 0)).toBe(''));
    expect(shows('sheet-refusal')).toBe(false);
  });

  it.each([
    ['a paste', () => paste('x\nx\nx')],
    ['filling down', () => key('d', { ctrlKey: true })],
    ['taking rows out', () => key('-', { ctrlKey: true })],
  ])('refuses %s over them whole', async (_, change) => {
    await submit();
    key('Home', { ctrlKey: true });
    for (let step = 0; step < 2; step += 1) key('ArrowDown', { shiftKey: true });
    key('ArrowRight', { shiftKey: true });
    for (let step = 0; step < 3; step += 1) key('ArrowRight', { shiftKey: true });
    change();
    await byTestId('sheet-refusal');
    expect([textAt(0, 4), textAt(1, 4), textAt(2, 0)]).toEqual(['T-1', 'T-2', '']);
  });

  it('shows at each row where its entry stands, and no batch it may not be in', async () => {
    const row = (number: number, state: string) =>
      runRow(number, { submission: { id: `s-${number}`, state, contractId: null } });
    await submit({ run_rows: () => [row(1, 'confirmed'), row(2, 'unknown')] });
    const margin = (at: number) => cell(at, -1);
    await waitFor(() => expect(margin(0)?.textContent).toContain('Confirmed'));
    const short = margin(1)?.querySelector('.word');
    expect([short?.textContent, short?.getAttribute('title')]).toEqual([
      'Unknown',
      'Outcome unknown',
    ]);
    expect(document.querySelector('[data-testid="grid"]')?.textContent).not.toContain('batch');
  });

  it('gives rows back that the service would not take, with the reason at the cell', async () => {
    const { desk, id } = await over(
      { run_rows: ({ only }) => (only === 'rejected' ? [rejectedRow(2)] : []) },
      { rejected: 1, state: 'done' },
    );
    await waitFor(() => expect(cell(1, 2)?.getAttribute('aria-invalid')).toBe('true'));
    expect(cell(1, 2)?.getAttribute('aria-readonly')).toBeNull();
    expect(cell(0, 2)?.getAttribute('aria-readonly')).toBe('true');
    // The desk counts it until the draft has it.
    const runs = [{ id, back: 1 }];
    await waitFor(() => expect(desk.called('sheet_follows').at(-1)).toMatchObject({ runs }));
    const commands = desk.calls.map(({ command }) => command);
    expect(commands.lastIndexOf('draft_keep')).toBeLessThan(commands.lastIndexOf('sheet_follows'));
  });

  it('has refused rows checked again when the sheet is opened again, their cause may be corrected', async () => {
    await over(
      { run_rows: ({ only }) => (only === 'rejected' ? [rejectedRow(2)] : []) },
      { rejected: 1, state: 'done' },
    );
    await waitFor(() => expect(sheet.findings.counts.wrong).toBe(1));
    openPage('products');
    await byTestId('page-products');
    openPage('sheet');
    await waitFor(() => expect(sheet.findings.counts).toMatchObject({ wrong: 0, ready: 1 }));
  });

  it('that cannot be started leaves the rows as they were', async () => {
    const desk = await submit({
      run_start: () => Promise.reject('closed'),
      run: ({ id }) => ({ ...run, id }),
      run_forget: () => null,
    });
    await waitFor(() => expect(desk.called('run_forget')).toHaveLength(1));
    await waitFor(() => expect(cell(0, 0)?.getAttribute('aria-readonly')).toBeNull());
  });

  it('says before it how many rows are unusual', async () => {
    const check = { ...clean, warnings: ['totalBelowPrice'] };
    await start({ contracts_check_rows: () => [{ index: 1, check }] });
    paste(`${sale(1)}\n${sale(2)}`);
    await waitFor(() => expect(sheet.findings.counts.ready).toBe(2), { timeout: 3_000 });
    key('F12');
    expect((await byTestId('submit-unusual')).textContent).toContain('1 row has an unusual value');
  });

  it('asked for twice at once submits once', async () => {
    const [waits, answer] = held();
    const desk = await start({ ...runs, sheet_stage: waits });
    await pasteSales(1);
    key('F12');
    (await byTestId('submit-yes')).click();
    await waitFor(() => expect(desk.called('sheet_stage')).toHaveLength(1));
    key('F12');
    await tick();
    expect(shows('submit-yes')).toBe(false);
    answer({ ...run, id: desk.called('sheet_stage')[0]!['id'], rows: 1 });
    await waitFor(() => expect(desk.called('run_start')).toHaveLength(1));
    expect(desk.called('sheet_stage')).toHaveLength(1);
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBe('true');
  });

  it('keeps the rows of a run that goes on although nobody said that it started', async () => {
    const desk = await submit({
      run_start: () => Promise.reject('closed'),
      run: runs.run_start,
    });
    await waitFor(() => expect(desk.called('run')).toHaveLength(1));
    await byTestId('sheet-pause');
    expect(desk.called('run_forget')).toEqual([]);
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBe('true');
  });

  it('keeps the rows of a run that could not be forgotten', async () => {
    const desk = await submit({
      run_start: () => Promise.reject('closed'),
      run: runs.sheet_stage,
      run_forget: () => Promise.reject('closed'),
    });
    await waitFor(() => expect(desk.called('run_forget')).toHaveLength(1));
    await byTestId('sheet-run');
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBe('true');
  });

  it('starts nothing whose note in the sheet is not kept', async () => {
    const desk = await start({
      ...runs,
      run: ({ id }) => ({ ...run, id }),
      run_forget: () => null,
    });
    await pasteSales(1);
    desk.answer('draft_keep', () => 'nowhere');
    key('F12');
    (await byTestId('submit-yes')).click();
    await waitFor(() => expect(desk.called('run_forget')).toHaveLength(1));
    await waitFor(() => expect(cell(0, 0)?.getAttribute('aria-readonly')).toBeNull());
    expect(desk.called('run_start')).toEqual([]);
  });

  it('gives back what a stop called off, and never clears it away as finished', async () => {
    const sent = runRow(1, { submission: { state: 'unknown' } });
    const calledOff = runRow(2, { submission: { state: 'cancelled' } });
    await over(
      { run_rows: ({ only }) => (only === null ? [sent, calledOff] : []) },
      { entered: 2, state: 'cancelled' },
    );
    await waitFor(() => expect(cell(1, 0)?.getAttribute('aria-readonly')).toBeNull());
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBe('true');
    await sheet.clearFinished();
    expect(textAt(1, 4)).toBe('T-2');
  });

  it('clears finished rows away under an open cell and leaves what is typed in it where it was', async () => {
    const sold = (number: number) => runRow(number, { submission: { state: 'confirmed' } });
    await over(
      { run_rows: ({ only, after }) => (only === null && after === 0 ? [sold(1), sold(2)] : []) },
      { entered: 2, state: 'done', sent: twoSold },
    );
    key('Home', { ctrlKey: true });
    for (const arrow of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) key(arrow);
    for (const arrow of ['ArrowRight', 'ArrowRight']) key(arrow);
    put('T-9');
    (await byTestId('sheet-clear')).click();
    await waitFor(() => expect(textAt(0, 4)).toBe('T-9'));
    expect(cursor()).toEqual([0, 4]);
    expect(cell(0, 0)?.getAttribute('aria-readonly')).toBeNull();
  });

  it('marks what may exist twice, counts it for a person and does not clear it away', async () => {
    const submission = { state: 'confirmed', duplicatePossible: true };
    const sold = [runRow(1, { submission }), runRow(2, { submission: { state: 'confirmed' } })];
    await over(
      { run_rows: ({ only, after }) => (only === null && after === 0 ? sold : []) },
      { entered: 2, state: 'done', sent: { ...run.sent, confirmed: 2, possibleDuplicates: 1 } },
    );
    const marks = () => [0, 1].map((row) => cell(row, -1)?.textContent);
    await waitFor(() => expect(marks()[0]).toContain(t('sheet.mark.duplicate')));
    expect(marks()[1]).toContain(t('state.confirmed'));
    expect((await byTestId('sheet-result')).textContent).toMatch(/2.*accepted.*1 /);
    (await byTestId('sheet-clear')).click();
    await waitFor(() => expect(textAt(1, 4)).toBe(''));
    expect(textAt(0, 4)).toBe('T-1');
  });

  it('shows that finished rows are being read', async () => {
    const [waits, answer] = held();
    const sold = (number: number) => runRow(number, { submission: { state: 'confirmed' } });
    await over({ run_rows: waits }, { entered: 2, state: 'done', sent: twoSold });
    const clear = await byTestId('sheet-clear');
    clear.click();
    await waitFor(() => expect(clear.getAttribute('aria-busy')).toBe('true'));
    answer([sold(1), sold(2)]);
    await waitFor(() => expect(shows('sheet-clear')).toBe(false));
  });

  it('says when finished rows cannot be read, and leaves them', async () => {
    await over({ run_rows: refuses() }, { entered: 2, state: 'done', sent: twoSold });
    (await byTestId('sheet-clear')).click();
    await byTestId('error-notice');
    expect(textAt(0, 4)).toBe('T-1');
    expect(shows('sheet-clear')).toBe(true);
  });

  it('counts in the result no row that was not submitted', async () => {
    const problems = [{ field: 'planId', problem: 'unknownPlan' }];
    const { desk } = await over({}, { entered: 2, state: 'done', sent: twoSold });
    desk.answer('contracts_check_rows', () => [{ index: 0, check: { ...clean, problems } }]);
    sheet.grid.write({ row: 2, column: 4 }, [['T-3']]);
    await waitFor(() => expect(sheet.findings.counts.wrong).toBe(1));
    expect((await byTestId('sheet-result')).textContent?.trim()).toBe('2 accepted');
  });

  it('clears away what is finished, and offers that again once a person corrected a row elsewhere', async () => {
    const rows = [
      runRow(1, { submission: { state: 'confirmed' } }),
      runRow(2, { submission: { state: 'rejected' } }),
    ];
    const ended = { rows: 2, entered: 2, state: 'done' as const };
    const { desk } = await over(
      { run_rows: ({ only, after }) => (only === null && after === 0 ? rows : []) },
      { ...ended, sent: { ...run.sent, confirmed: 1, rejected: 1 } },
    );
    await press('sheet-clear');
    await waitFor(() => expect(textAt(0, 4)).toBe('T-2'));
    await waitFor(() => expect(shows('sheet-clear')).toBe(false));
    const sent = { ...run.sent, confirmed: 1, cancelled: 1 };
    desk.answer('run', ({ id }) => ({ ...run, id: id as string, ...ended, sent }));
    // Also when the page is opened once more.
    for (let opened = 0; opened < 2; opened += 1) {
      openPage('products');
      await byTestId('page-products');
      openPage('sheet');
      await byTestId('sheet-clear');
      expect((await byTestId('sheet-result')).textContent).not.toContain('to correct');
    }
  });

  it('does not count a row that was reported and settled while the sheet was not open', async () => {
    const ended = { rows: 2, entered: 2, state: 'done' as const };
    const { desk, id } = await over({}, { ...ended, sent: { ...run.sent, accepted: 2 } });
    openPage('products');
    await byTestId('page-products');
    const reported = { ...run.sent, confirmed: 1, needsPerson: 1 };
    await desk.tell({ kind: 'runProgressed', run: { ...run, id, ...ended, sent: reported } });
    desk.answer('run', () => ({ ...run, id, ...ended, sent: twoSold }));
    openPage('sheet');
    await waitFor(() =>
      expect(document.querySelector('[data-testid=sheet-result]')?.textContent?.trim()).toBe(
        '2 accepted',
      ),
    );
  });

  it('offers to clear nothing away before something is finished', async () => {
    await over({}, { entered: 2, state: 'done', sent: { ...run.sent, needsPerson: 2 } });
    await byTestId('sheet-result');
    expect(shows('sheet-clear')).toBe(false);
    expect((await byTestId('sheet-result')).textContent).not.toContain('accepted');
  });

  it('takes F12 for a yes, and no Enter', async () => {
    const desk = await start({ sheet_stage: () => Promise.reject('closed') });
    await pasteSales(1);
    key('F12');
    const back = await byTestId<HTMLButtonElement>('submit-back');
    // The browser focuses it when the question opens.
    expect(back.autofocus).toBe(true);
    expect(desk.called('sheet_stage')).toEqual([]);
    const yes = { key: 'F12', bubbles: true, cancelable: true };
    back.dispatchEvent(new KeyboardEvent('keydown', { ...yes, repeat: true }));
    await tick();
    expect(desk.called('sheet_stage')).toEqual([]);
    back.dispatchEvent(new KeyboardEvent('keydown', yes));
    await waitFor(() => expect(desk.called('sheet_stage')).toHaveLength(1));
    // Not submitted: the row can be edited.
    await waitFor(() => expect(cell(0, 0)?.getAttribute('aria-readonly')).toBeNull());
  });
});
