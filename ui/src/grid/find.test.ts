import { expect, it } from 'vitest';
import { newRow } from './cells';
import { findNext } from './find';

const rows = [
  ['A-1', '見本 太郎'],
  ['', 'ﾐﾎﾝ ﾊﾅｺ'],
  ['a-2', ''],
].map((texts) => newRow(2, texts));

const from = (row: number, column: number) => ({ row, column });

it('finds whatever its case and width, from the cursor on and round again', () => {
  expect(findNext(rows, 2, 'ａ-', from(0, 0))).toEqual(from(2, 0));
  expect(findNext(rows, 2, 'ａ-', from(2, 0))).toEqual(from(0, 0));
  expect(findNext(rows, 2, 'ミホン', from(0, 0))).toEqual(from(1, 1));
});

it('finds backwards, and its own cell last of all', () => {
  expect(findNext(rows, 2, 'a-', from(0, 0), true)).toEqual(from(2, 0));
  expect(findNext(rows, 2, '太郎', from(0, 1))).toEqual(from(0, 1));
});

it('begins at the ends when the cursor is below the rows', () => {
  expect(findNext(rows, 2, 'a-', from(10, 1))).toEqual(from(0, 0));
  expect(findNext(rows, 2, '太郎', from(3, 0))).toEqual(from(0, 1));
  expect(findNext(rows, 2, 'a-', from(10, 1), true)).toEqual(from(2, 0));
});

it('says when there is nothing', () => {
  expect(findNext(rows, 2, 'nowhere', from(0, 0))).toBeNull();
  expect(findNext(rows, 2, '  ', from(0, 0))).toBeNull();
  expect(findNext([], 2, 'a', from(0, 0))).toBeNull();
});
