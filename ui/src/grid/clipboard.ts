// The clipboard format of spreadsheets: lines of cells separated by tabs, with quotes around cells
// that contain tabs, quotes or line breaks.
import Papa from 'papaparse';
import type { Block } from './cells';
import type { Range } from './selection';

/**
 * A text that a spreadsheet would take for a formula, also one that was already neutralised. Japanese
 * editions treat the full-width characters alike.
 */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;
const NEUTRALISED = /^'+[=+\-@＝＋－＠\t\r\n]/;

/** Reads a block of cells from the clipboard's text. */
export function read(text: string): string[][] {
  const options = { delimiter: '\t', skipEmptyLines: false } as const;
  const quoted = Papa.parse<string[]>(text, options);
  // An unclosed quote is an inch mark, not the start of a cell over many lines.
  const broken = quoted.errors.some(({ type }) => type === 'Quotes');
  const rows = broken
    ? Papa.parse<string[]>(text, { ...options, quoteChar: '\0' }).data
    : quoted.data;
  // The line break at the end belongs to the last row.
  if (rows.length > 1 && rows.at(-1)?.every((cell) => cell === '')) rows.pop();
  // Few texts contain one; without it no row has to be copied.
  if (!text.includes("'")) return rows;
  return rows.map((row) => row.map((cell) => (NEUTRALISED.test(cell) ? cell.slice(1) : cell)));
}

/** Cells of the longest row. */
export function widest(block: readonly (readonly unknown[])[]): number {
  return block.reduce((most, row) => Math.max(most, row.length), 0);
}

/** Writes a block of cells so that every spreadsheet reads the same cells and runs no formula. */
export function write(block: Block): string {
  const safe = block.map((row) => row.map((cell) => (FORMULA.test(cell) ? `'${cell}` : cell)));
  return Papa.unparse(safe, { delimiter: '\t', newline: '\r\n' });
}

/**
 * Fits a block to the selection: a block that fits a whole number of times fills the selection, one
 * row fills several rows and one cell all of them; any other is pasted once.
 */
export function fitted<T>(block: readonly (readonly T[])[], into: Range): (readonly T[])[] {
  const height = into.bottom - into.top + 1;
  const width = into.right - into.left + 1;
  const longest = widest(block);
  const down = height % block.length === 0 ? height / block.length : 1;
  const even = block.every((row) => row.length === longest);
  const across = even && width % longest === 0 ? width / longest : 1;
  if (down === 1 && across === 1) return [...block];
  const wide = block.map((row) => {
    return across === 1 ? row : Array.from({ length: across }, () => row).flat();
  });
  return Array.from({ length: down }, () => wide).flat();
}
