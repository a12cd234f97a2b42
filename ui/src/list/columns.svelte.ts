// The columns of a list, as a person wants them; kept in the settings.
import { NARROWEST } from '../components/column-width';
import type { TextKey } from '../i18n/language.svelte';
import type { ListColumn } from '../ipc';
import { desk } from '../ipc/desk.svelte';
import { settings } from '../pages/settings/settings.svelte';

export interface Column<C extends string = string> {
  name: C;
  title: TextKey;
  /** Its usual width in rem; without one it takes what is left. */
  rem?: number;
  /** It holds texts, which are sorted from the first on; others begin with the highest. */
  text?: true;
  /** It holds amounts, aligned at the end. */
  end?: true;
  /** Its cell is the button that opens the record, by its code or its title. */
  opens?: 'code' | 'title';
  /** It is only there when a person chose it. */
  extra?: true;
}

export class Columns<C extends string = string> {
  readonly #wanted = $derived(
    (desk.status?.settings.listColumns ?? []).filter(({ list }) => list === this.list),
  );
  readonly shown: readonly Column<C>[] = $derived.by(() =>
    this.all.filter(({ name, extra }) => this.#of(name)?.shown ?? !extra),
  );

  constructor(
    readonly list: string,
    readonly all: readonly Column<C>[],
  ) {}

  #of(name: C): ListColumn | undefined {
    return this.#wanted.find(({ column }) => column === name);
  }

  /** Its width in pixels; null for the usual one. */
  width(name: C): number | null {
    return this.#of(name)?.width ?? null;
  }

  isShown(name: C): boolean {
    return this.shown.some((column) => column.name === name);
  }

  show(name: C, shown: boolean): void {
    this.#change(name, { shown });
  }

  resize(name: C, width: number | null): void {
    this.#change(name, { width: width === null ? null : Math.max(NARROWEST, Math.round(width)) });
  }

  reset(): void {
    this.#keep([]);
  }

  #change(name: C, change: Partial<ListColumn>): void {
    const now = this.#of(name) ?? { list: this.list, column: name, shown: null, width: null };
    const others = this.#wanted.filter(({ column }) => column !== name);
    this.#keep([...others, { ...now, ...change }]);
  }

  #keep(wanted: ListColumn[]): void {
    const others = desk.status?.settings.listColumns.filter(({ list }) => list !== this.list);
    void settings.keepColumns([...(others ?? []), ...wanted]);
  }
}
