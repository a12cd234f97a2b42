// Recognises a row of column names in pasted text, so that it is never entered as a sale, and
// reorders the columns below it to match the sheet.
import type { Block } from '../../grid/cells';
import { folded } from '../../format/plain';
import { columnAliases } from '../../ipc';
import { COLUMNS, type SheetColumn } from './columns';

/** How many names make a row a header; a sale could contain one of them by chance. */
const ENOUGH = 2;

/** Words that say of an amount that tax is in it, before or behind its name. */
const TAX_INCLUDED =
  /^(?:税込み?|(?:incl?|including)tax|taxincluded)|(?:税込み?|(?:incl?|including)tax|taxincluded)$/;

/** Words that say of an amount that tax is not in it: nothing is taken from such a column. */
const TAX_EXCLUDED =
  /税抜|税ぬき|税別|外税|(?=.*(?:tax|vat|gst)).*(?:excl|extax|exvat|without|wotax|before|pretax|notincl)/;

/** What a list of contracts exported here has of each one that was registered. */
const EXPORTED = ['contractId', 'inquiryCode'];

/** The column of each normalised name, and how well the name fits it: 0 is the interface's own. */
export type Names = ReadonlyMap<string, { place: number; rank: number }>;

/** The names of columns: those of the interface, on screen in each language, and of tills. */
export function namesOf(titles: readonly (readonly string[])[]): Names {
  const names = new Map<string, { place: number; rank: number }>();
  const add = (name: string, place: number, rank: number) => {
    if (!names.has(name)) names.set(name, { place, rank });
  };
  const aliases = new Map<string, readonly string[]>(columnAliases);
  for (const [place, { field }] of COLUMNS.entries()) {
    add(bare(field), place, 0);
    const words = aliases.get(field) ?? [];
    for (const title of titles[place] ?? []) {
      // One that tills have too fits as well as theirs: so it is read in a file.
      add(bare(title), place, Math.max(words.indexOf(bare(title)), 0) + 1);
    }
  }
  for (const [place, { field }] of COLUMNS.entries()) {
    for (const [at, name] of (aliases.get(field) ?? []).entries()) add(name, place, at + 1);
  }
  return names;
}

/**
 * Normalises a name as files of sales are read: without width, spaces, punctuation and a suffix in
 * brackets, in which people differ, unless it says that tax is not in an amount.
 */
function bare(name: string): string {
  const text = folded(name);
  const outside = text.split(/[([【〔]/)[0] ?? '';
  const isWhole = outside.trim() === '' || excludesTax(text);
  return (isWhole ? text : outside).replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a name says that tax is not in an amount; "incl. tax, excl. shipping" does not. */
function excludesTax(name: string): boolean {
  const parts = folded(name).split(',');
  return parts.some((part) => TAX_EXCLUDED.test(part.replace(/[^\p{L}\p{N}]/gu, '')));
}

/** Why nothing is taken of pasted rows. */
export type NotTaken =
  /** They are of a list exported here: their sales were entered before. */
  | { why: 'exported' }
  /** Several columns may be the one that is meant: a list price is no price paid. */
  | { why: 'severalColumns'; field: SheetColumn['field']; names: string[] };

interface Mapped {
  /** In the order of the sheet; `undefined` in columns that were not pasted. */
  rows: (string | undefined)[][];
  /** Names of columns whose cells are ignored. */
  unknown: string[];
  notTaken: NotTaken | null;
}

/**
 * The rows below a header in the order of the sheet, or null when the first row with more than one
 * cell is no header. Above it may be a title and blank rows, but no code of a sale.
 */
export function mapped(block: Block, names: Names): Mapped | null {
  const at = block.findIndex((row) => row.filter((cell) => cell.trim() !== '').length > 1);
  if (block.slice(0, at).some((row) => row.some(isCode))) return null;
  const head = block[at] ?? [];
  const below = block.slice(at + 1);
  const named = head.map((name) => names.get(bare(name)) ?? amountWithTax(name, names));
  // A person must say what an amount without tax is, but it is a name too.
  const isName = named.map((found, at) => found !== undefined || excludesTax(head[at] ?? ''));
  if (isName.filter(Boolean).length < ENOUGH) return null;
  const places = COLUMNS.map((_, place) => {
    const ranked = named.flatMap((found, at) =>
      found?.place === place ? [{ at, rank: found.rank }] : [],
    );
    return ranked.sort((one, other) => one.rank - other.rank || one.at - other.at);
  });
  const rows = below.map((row) =>
    places.map(([best]) => (best ? (row[best.at] ?? '') : undefined)),
  );
  const taken = new Set(places.map(([best]) => best?.at));
  const unknown = head.filter((name, at) => !taken.has(at) && name.trim() !== '');
  const isOfExport = isExported(head, below);
  return { rows, unknown, notTaken: isOfExport ? { why: 'exported' } : notTaken(head, places) };
}

/** Whether a cell may be a code: a word of a title has no digit, and a day is none. */
function isCode(cell: string): boolean {
  const text = folded(cell).trim();
  return /^(?=.*\d)[!-.0-~]+$/.test(text) && !/^\d{4}[-.]\d\d?(?:[-.]\d\d?)?$/.test(text);
}

function amountWithTax(name: string, names: Names) {
  const found = names.get(bare(name).replace(TAX_INCLUDED, ''));
  return found && COLUMNS[found.place]?.kind === 'amount' ? found : undefined;
}

/** Whether a row says that its sale was registered or cancelled; a refused one may be corrected. */
function isExported(head: readonly string[], rows: Block): boolean {
  const columnOf = (name: string) => head.findIndex((text) => text.trim() === name);
  const ids = EXPORTED.map(columnOf).filter((at) => at >= 0);
  if (ids.length === 0) return false;
  // Other lists have a column of this name too.
  const state = columnOf('state');
  return rows.some((row) => {
    const text = (at: number) => row[at]?.trim() ?? '';
    return ids.some((at) => text(at) !== '') || !['', 'rejected'].includes(text(state));
  });
}

function notTaken(
  head: readonly string[],
  places: { at: number; rank: number }[][],
): NotTaken | null {
  for (const [place, { field, kind }] of COLUMNS.entries()) {
    const found = places[place] ?? [];
    const [best, second] = found;
    if (!best || !second) continue;
    // A sale is known by its transaction, and a bare name may be the product's.
    const isBare = field === 'customerName' && bare(head[best.at] ?? '') === 'name';
    const mayBeAnother = kind === 'amount' || field === 'transactionId' || isBare;
    if (best.rank === second.rank || (best.rank > 0 && mayBeAnother)) {
      return {
        why: 'severalColumns',
        field,
        names: head.filter((_, column) => found.some(({ at }) => at === column)),
      };
    }
  }
  return null;
}
