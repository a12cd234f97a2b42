import { describe, expect, it } from 'vitest';
import { at, between, moved, range, type Extent, type Move } from './selection';

/** Three columns; `x` marks what is filled. */
function extent(...rows: string[]): Extent {
  return {
    rows: 100,
    columns: 3,
    used: rows.length,
    page: 10,
    filled: (row, column) => rows[row]?.[column] === 'x',
  };
}

const full = extent('xxx', 'xxx', 'xxx');
const place = (row: number, column: number) => ({ row, column });
const go = (from: ReturnType<typeof at>, move: Move, on = full, extend = false) =>
  moved(from, move, on, extend);

describe('the cursor', () => {
  it('stays within the sheet', () => {
    expect(go(at(0, 0), { kind: 'step', rows: -1, columns: 0 }).cursor).toEqual(place(0, 0));
    expect(go(at(0, 2), { kind: 'step', rows: 0, columns: 1 }).cursor).toEqual(place(0, 2));
    expect(go(at(95, 0), { kind: 'page', rows: 1 }).cursor).toEqual(place(99, 0));
  });

  it('goes to both ends of a row and of the sheet', () => {
    expect(go(at(1, 1), { kind: 'rowStart' }).cursor).toEqual(place(1, 0));
    expect(go(at(1, 1), { kind: 'rowEnd' }).cursor).toEqual(place(1, 2));
    expect(go(at(1, 1), { kind: 'last' }).cursor).toEqual(place(2, 2));
    expect(go(at(1, 1), { kind: 'first' }).cursor).toEqual(place(0, 0));
  });

  it('jumps to the edge of what is filled, then over the gap', () => {
    const holes = extent('x..', 'x..', '...', 'x..', '...');
    const down: Move = { kind: 'jump', rows: 1, columns: 0 };
    const first = go(at(0, 0), down, holes);
    expect(first.cursor).toEqual(place(1, 0));
    const second = go(first, down, holes);
    expect(second.cursor).toEqual(place(3, 0));
    expect(go(second, down, holes).cursor).toEqual(place(4, 0));
    expect(go(at(40, 0), { kind: 'jump', rows: -1, columns: 0 }, holes).cursor.row).toBe(4);
  });

  it('wraps with Tab at the end of a row, and comes back', () => {
    const next = go(at(0, 2), { kind: 'next', columns: 1 });
    expect(next.cursor).toEqual(place(1, 0));
    expect(go(next, { kind: 'next', columns: -1 }).cursor).toEqual(place(0, 2));
    expect(go(at(0, 0), { kind: 'next', columns: -1 }).cursor).toEqual(place(0, 0));
  });

  it('goes on with Enter below where the run of Tab began', () => {
    let selection = at(4, 0);
    for (let n = 0; n < 2; n += 1) selection = go(selection, { kind: 'next', columns: 1 });
    expect(go(selection, { kind: 'down', rows: 1 }).cursor).toEqual(place(5, 0));
    selection = go(selection, { kind: 'step', rows: 0, columns: -1 });
    expect(go(selection, { kind: 'down', rows: 1 }).cursor).toEqual(place(5, 1));
  });
});

describe('a selection', () => {
  const down: Move = { kind: 'step', rows: 1, columns: 0 };

  it('grows from where it began, and the cursor stays there', () => {
    const grown = go(go(at(1, 1), down, full, true), down, full, true);
    expect(range(grown)).toEqual({ top: 1, bottom: 3, left: 1, right: 1 });
    expect(grown.cursor).toEqual(place(1, 1));
    const shrunk = go(grown, { kind: 'page', rows: -1 }, full, true);
    expect(range(shrunk)).toEqual({ top: 0, bottom: 1, left: 1, right: 1 });
    expect(shrunk.cursor).toEqual(place(1, 1));
    expect(range(between(place(3, 2), place(1, 0)))).toEqual({
      top: 1,
      bottom: 3,
      left: 0,
      right: 2,
    });
  });

  it('is left from the cursor', () => {
    const left = go(go(at(1, 1), down, full, true), { kind: 'step', rows: 0, columns: 1 });
    expect([left.cursor, range(left)]).toEqual([
      place(1, 2),
      { top: 1, bottom: 1, left: 2, right: 2 },
    ]);
  });

  it('is walked through by Tab and Enter, and round', () => {
    const block = between(place(1, 0), place(2, 1));
    const walk = (move: Move) => {
      const seen = [];
      for (let now = block, step = 0; step < 5; step += 1) {
        seen.push([now.cursor.row, now.cursor.column]);
        now = go(now, move);
        expect(range(now)).toEqual(range(block));
      }
      return seen;
    };
    expect(walk({ kind: 'next', columns: 1 })).toEqual([
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
      [1, 0],
    ]);
    expect(walk({ kind: 'down', rows: 1 })).toEqual([
      [1, 0],
      [2, 0],
      [1, 1],
      [2, 1],
      [1, 0],
    ]);
    expect(walk({ kind: 'next', columns: -1 })[1]).toEqual([2, 1]);
    expect(walk({ kind: 'down', rows: -1 })[1]).toEqual([2, 1]);
  });

  it('keeps the cursor within when its end passes where the cursor went', () => {
    const walked = go(between(place(0, 0), place(3, 0)), { kind: 'down', rows: -1 });
    expect(walked.cursor).toEqual(place(3, 0));
    const shrunk = go(walked, { kind: 'step', rows: -1, columns: 0 }, full, true);
    expect([shrunk.cursor, range(shrunk).bottom]).toEqual([place(0, 0), 2]);
  });
});
