// The columns of a list, and the place of a person in it: its order, the chosen row, how far it is
// scrolled. The place outlives the page, so that the list is there again as it was left.
import type { TextKey } from '../i18n/language.svelte';

export interface Column<C extends string = string> {
  name: C;
  title: TextKey;
  /** Its width in rem; without one it takes what is left. */
  rem?: number;
  /** It holds texts, which are sorted from the first on; others begin with the highest. */
  text?: true;
  /** It holds amounts, aligned at the end. */
  end?: true;
  /** Its cell is the button that opens the record, by its code or its title. */
  opens?: 'code' | 'title';
}

/** The rows of a list in its order, as far as they are read. */
export interface Rows<R> {
  /** How many there are; null before they were read. */
  readonly count: number | null;
  /** Whether every row is read, once their number is known. */
  readonly whole: boolean;
  /** Names the list: another one is shown from its top. */
  readonly shown: string;
  idOf(record: R): string;
  at(row: number): R | undefined;
  /** The row of a record; -1 when it is not among those that are read. */
  placeOf(id: string): number;
}

export class ListPlace<C extends string = string> {
  sort: C;
  ascending: boolean;
  /** The id of the record that is chosen, and the row of the cursor; -1 for none. */
  chosen = $state<string | null>(null);
  row = $state(-1);
  /** In pixels. */
  scrolled = 0;

  constructor(sort: C, ascending: boolean) {
    this.sort = $state(sort);
    this.ascending = $state(ascending);
  }

  /** Sorts by a column; the same column again turns the order round. */
  sortBy({ name, text }: Column<C>): void {
    this.ascending = this.sort === name ? !this.ascending : text === true;
    this.sort = name;
  }

  /** Moves the cursor to a row, whose record may not be read yet. */
  choose(row: number, id: string | undefined): void {
    this.row = row;
    this.chosen = id ?? null;
  }

  reset(): void {
    this.choose(-1, undefined);
    this.scrolled = 0;
  }
}

type Value = string | number | null | undefined;
const texts = new Intl.Collator('ja', { numeric: true });

/** The rows of a list that is wholly in the page, in the order of a place. Records without a value are last. */
export class SortedRows<R, C extends string> implements Rows<R> {
  readonly records: readonly R[] | null = $derived.by(() => {
    const { place, value } = this;
    const turn = place.ascending ? 1 : -1;
    const records = this.read();
    return (
      records &&
      [...records].sort((a, b) => compare(value(a, place.sort), value(b, place.sort), turn))
    );
  });
  readonly whole = true;
  readonly count = $derived(this.records?.length ?? null);
  readonly shown = $derived.by(() => `${this.place.sort} ${this.place.ascending}`);

  constructor(
    private readonly place: ListPlace<C>,
    private readonly read: () => readonly R[] | null,
    readonly idOf: (record: R) => string,
    private readonly value: (record: R, column: C) => Value,
  ) {}

  at(row: number): R | undefined {
    return this.records?.[row];
  }

  placeOf(id: string): number {
    return this.records?.findIndex((record) => this.idOf(record) === id) ?? -1;
  }
}

function compare(a: Value, b: Value, turn: 1 | -1): number {
  const missing = Number(a == null || a === '') - Number(b == null || b === '');
  if (missing !== 0 || a == null || b == null) return missing;
  return (
    turn *
    (typeof a === 'number' && typeof b === 'number' ? a - b : texts.compare(String(a), String(b)))
  );
}
