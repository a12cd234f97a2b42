import { describe, expect, it } from 'vitest';
import { Cells, type Edit } from './cells';
import { History } from './history';
import { at } from './selection';

function written(cells: Cells, row: number, text: string): Edit {
  const edit = cells.writing(row, 0, [[text]])!;
  cells.apply(edit);
  return edit;
}

const always = () => true;

function applied(cells: Cells, step: ReturnType<History['undo']>): string[] {
  if (step === 'refused') throw new Error('refused');
  for (const edit of step?.edits ?? []) cells.apply(edit);
  return cells.rows.map((row) => row.cells[0]!);
}

describe('what was done', () => {
  it('is taken back and done again in order', () => {
    const cells = new Cells(1);
    const history = new History();
    history.note(written(cells, 0, 'a'), at(0, 0));
    history.note(written(cells, 1, 'b'), at(1, 0));
    expect(applied(cells, history.undo(always))).toEqual(['a']);
    expect(applied(cells, history.undo(always))).toEqual([]);
    expect(history.undo(always)).toBeNull();
    expect(applied(cells, history.redo(always))).toEqual(['a']);
    expect(applied(cells, history.redo(always))).toEqual(['a', 'b']);
    expect(history.redo(always)).toBeNull();
  });

  it('stays where it is while it may not be taken back', () => {
    const cells = new Cells(1);
    const history = new History();
    history.note(written(cells, 0, 'a'), at(0, 0));
    expect(history.undo(() => false)).toBe('refused');
    expect(applied(cells, history.undo(always))).toEqual([]);
    expect(history.redo(() => false)).toBe('refused');
    expect(applied(cells, history.redo(always))).toEqual(['a']);
  });

  it('takes a joined change back together with the one before it', () => {
    const cells = new Cells(1);
    const history = new History();
    history.note(written(cells, 0, 'a'), at(0, 0));
    history.note(written(cells, 0, 'b'), at(0, 0), true);
    expect(applied(cells, history.undo(always))).toEqual([]);
  });

  it('cannot be done again once something else was done', () => {
    const cells = new Cells(1);
    const history = new History();
    history.note(written(cells, 0, 'a'), at(0, 0));
    applied(cells, history.undo(always));
    history.note(written(cells, 0, 'c'), at(0, 0));
    expect(history.redo(always)).toBeNull();
  });

  it('is bounded by its steps and by the rows it keeps, but the last step always goes back', () => {
    const cells = new Cells(1);
    const history = new History({ steps: 2, rows: 5 });
    for (const text of ['a', 'b', 'c']) history.note(written(cells, 0, text), at(0, 0));
    expect(history.undo(always)).not.toBeNull();
    expect(history.undo(always)).not.toBeNull();
    expect(history.undo(always)).toBeNull();
    const big = cells.writing(
      0,
      0,
      Array.from({ length: 50 }, (_, n) => [`${n}`]),
    )!;
    cells.apply(big);
    history.note(big, at(0, 0));
    expect(history.undo(always)).toMatchObject({ edits: [{ removed: big.added }] });
  });
});
