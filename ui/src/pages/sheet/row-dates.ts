// The dates of rows that are still in the sheet when the day on which they were written is over, by
// the rule of a draft at the counter.
import type { Row } from '../../grid/cells';
import type { Changes } from '../../grid/grid.svelte';
import { ofEarlierDay } from '../../sale/draft-date';
import { DATE, tidied, TRANSACTION } from './columns';

export class RowDates {
  /** Dates that were filled in, by their rows. */
  readonly #filledIn = new Map<number, string>();

  /** The cells of the dates to fill in, from the first row on; null for none. */
  fill(rows: readonly Row[], isLocked: (row: Row) => boolean): Changes | null {
    // A paste writes many rows at the same time.
    const dates = new Map<number, string>();
    let any = false;
    const block = rows.map((row) => {
      const { id, cells, writtenAt } = row;
      if (cells[DATE] !== '' || cells[TRANSACTION] === '' || isLocked(row)) return [];
      const date = dates.get(writtenAt) ?? ofEarlierDay(new Date(writtenAt).toISOString());
      dates.set(writtenAt, date);
      if (date === '') return [];
      any = true;
      this.#filledIn.set(id, date);
      return [date];
    });
    return any ? block : null;
  }

  /**
   * Texts that are written into a row from a column on. With another transaction, a date that was filled
   * in and is not among them is emptied: the sale is of now.
   */
  written(row: Row | undefined, column: number, texts: readonly string[]): Changes[number] {
    const transaction = texts[TRANSACTION - column];
    const end = column + texts.length;
    if (!row || transaction === undefined || end > DATE) return texts;
    const isFilledIn = row.cells[DATE] !== '' && row.cells[DATE] === this.#filledIn.get(row.id);
    if (!isFilledIn || tidied(TRANSACTION, transaction) === row.cells[TRANSACTION]) return texts;
    return [...texts, ...Array<undefined>(DATE - end).fill(undefined), ''];
  }

  reset(): void {
    this.#filledIn.clear();
  }
}
