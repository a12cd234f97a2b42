import { describe, expect, it } from 'vitest';
import { Cells, newRow, type Row } from '../../grid/cells';
import { COLUMNS, FEE, PLAN, TRANSACTION } from './columns';
import { yesTo } from '../../ipc';
import { clean } from '../../testing/samples';
import { RowStatuses } from './row-status.svelte';

const WHOLE = ['4901', '1000', 'plan-1', '100', 'T-1', '1100', '', '見本', 'a@b.jp'];

function sheetOf(...rows: string[][]) {
  const cells = new Cells(COLUMNS.length);
  const submitted = new Set<number>();
  const findings = new RowStatuses(
    (id) => submitted.has(id),
    (id) => cells.rows.findIndex((row) => row.id === id),
  );
  const apply = (edit: ReturnType<Cells['writing']>) => {
    if (!edit) return;
    cells.apply(edit);
    findings.changed(edit);
  };
  apply({ at: 0, removed: [], added: rows.map((texts) => newRow(COLUMNS.length, texts)) });
  const look = (checks = {}) => {
    const unchecked = findings.unchecked({ rows: 100, characters: 100_000 });
    findings.found(
      unchecked,
      new Map(Object.entries(checks).map(([n, c]) => [Number(n), c as never])),
    );
  };
  return { cells, findings, submitted, apply, look, row: (at: number): Row => cells.at(at)! };
}

const other = (text: string) => WHOLE.with(TRANSACTION, text);

describe('a row', () => {
  it('is ready once the desk has nothing against it', () => {
    const { findings, look } = sheetOf(WHOLE, []);
    expect(findings.counts).toMatchObject({ checking: 1, blank: 1, ready: 0 });
    look();
    expect(findings.counts).toMatchObject({ checking: 0, blank: 1, ready: 1 });
  });

  it('is looked at anew when it changes, and an old answer says nothing of it', () => {
    const { cells, findings, apply, row } = sheetOf(WHOLE);
    const before = row(0);
    apply(cells.writing(0, TRANSACTION, [['']]));
    findings.found([before], new Map());
    expect(findings.standing(row(0))).toBe('checking');
  });

  it('is looked at in an earlier call than others when one call would not take them all', () => {
    const { findings, row } = sheetOf(WHOLE, other('T-2'), other('x'.repeat(300)));
    const within = (rows: number, characters: number) => findings.unchecked({ rows, characters });
    expect(within(2, 1_000)).toEqual([row(0), row(1)]);
    expect(within(100, 200)).toEqual([row(0), row(1)]);
    expect(within(100, 1_000)).toHaveLength(3);
    // One that is too long for a call is still looked at, and stops no other.
    expect(within(100, 1)).toEqual([row(0)]);
  });

  it('that repeats another asks whether it is one more, until one of them changes or goes', () => {
    const { cells, findings, apply, look, row } = sheetOf(WHOLE, other('T-2'), WHOLE);
    look();
    expect(findings.counts).toMatchObject({ asks: 1, ready: 2 });
    const note = findings.note(row(2), TRANSACTION);
    expect(note).toMatchObject({ tone: 'asks', text: expect.stringContaining('row 1') });
    apply(cells.removing(0, 1));
    expect(findings.counts).toMatchObject({ asks: 0, ready: 2 });
  });

  it('whose transaction differs from another in zeros in front or capitals alone asks as an equal one', () => {
    const written = ['1', '0001', '0', 'T-01', 't-01', 'T-1'];
    const { findings, look, row } = sheetOf(...written.map(other));
    look();
    expect(findings.counts).toMatchObject({ asks: 2, ready: 4 });
    expect([row(1), row(4)].map((one) => findings.standing(one))).toEqual(['asks', 'asks']);
  });

  it('that the desk takes for a repeated one keeps that question when the sheet has no equal row', () => {
    const { findings, look, row } = sheetOf(WHOLE);
    look();
    const repeated = { kind: 'repeatedRow' as const, line: 1, nth: 2 };
    findings.refused(row(0), { ...clean, questions: [repeated] });
    expect(findings.standing(row(0))).toBe('asks');
    const note = findings.note(row(0), TRANSACTION);
    expect(note?.text).toContain('another row');
    findings.answer(row(0), findings.questions(row(0)).map(yesTo));
    expect(findings.standing(row(0))).toBe('ready');
  });

  it('asks about a code in the form of a number at its cell', () => {
    const { findings, look, row } = sheetOf(WHOLE.with(PLAN, '1,001'));
    const asked = { kind: 'cellText', field: 'planId', cell: 'planId', text: '1,001' };
    look({ 0: { ...clean, questions: [asked] } });
    expect(findings.note(row(0), PLAN)?.text).toMatch(/^"1,001" .*\(Alt\+Y\)$/);
    expect(findings.places(row(0))).toEqual([PLAN]);
    findings.answer(row(0), findings.questions(row(0)).map(yesTo));
    expect(findings.standing(row(0))).toBe('ready');
  });

  it('of many that are the same sale asks unless it is the first, each for itself', () => {
    const { cells, findings, apply, look, row } = sheetOf(WHOLE, WHOLE, WHOLE, WHOLE);
    look();
    expect(findings.counts).toMatchObject({ asks: 3, ready: 1 });
    findings.answer(row(3), findings.questions(row(3)).map(yesTo));
    expect(findings.counts).toMatchObject({ asks: 2, ready: 2 });
    apply(cells.removing(0, 2));
    expect(findings.counts).toMatchObject({ asks: 0, ready: 2 });
    apply(cells.writing(1, TRANSACTION, [['T-2']]));
    apply(cells.writing(1, TRANSACTION, [['T-1']]));
    look();
    expect([row(0), row(1)].map((each) => findings.standing(each))).toEqual(['ready', 'asks']);
  });

  it('whose twin was submitted waits until the desk knows of that, and then asks', () => {
    const { findings, submitted, look, row } = sheetOf(WHOLE, WHOLE, WHOLE);
    look();
    submitted.add(row(0).id);
    findings.turned([row(0).id]);
    expect(findings.standing(row(1))).toBe('wrong');
    expect(findings.questionAt(row(2), TRANSACTION)).toBeUndefined();
    // Checked before the other is entered, it has no question yet.
    look();
    expect(findings.standing(row(1))).toBe('wrong');
    findings.lookAgain();
    look({ 0: { ...clean, questions: [{ kind: 'secondContract', submissionId: 's' }] } });
    expect(findings.standing(row(1))).toBe('asks');
    findings.answer(row(1), [{ kind: 'secondContract', submissionId: 's' }]);
    expect(findings.standing(row(1))).toBe('ready');
  });

  it('names the state of an earlier entry, which may be another sale or not be sold', () => {
    const asked = { kind: 'secondContract', submissionId: 's', state: 'unknown' };
    const { findings, look, row } = sheetOf(WHOLE);
    look({ 0: { ...clean, questions: [asked] } });
    const note = findings.note(row(0), TRANSACTION);
    expect(note?.text).toMatch(/apart from zeros in front.* may .*\(Outcome unknown\)/);
  });

  it('says of a row with other zeros in front only what it compared', () => {
    const { findings, look, row } = sheetOf(other('0123'), other('123'));
    look();
    expect(findings.note(row(1), TRANSACTION)?.text).toMatch(/apart from zeros in front/);
  });

  it('whose yes came back from the desk asks again, until no other row is the same sale', () => {
    const inFullWidth = WHOLE.with(PLAN, 'ｐｌａｎ-1');
    const { cells, findings, apply, look, row } = sheetOf(WHOLE, inFullWidth);
    look();
    findings.answer(row(1), findings.questions(row(1)).map(yesTo));
    expect(findings.standing(row(1))).toBe('ready');
    const repeated = { kind: 'repeatedRow' as const, line: 1, nth: 2 };
    findings.refused(row(1), { ...clean, questions: [repeated] });
    expect(findings.standing(row(1))).toBe('asks');
    apply(cells.writing(0, TRANSACTION, [['T-2']]));
    expect(findings.standing(row(1))).toBe('ready');
    apply(cells.writing(0, TRANSACTION, [['T-1']]));
    expect(findings.standing(row(1))).toBe('asks');
    apply(cells.removing(0, 1));
    expect(findings.standing(row(0))).toBe('ready');
  });

  it('keeps its answers while what was asked stands, and no longer', () => {
    const { cells, findings, apply, look, row } = sheetOf(WHOLE);
    const asks = { ...clean, questions: [{ kind: 'changedPrice', entered: 100, current: 90 }] };
    look({ 0: asks });
    expect(findings.standing(row(0))).toBe('asks');
    expect(findings.note(row(0), FEE)?.tone).toBe('asks');
    findings.answer(row(0), [{ kind: 'changedPrice', current: 90 }]);
    expect(findings.standing(row(0))).toBe('ready');
    apply(cells.writing(0, 7, [['例示']]));
    look({ 0: asks });
    expect(findings.standing(row(0))).toBe('ready');
    apply(cells.writing(0, FEE, [['80']]));
    look({ 0: asks });
    expect(findings.standing(row(0))).toBe('asks');
  });

  it('asks about a price that is no whole amount at the fee, until just that is answered', () => {
    const { findings, look, row } = sheetOf(WHOLE);
    const asks = {
      ...clean,
      questions: [{ kind: 'priceNotUnderstood', entered: 100, current: '1.5' }],
    };
    look({ 0: asks });
    expect(findings.note(row(0), FEE)?.text).toContain('1.5');
    findings.answer(row(0), [{ kind: 'priceNotUnderstood', current: 'true' }]);
    look({ 0: asks });
    expect(findings.standing(row(0))).toBe('asks');
    findings.answer(row(0), [{ kind: 'priceNotUnderstood', current: '1.5' }]);
    expect(findings.standing(row(0))).toBe('ready');
  });

  it('says what is missing only once nobody is filling it in', () => {
    const { findings, look, row } = sheetOf(['4901']);
    look({ 0: { ...clean, problems: [{ field: 'transactionId', problem: 'missing' }] } });
    expect(findings.note(row(0), TRANSACTION, () => true)).toBeNull();
    expect(findings.note(row(0), TRANSACTION)?.text).toBe('Required.');
    expect(findings.isIncomplete(row(0))).toBe(true);
  });

  it('that was submitted counts no longer, and counts again when it comes back', () => {
    const { findings, submitted, look, row } = sheetOf(WHOLE, other('T-2'));
    look();
    submitted.add(row(0).id);
    findings.turned([row(0).id]);
    expect(findings.counts).toMatchObject({ ready: 1, submitted: 1 });
    submitted.clear();
    findings.turned([row(0).id]);
    expect(findings.counts).toMatchObject({ ready: 2, submitted: 0 });
  });
});
