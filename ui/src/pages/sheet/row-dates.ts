// The dates of rows that are still in the sheet when the day on which they were written is over, by
// the rule of a draft at the counter.
import type { Row } from '../../grid/cells';
import type { Changes } from '../../grid/grid.svelte';
import { ofEarlierDay } from '../../sale/draft-date';
import { DATE, TRANSACTION } from './columns';

/** The cells of the dates to write, from the first row on; null for none. */
export function datesOf(rows: readonly Row[], isLocked: (row: Row) => boolean): Changes | null {
  // A paste writes many rows at the same time.
  const dates = new Map<number, string>();
  const block = rows.map((row) => {
    const { cells, writtenAt } = row;
    if (cells[DATE] !== '' || cells[TRANSACTION] === '' || isLocked(row)) return [];
    const date = dates.get(writtenAt) ?? ofEarlierDay(new Date(writtenAt).toISOString());
    dates.set(writtenAt, date);
    return date === '' ? [] : [date];
  });
  return block.some(({ length }) => length > 0) ? block : null;
}
