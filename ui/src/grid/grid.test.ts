import { expect, test } from 'vitest';
import { Grid } from './grid.svelte';

test('a sheet cleared of all its rows begins again in its first row', () => {
  const grid = new Grid({
    columns: 2,
    most: 100,
    tidy: (_, text) => text,
    locked: () => false,
    headers: () => [],
    pasting: (block) => ({ block }),
    typed: (_, text) => [text],
    changed: () => {},
  });
  grid.write({ row: 0, column: 0 }, [['a'], ['b']]);
  grid.go(1, 0);
  grid.drop(() => true);
  expect(grid.cursor).toEqual({ row: 0, column: 0 });
});
