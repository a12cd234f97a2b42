// The columns of the sheet, in the order of a sale: product, receipt, customer. How each kind of
// text is normalised and shown.
import { plainCode } from '../../format/plain';
import { groupDigits, parseAmount } from '../../format/amounts';
import type { EntryDraft } from '../../ipc';

type Kind = 'code' | 'amount' | 'date' | 'name' | 'email';

export interface SheetColumn {
  field: keyof EntryDraft;
  kind: Kind;
  /** In rem. */
  width: number;
}

export const COLUMNS: readonly SheetColumn[] = [
  { field: 'productReferenceId', kind: 'code', width: 6.75 },
  { field: 'productPurchasePrice', kind: 'amount', width: 4.5 },
  { field: 'planId', kind: 'code', width: 7.5 },
  { field: 'planPurchasePrice', kind: 'amount', width: 4.25 },
  { field: 'transactionId', kind: 'code', width: 7.5 },
  { field: 'transactionTotal', kind: 'amount', width: 4.75 },
  { field: 'transactionDate', kind: 'date', width: 8 },
  { field: 'customerName', kind: 'name', width: 6 },
  { field: 'customerEmail', kind: 'email', width: 7.5 },
];

/** Most rows of a sheet; longer lists belong in a file. */
export const MOST_ROWS = 100_000;

export const columnOf = (field: string): number =>
  COLUMNS.findIndex((column) => column.field === field);

export const PRODUCT = columnOf('productReferenceId');
export const PRICE = columnOf('productPurchasePrice');
export const PLAN = columnOf('planId');
export const FEE = columnOf('planPurchasePrice');
export const TRANSACTION = columnOf('transactionId');
export const DATE = columnOf('transactionDate');

/** What belongs to the product of a row, and the product itself. */
const OF_PRODUCT = [PRODUCT, PRICE, PLAN, FEE];

/** Text that no column normalises, which is most of a long paste. */
const PLAIN = /^(?!0\d)[a-z@\d][\w@.+-]*$/i;

/** The text as its cell stores it: full-width letters and digits become ASCII, except in names. */
export function tidied(column: number, text: string): string {
  if (text === '' || PLAIN.test(text)) return text;
  switch (COLUMNS[column]?.kind) {
    case 'amount': {
      const amount = parseAmount(text);
      return amount.ok ? String(amount.value) : plainCode(text);
    }
    case 'name':
      return text.trim();
    default:
      // The id of a plan is not normalised.
      return column === PLAN ? text.trim() : plainCode(text);
  }
}

export function shown(column: number, text: string): string {
  return COLUMNS[column]?.kind === 'amount' ? groupDigits(text) : text;
}

/**
 * Texts pasted by the names of their columns as they are written over a row. Of another sale nothing
 * stays, and of another product no price, plan or fee: they would be sold with the pasted codes. A row
 * without a transaction keeps its product.
 */
export function pastedOver(
  cells: readonly string[],
  texts: readonly (string | undefined)[],
): readonly (string | undefined)[] {
  const becomesAnother = (column: number) => {
    const text = texts[column];
    return text !== undefined && tidied(column, text) !== cells[column];
  };
  const isOtherSale = becomesAnother(TRANSACTION);
  const isOtherProduct = cells[PRODUCT] !== '' && becomesAnother(PRODUCT);
  const keepsProduct = !isOtherProduct && (!isOtherSale || cells[TRANSACTION] === '');
  const stays = (at: number) => (OF_PRODUCT.includes(at) ? keepsProduct : !isOtherSale);
  return texts.map((text, at) => text ?? (stays(at) ? undefined : ''));
}

export function draftOf(cells: readonly string[]): EntryDraft {
  const draft: Partial<EntryDraft> = {};
  // Not by `entries()`, which takes ten times as long over a long paste.
  COLUMNS.forEach(({ field }, at) => (draft[field] = cells[at] ?? ''));
  return draft as EntryDraft;
}
