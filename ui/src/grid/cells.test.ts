import { describe, expect, it } from 'vitest';
import { Cells, inverse, newRow } from './cells';

function sheetOf(...rows: string[][]): Cells {
  const cells = new Cells(3);
  cells.apply({ at: 0, removed: [], added: rows.map((texts) => newRow(3, texts)) });
  return cells;
}

const texts = (cells: Cells) => cells.rows.map((row) => row.cells.join('|'));

describe('writing', () => {
  it('changes only the rows that differ and leaves what it does not name', () => {
    const cells = sheetOf(['a', 'b', 'c'], ['d', 'e', 'f']);
    const [first, second] = cells.rows;
    cells.apply(cells.writing(0, 1, [[undefined, 'C'], ['e']])!);
    expect(texts(cells)).toEqual(['a|b|C', 'd|e|f']);
    expect(cells.at(0)).not.toBe(first);
    expect(cells.at(0)!.id).toBe(first!.id);
    expect(cells.at(1)).toBe(second);
  });

  it('is nothing when nothing changes', () => {
    const cells = sheetOf(['a', 'b', 'c']);
    expect(cells.writing(0, 0, [['a', 'b']])).toBeNull();
    expect(cells.writing(5, 0, [['', '']])).toBeNull();
  });

  it('makes the rows between the last one and a place below it', () => {
    const cells = sheetOf(['a']);
    const edit = cells.writing(3, 2, [['z']])!;
    cells.apply(edit);
    expect(texts(cells)).toEqual(['a||', '||', '||', '||z']);
    cells.apply(inverse(edit));
    expect(texts(cells)).toEqual(['a||']);
  });

  it('drops what lies beyond the last column', () => {
    const cells = sheetOf(['a', 'b', 'c']);
    cells.apply(cells.writing(0, 2, [['x', 'y', 'z']])!);
    expect(texts(cells)).toEqual(['a|b|x']);
  });
});

describe('rows', () => {
  it('are put in and taken out, and come back as the same rows', () => {
    const cells = sheetOf(['a'], ['b'], ['c']);
    const taken = cells.removing(1, 1)!;
    const gone = cells.at(1);
    cells.apply(taken);
    expect(texts(cells)).toEqual(['a||', 'c||']);
    cells.apply(inverse(taken));
    expect(cells.at(1)).toBe(gone);
    cells.apply(cells.inserting(1, 2)!);
    expect(texts(cells)).toEqual(['a||', '||', '||', 'b||', 'c||']);
  });

  it('are taken in by the ten thousand', () => {
    const cells = sheetOf(['head']);
    const block = Array.from({ length: 20_000 }, (_, at) => [String(at)]);
    cells.apply(cells.writing(1, 0, block)!);
    expect(cells.length).toBe(20_001);
    expect(cells.text(20_000, 0)).toBe('19999');
  });
});
