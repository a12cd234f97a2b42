// Recognises a row of column names in pasted text, so that it is never entered as a sale, and
// reorders the columns below it to match the sheet.
import type { Block } from '../../grid/cells';
import { folded } from '../../format/plain';
import { columnAliases } from '../../ipc';
import { COLUMNS } from './columns';

/** How many names make a row a header; a sale could contain one of them by chance. */
const ENOUGH = 2;

/** Columns that a list of contracts exported here has. */
const EXPORTED = ['contractId', 'state'];

/** The column of each normalised name. */
export type Names = ReadonlyMap<string, number>;

/** The names of columns: those of the interface, on screen in each language, and of tills. */
export function namesOf(titles: readonly (readonly string[])[]): Names {
  const names = new Map<string, number>();
  for (const [at, { field }] of COLUMNS.entries()) {
    for (const name of [field, ...(titles[at] ?? [])]) names.set(bare(name), at);
  }
  const aliases = new Map<string, readonly string[]>(columnAliases);
  for (const [at, { field }] of COLUMNS.entries()) {
    for (const name of aliases.get(field) ?? []) if (!names.has(name)) names.set(name, at);
  }
  return names;
}

/**
 * Normalises a name as files of sales are read: without width, spaces, punctuation and a suffix in
 * brackets, in which people differ.
 */
function bare(name: string): string {
  const text = folded(name);
  const outside = text.split(/[([【〔]/)[0] ?? '';
  return (outside.trim() === '' ? text : outside).replace(/[^\p{L}\p{N}]/gu, '');
}

interface Mapped {
  /** In the order of the sheet; columns that were not pasted stay unchanged. */
  rows: (string | undefined)[][];
  /** Names of columns whose cells are ignored: unknown ones, and several for one amount or date. */
  unknown: string[];
  /** Whether the rows are of a list exported here: their sales were entered before. */
  exported: boolean;
}

/** The rows below a header in the order of the sheet, or null when the first row is no header. */
export function mapped(block: Block, names: Names): Mapped | null {
  const head = block[0] ?? [];
  const named = head.map((name) => names.get(bare(name)));
  const known = named.filter((place) => place !== undefined);
  if (known.length < ENOUGH) return null;
  // A list price is no price paid, and only a person knows which of two columns is.
  const isUnsure = (place: number | undefined) =>
    place !== undefined &&
    ['amount', 'date'].includes(COLUMNS[place]?.kind ?? '') &&
    named.indexOf(place) !== named.lastIndexOf(place);
  const places = named.map((place) => (isUnsure(place) ? undefined : place));
  const rows = block.slice(1).map((row) => {
    const cells = new Array<string | undefined>(COLUMNS.length).fill(undefined);
    // Of two columns of one code or name the first counts.
    for (const [at, place] of places.entries()) {
      if (place !== undefined && cells[place] === undefined) cells[place] = row[at] ?? '';
    }
    return cells;
  });
  const unknown = head.filter((name, at) => places[at] === undefined && name.trim() !== '');
  const exported = EXPORTED.every((name) => head.some((text) => text.trim() === name));
  return { rows, unknown, exported };
}
