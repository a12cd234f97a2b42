// The rows of a sheet and the edits that change them. A row is immutable: its identity says whether
// it is still the same, and undoing an edit restores the same row objects.

/** One row. `id` is unique as long as the sheet exists and does not depend on the position. */
export interface Row {
  readonly id: number;
  readonly cells: readonly string[];
  /** When its cells were written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** Replaces the rows from `at` on. Holds what is needed to undo it. */
export interface Edit {
  readonly at: number;
  readonly removed: readonly Row[];
  readonly added: readonly Row[];
}

/** Text for a block of cells, row by row; rows may be of unequal length. */
export type Block = readonly (readonly string[])[];

let lastId = 0;

/** A new row from texts; cells beyond the columns are dropped, missing ones are empty. */
export function newRow(
  columns: number,
  texts: readonly string[] = [],
  writtenAt = Date.now(),
): Row {
  const cells = Array.from({ length: columns }, (_, at) => texts[at] ?? '');
  return { id: ++lastId, cells, writtenAt };
}

export function isBlank(row: Row | undefined): boolean {
  return row === undefined || row.cells.every((text) => text === '');
}

/** The edit that undoes another. */
export function inverse({ at, removed, added }: Edit): Edit {
  return { at, removed: added, added: removed };
}

/** How many rows an edit keeps in memory. */
export function weight({ removed, added }: Edit): number {
  return removed.length + added.length;
}

/** The cells with texts written over them from a column on; null when nothing changes. */
function overwritten(
  cells: readonly string[],
  column: number,
  texts: readonly (string | undefined)[],
): string[] | null {
  let written: string[] | null = null;
  const end = Math.min(column + texts.length, cells.length);
  for (let place = column; place < end; place += 1) {
    const text = texts[place - column];
    if (text === undefined || text === cells[place]) continue;
    written ??= cells.slice();
    written[place] = text;
  }
  return written;
}

/** Rows in order. Below the last one everything is blank: a sheet has no end. */
export class Cells {
  #rows: Row[] = [];
  readonly columns: number;

  constructor(columns: number) {
    this.columns = columns;
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  get length(): number {
    return this.#rows.length;
  }

  at(row: number): Row | undefined {
    return this.#rows[row];
  }

  text(row: number, column: number): string {
    return this.#rows[row]?.cells[column] ?? '';
  }

  apply({ at, removed, added }: Edit): void {
    // `splice` takes its rows as arguments, whose number is limited.
    if (removed.length === added.length) {
      for (const [step, row] of added.entries()) this.#rows[at + step] = row;
    } else if (added.length < 5_000) {
      this.#rows.splice(at, removed.length, ...added);
    } else {
      this.#rows = [...this.#rows.slice(0, at), ...added, ...this.#rows.slice(at + removed.length)];
    }
  }

  /**
   * The edit that writes a block with its first cell at a place, or null when nothing would change.
   * `undefined` in the block leaves a cell as it is.
   */
  writing(
    row: number,
    column: number,
    block: readonly (readonly (string | undefined)[])[],
  ): Edit | null {
    const start = Math.min(row, this.length);
    const end = row + block.length;
    const removed = this.#rows.slice(start, end);
    const blank = new Array<string>(this.columns).fill('');
    const writtenAt = Date.now();
    let changed = false;
    const added: Row[] = [];
    for (let at = start; at < end; at += 1) {
      const before = this.#rows[at];
      const texts = at < row ? undefined : block[at - row];
      const cells = texts && overwritten(before?.cells ?? blank, column, texts);
      changed ||= cells != null;
      if (before) added.push(cells ? { id: before.id, cells, writtenAt } : before);
      else added.push({ id: ++lastId, cells: cells ?? blank, writtenAt });
    }
    // Blank rows at the end of a block create no rows.
    while (added.length > removed.length && isBlank(added.at(-1))) added.pop();
    return changed ? { at: start, removed, added } : null;
  }

  /** The edit that puts blank rows before a row. */
  inserting(row: number, count: number): Edit | null {
    if (row >= this.length) return null;
    return {
      at: row,
      removed: [],
      added: Array.from({ length: count }, () => newRow(this.columns)),
    };
  }

  /** The edit that takes rows out. */
  removing(row: number, count: number): Edit | null {
    const removed = this.#rows.slice(row, row + count);
    return removed.length > 0 ? { at: row, removed, added: [] } : null;
  }
}
