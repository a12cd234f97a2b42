// Where the cursor stands and what is selected. Pure: every move gives a new selection.

export interface Place {
  readonly row: number;
  readonly column: number;
}

export interface Selection {
  /** The cell with the cursor; typing goes there. */
  readonly cursor: Place;
  /** The opposite corner of what is selected. */
  readonly anchor: Place;
  /** The column in which a run of Tab began: Enter goes on below it. */
  readonly home: number | null;
}

/** Rows and columns, both ends included. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** What a move must know of the sheet. */
export interface Extent {
  /** Rows that can be stood on. */
  rows: number;
  columns: number;
  /** Rows that hold something, counted from the top. */
  used: number;
  /** Rows of one page of the window. */
  page: number;
  filled(row: number, column: number): boolean;
}

export type Move =
  | { kind: 'step'; rows: -1 | 0 | 1; columns: -1 | 0 | 1 }
  /** To the edge of what is filled. */
  | { kind: 'jump'; rows: -1 | 0 | 1; columns: -1 | 0 | 1 }
  | { kind: 'page'; rows: -1 | 1 }
  | { kind: 'rowStart' }
  | { kind: 'rowEnd' }
  | { kind: 'first' }
  | { kind: 'last' }
  | { kind: 'next'; columns: -1 | 1 }
  | { kind: 'down'; rows: -1 | 1 };

export function at(row: number, column: number): Selection {
  const place = { row, column };
  return { cursor: place, anchor: place, home: null };
}

export function between(anchor: Place, cursor: Place): Selection {
  return { cursor, anchor, home: null };
}

export function range({ cursor, anchor }: Selection): Range {
  return {
    top: Math.min(cursor.row, anchor.row),
    bottom: Math.max(cursor.row, anchor.row),
    left: Math.min(cursor.column, anchor.column),
    right: Math.max(cursor.column, anchor.column),
  };
}

export function isSingle({ cursor, anchor }: Selection): boolean {
  return cursor.row === anchor.row && cursor.column === anchor.column;
}

const clamp = (value: number, most: number) => Math.max(0, Math.min(value, most));

function jumped(from: Place, rows: number, columns: number, extent: Extent): Place {
  const last = { row: Math.max(extent.used - 1, 0), column: extent.columns - 1 };
  const inside = (p: Place) =>
    p.row >= 0 && p.column >= 0 && p.column <= last.column && p.row <= last.row;
  const step = (p: Place) => ({ row: p.row + rows, column: p.column + columns });
  const filled = (p: Place) => extent.filled(p.row, p.column);
  let place = step(from);
  if (!inside(place)) {
    // Below the last row there is nothing to stop at; upwards the last row is the next stop.
    return rows < 0 && from.row > last.row ? { row: last.row, column: from.column } : from;
  }
  if (filled(from) && filled(place)) {
    while (inside(step(place)) && filled(step(place))) place = step(place);
    return place;
  }
  while (!filled(place) && inside(step(place))) place = step(place);
  return place;
}

function target(from: Place, move: Move, extent: Extent, home: number | null): Place {
  const { row, column } = from;
  switch (move.kind) {
    case 'step':
      return { row: row + move.rows, column: column + move.columns };
    case 'jump':
      return jumped(from, move.rows, move.columns, extent);
    case 'page':
      return { row: row + move.rows * extent.page, column };
    case 'rowStart':
      return { row, column: 0 };
    case 'rowEnd':
      return { row, column: extent.columns - 1 };
    case 'first':
      return { row: 0, column: 0 };
    case 'last':
      return { row: extent.used - 1, column: extent.columns - 1 };
    case 'next': {
      const next = column + move.columns;
      if (next >= extent.columns) return { row: row + 1, column: 0 };
      if (next < 0) return row === 0 ? from : { row: row - 1, column: extent.columns - 1 };
      return { row, column: next };
    }
    case 'down':
      return { row: row + move.rows, column: home ?? column };
  }
}

/** Moves the cursor; `extend` keeps the opposite corner where it is. */
export function moved(selection: Selection, move: Move, extent: Extent, extend = false): Selection {
  const to = target(selection.cursor, move, extent, selection.home);
  const cursor = {
    row: clamp(to.row, extent.rows - 1),
    column: clamp(to.column, extent.columns - 1),
  };
  const anchor = extend ? selection.anchor : cursor;
  if (move.kind !== 'next') return { cursor, anchor, home: null };
  // A run of Tab that wraps into the next row begins anew there.
  const wrapped = cursor.row !== selection.cursor.row;
  const home = wrapped ? cursor.column : (selection.home ?? selection.cursor.column);
  return { cursor, anchor, home };
}
