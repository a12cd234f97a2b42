import { describe, expect, it } from 'vitest';
import { fitted, read, write } from './clipboard';

describe('the clipboard', () => {
  it('is read as Excel leaves it: quoted cells, line breaks, one line break at the end', () => {
    const text = 'a\t"two\r\nlines"\t"say ""hi"""\r\n\t \tz\r\n';
    expect(read(text)).toEqual([
      ['a', 'two\r\nlines', 'say "hi"'],
      ['', ' ', 'z'],
    ]);
  });

  it('keeps the inches of a cell that nothing closes', () => {
    expect(read('"27 display\t100\r\nnext\t200')).toEqual([
      ['"27 display', '100'],
      ['next', '200'],
    ]);
    expect(read('27" display\t100')).toEqual([['27" display', '100']]);
  });

  it('reads rows of unequal length and a single cell', () => {
    expect(read('a\tb\nc\n')).toEqual([['a', 'b'], ['c']]);
    expect(read('見本　太郎')).toEqual([['見本　太郎']]);
  });

  it.each([
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    [['two\nlines', 'tab\there', '"quoted"', '']],
    [['=1+1', '+81', '-5', '@x', "'=kept", "it's"]],
    [['＝1+1', '＋81', '－5', '＠x', "'＝kept", '\n=1']],
    [['', '', '']],
  ])('gives back what was written (%#)', (...block) => {
    expect(read(write(block) + '\r\n')).toEqual(block);
  });

  it('hands no formula to another spreadsheet', () => {
    const formulas = ['=HYPERLINK("x")', '+1', '-1', '@a', '＝1', '＋1', '－1', '＠a', '\n=1'];
    for (const cell of write([formulas]).split('\t')) {
      expect(cell.replace(/^"/, '')).toMatch(/^'/);
    }
  });
});

describe('a block', () => {
  const into = (height: number, width: number) => ({
    top: 0,
    bottom: height - 1,
    left: 0,
    right: width - 1,
  });

  it('of one cell fills all that is selected', () => {
    expect(fitted([['x']], into(2, 3))).toEqual([
      ['x', 'x', 'x'],
      ['x', 'x', 'x'],
    ]);
  });

  it('of one row goes into each row selected', () => {
    expect(fitted([['a', 'b']], into(3, 1))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('that does not fit goes in once', () => {
    const block = [['a'], ['b']];
    expect(fitted(block, into(3, 1))).toEqual(block);
    expect(fitted([['a', 'b'], ['c']], into(2, 4))).toEqual([['a', 'b'], ['c']]);
  });
});
