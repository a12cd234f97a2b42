// The cursor and the selection. Pure: every move returns a new selection.

export interface Place {
  readonly row: number;
  readonly column: number;
}

export interface Selection {
  /** The cell with the cursor, one of those selected; typing goes there. */
  readonly cursor: Place;
  /** The corner in which the selection began. */
  readonly anchor: Place;
  /** The opposite corner, which Shift moves. */
  readonly reach: Place;
  /** The column in which a sequence of Tab began: Enter continues below it. */
  readonly home: number | null;
  /** The end was moved last, not the cursor. */
  readonly grown: boolean;
}

/** Rows and columns, both ends included. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** What a move needs to know of the sheet. */
export interface Extent {
  /** Rows the cursor can be in. */
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
  /** To the edge of the filled cells. */
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
  return { cursor: place, anchor: place, reach: place, home: null, grown: false };
}

/** Selects between two corners. A cursor outside the selection moves to the first corner. */
export function between(anchor: Place, reach: Place, cursor = anchor): Selection {
  const { top, bottom, left, right } = range({ anchor, reach });
  const within =
    cursor.row >= top && cursor.row <= bottom && cursor.column >= left && cursor.column <= right;
  return { ...at(0, 0), cursor: within ? cursor : anchor, anchor, reach };
}

export function range({ anchor, reach }: Pick<Selection, 'anchor' | 'reach'>): Range {
  return {
    top: Math.min(anchor.row, reach.row),
    bottom: Math.max(anchor.row, reach.row),
    left: Math.min(anchor.column, reach.column),
    right: Math.max(anchor.column, reach.column),
  };
}

export function isSingle({ anchor, reach }: Selection): boolean {
  return anchor.row === reach.row && anchor.column === reach.column;
}

/** The same with another opposite corner. */
export function extended({ anchor, cursor }: Selection, reach: Place): Selection {
  return { ...between(anchor, reach, cursor), grown: true };
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
    // Below the last row there is no stop; upwards the last row is the next stop.
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

/** The next cell of a selection of several: along the rows or down the columns, wrapping around. */
function nextWithin({ top, bottom, left, right }: Range, from: Place, move: Move): Place {
  const [height, width] = [bottom - top + 1, right - left + 1];
  const [row, column] = [from.row - top, from.column - left];
  const round = (place: number) => (place + height * width) % (height * width);
  if (move.kind === 'down') {
    const place = round(column * height + row + move.rows);
    return { row: top + (place % height), column: left + Math.floor(place / height) };
  }
  const place = round(row * width + column + (move.kind === 'next' ? move.columns : 0));
  return { row: top + Math.floor(place / width), column: left + (place % width) };
}

/**
 * Moves the cursor. `extend` moves the corner opposite to where the selection began instead; Tab and
 * Enter walk through what is selected.
 */
export function moved(selection: Selection, move: Move, extent: Extent, extend = false): Selection {
  const inside = (to: Place) => ({
    row: clamp(to.row, extent.rows - 1),
    column: clamp(to.column, extent.columns - 1),
  });
  if (extend) {
    return extended(selection, inside(target(selection.reach, move, extent, null)));
  }
  if (!isSingle(selection) && (move.kind === 'next' || move.kind === 'down')) {
    const cursor = nextWithin(range(selection), selection.cursor, move);
    return { ...selection, cursor, grown: false };
  }
  const cursor = inside(target(selection.cursor, move, extent, selection.home));
  if (move.kind !== 'next') return at(cursor.row, cursor.column);
  // A sequence of Tab that wraps into the next row begins again there.
  const wrapped = cursor.row !== selection.cursor.row;
  const home = wrapped ? cursor.column : (selection.home ?? selection.cursor.column);
  return { ...at(cursor.row, cursor.column), home };
}
