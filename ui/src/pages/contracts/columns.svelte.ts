// The columns of the list of contracts, as a person wants them; kept in the settings.
import type { TextKey } from '../../i18n/language.svelte';
import type { EntrySort, ListColumn } from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { settings } from '../settings/settings.svelte';

/** In pixels. */
export const NARROWEST = 56;

interface Column {
  sort: EntrySort;
  title: TextKey;
  name: string;
  /** It is only there when a person chose it. */
  extra?: boolean;
}

export const COLUMNS: readonly Column[] = [
  { sort: 'transactionDate', title: 'field.transactionDate', name: 'sold' },
  { sort: 'customer', title: 'field.customerName', name: 'customer' },
  { sort: 'product', title: 'entries.productAndPlan', name: 'product' },
  { sort: 'planPurchasePrice', title: 'word.fee', name: 'fee' },
  { sort: 'state', title: 'word.state', name: 'state' },
  { sort: 'transactionId', title: 'field.transactionId', name: 'transaction' },
  { sort: 'enteredAt', title: 'entries.entered', name: 'entered', extra: true },
];

class Columns {
  readonly #wanted = $derived(desk.status?.settings.contractColumns ?? []);
  readonly shown: readonly Column[] = $derived(
    COLUMNS.filter(({ sort, extra }) => this.#of(sort)?.shown ?? !extra),
  );

  #of(sort: EntrySort): ListColumn | undefined {
    return this.#wanted.find(({ column }) => column === sort);
  }

  /** Its width in pixels; null for the usual one. */
  width(sort: EntrySort): number | null {
    return this.#of(sort)?.width ?? null;
  }

  isShown(sort: EntrySort): boolean {
    return this.shown.some((column) => column.sort === sort);
  }

  show(sort: EntrySort, shown: boolean): void {
    this.#change(sort, { shown });
  }

  resize(sort: EntrySort, width: number | null): void {
    this.#change(sort, { width });
  }

  reset(): void {
    void settings.keepColumns([]);
  }

  #change(sort: EntrySort, change: Partial<ListColumn>): void {
    const now = this.#of(sort) ?? { column: sort, shown: null, width: null };
    const others = this.#wanted.filter(({ column }) => column !== sort);
    void settings.keepColumns([...others, { ...now, ...change }]);
  }
}

export const columns = new Columns();
