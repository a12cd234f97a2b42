// The sheet of a day's sales: its rows, their status, and their submission. It outlives the page.
import { painted } from '../../components/painted';
import { Call } from '../../ipc/call.svelte';
import {
  commands,
  yesTo,
  type Confirmed,
  type EntryCheck,
  type EntryDraft,
  type Question,
} from '../../ipc';
import { ofProfile } from '../../ipc/profile-reset';
import en from '../../i18n/en.json';
import ja from '../../i18n/ja.json';
import { t } from '../../i18n/language.svelte';
import { isBlank, type Block, type Edit, type Row } from '../../grid/cells';
import { widest } from '../../grid/clipboard';
import { Grid, type Changes } from '../../grid/grid.svelte';
import { at, type Place } from '../../grid/selection';
import {
  COLUMNS,
  DATE,
  draftOf,
  FEE,
  MOST_ROWS,
  pastedOver,
  PLAN,
  PRICE,
  PRODUCT,
  tidied,
  TRANSACTION,
} from './columns';
import { RowDates } from './row-dates';
import { RowStatuses, saleOf } from './row-status.svelte';
import { mapped, namesOf, type NotTaken } from './header';
import { StoredSheet } from './stored-sheet.svelte';
import { Submission, type Returned } from './submission.svelte';
import { matching, PlanLists } from './plan-lists.svelte';

/** Rows of one request to the service. */
const ROWS_IN_BATCH = 10;
/** Rows checked in one call, and the characters of their cells: the bridge takes no larger call. */
const CHECKED_AT_ONCE = { rows: 10_000, characters: 2_000_000 };
/** Of so many rows the check begins before they are painted, and the desk works meanwhile. */
const MANY = 1_000;

const NAMES = namesOf(
  COLUMNS.map(({ field }) => [
    en.field[field],
    ja.field[field],
    en.sheet.column[field],
    ja.sheet.column[field],
  ]),
);

class SheetPage {
  readonly findings = new RowStatuses(
    (id) => this.sending.has(id),
    (id) => this.grid.cells.rows.findIndex((row) => row.id === id),
  );
  readonly planLists = new PlanLists(
    (reference) => this.#settle(reference),
    (reference) => {
      const { mode, cursor, cells } = this.grid;
      const typing = mode !== 'standing' && cursor.column === PLAN;
      return typing && cells.text(cursor.row, PRODUCT) === reference;
    },
  );
  readonly sending = new Submission(
    (ids) => {
      this.findings.turned(ids);
      void this.check();
    },
    (rows) => this.#takeBack(rows),
  );
  readonly checking = new Call();
  readonly grid: Grid;
  readonly stored: StoredSheet;
  /** Columns of the last paste that were not taken, by name or by number. */
  leftOut = $state<string[]>([]);
  /** Why nothing was taken of the last paste. */
  notTaken = $state<NotTaken | null>(null);
  /** Numbers of plans, by their rows, that were typed while no list of plans was known. */
  readonly #numbers = new Map<number, string>();
  readonly #dates = new RowDates();
  /** The running check of changed rows; each sheet has its own. */
  #look: { over: Promise<void> } | null = null;

  constructor() {
    this.grid = new Grid({
      columns: COLUMNS.length,
      most: MOST_ROWS,
      tidy: tidied,
      locked: (row) => this.sending.has(row.id),
      headers: () => COLUMNS.map(({ field }) => t(`field.${field}`)),
      pasting: (block, column) => this.#pasting(block, column),
      typed: (place, text) => this.#typed(place, text),
      changed: (edit) => this.#changed(edit),
    });
    this.stored = new StoredSheet(this);
  }

  /**
   * Adds rows below those of the sheet, with the cursor at the first of them. Returns whether they
   * are in it: if not, the page says why.
   */
  async add(profile: string, drafts: readonly EntryDraft[]): Promise<boolean> {
    await this.stored.open(profile);
    // What cannot be stored is not added.
    if (this.stored.unreadable || this.stored.profile !== profile) return false;
    const from = { row: this.grid.cells.length, column: 0 };
    const rows = drafts.map((draft) => COLUMNS.map(({ field }) => draft[field]));
    const added = this.grid.write(from, rows);
    if (added) this.grid.selection = at(from.row, 0);
    return added;
  }

  /** The short name of a column. */
  columnTitle(column: number): string {
    const field = COLUMNS[column]?.field;
    return field ? t(`sheet.column.${field}`) : '';
  }

  /** Reads the names of the plans of rows. */
  meetPlans(ids: readonly number[]): void {
    const all = (column: number) =>
      new Set(ids.map((id) => this.findings.row(id)?.cells[column] ?? ''));
    void this.planLists.meet(all(PRODUCT), all(PLAN));
  }

  /** Whether a row is being filled in, so that empty cells are no problem yet. */
  isBegun(row: Row): boolean {
    return this.grid.cells.at(this.grid.cursor.row) === row;
  }

  /** The first missing cell of the row at the cursor, if missing cells are its only problem. */
  get filling(): Place | null {
    void this.findings.version;
    const at = this.grid.cursor.row;
    const row = this.grid.cells.at(at);
    const filling = row !== undefined && this.findings.isIncomplete(row);
    return filling ? { row: at, column: this.findings.places(row)[0] ?? 0 } : null;
  }

  /** The next cell that needs attention in a row after the cursor. */
  nextAttention(backwards: boolean): Place | null {
    const { rows } = this.grid.cells;
    const { row: from, column: left } = this.grid.cursor;
    const away = (column: number) => (backwards ? column < left : column > left);
    // The row of the cursor comes first, with the cells that are still ahead, and last, whole.
    for (let step = 0; step <= rows.length; step += 1) {
      const at = (from + (backwards ? -step : step) + rows.length * 2) % rows.length;
      const row = rows[at];
      const places = row ? this.findings.places(row) : [];
      const column = (step === 0 ? places.filter(away) : places).at(backwards ? -1 : 0);
      if (column !== undefined) return { row: at, column };
    }
    return null;
  }

  /** For another profile, which has another sheet. */
  reset(): void {
    this.grid.cancel();
    this.stored.leave();
    this.leftOut = [];
    this.notTaken = null;
    this.planLists.reset();
    this.#numbers.clear();
    this.#dates.reset();
    this.checking.reset();
    this.#look = null;
    this.sending.reset();
    this.findings.clear();
    this.grid.load([]);
  }

  /** Dates rows that were written on an earlier day: without a date they would be of now. */
  followDay(from = 0, to = this.grid.cells.length): void {
    const rows = this.grid.cells.rows.slice(from, to);
    const block = this.#dates.fill(rows, (row) => this.sending.has(row.id));
    if (block) this.grid.write({ row: from, column: DATE }, block, true);
  }

  /** Rows that can be submitted now. */
  ready(): Row[] {
    return this.grid.cells.rows.filter((row) => this.findings.standing(row) === 'ready');
  }

  /** Submits these rows, except those that changed since they were confirmed. */
  async submit(asked: readonly Row[]): Promise<boolean> {
    const { profile } = this.stored;
    if (this.sending.underWay || profile === null) return false;
    const rows = asked.filter(
      (row) => this.findings.row(row.id) === row && this.findings.standing(row) === 'ready',
    );
    if (rows.length === 0) return false;
    const last = new Map<string, { line: number; nth: number }>();
    const submitted = rows.map((row, at) => {
      const confirmed = [...this.findings.answers(row)];
      const sale = saleOf(row);
      const before = sale === null ? undefined : last.get(sale);
      const place = { line: at + 1, nth: (before?.nth ?? 0) + 1 };
      if (sale !== null) last.set(sale, place);
      if (!before) return { draft: draftOf(row.cells), confirmed };
      // The line of the row it repeats, and how many there are up to this one.
      const others = confirmed.filter(({ kind }) => kind !== 'repeatedRow');
      const yes: Confirmed = { kind: 'repeatedRow', line: before.line, nth: place.nth };
      return { draft: draftOf(row.cells), confirmed: [...others, yes] };
    });
    const ids = rows.map(({ id }) => id);
    // A sheet that is not stored cannot forget that a row was submitted.
    return this.sending.submit(profile, ids, submitted, () =>
      this.stored.touched(this.#places(new Set(ids))),
    );
  }

  /** Removes rows whose contracts are registered. */
  async clearFinished(): Promise<void> {
    const done = await this.sending.finished();
    this.sending.drop(done);
    this.grid.drop((row) => done.has(row.id));
  }

  answer(row: Row, question: Question): void {
    this.findings.answer(row, [yesTo(question)]);
    void this.stored.touched([this.grid.cells.rows.indexOf(row)]);
  }

  /** Accepts the current price of the service, in every row that asks about it. */
  takePrices(): void {
    const rows = this.grid.cells.rows;
    const block = rows.map((row) => {
      const asked = this.findings.questions(row).find(({ kind }) => kind === 'changedPrice');
      const current = asked?.kind === 'changedPrice' ? String(asked.current) : undefined;
      return [this.sending.has(row.id) ? undefined : current];
    });
    this.grid.write({ row: 0, column: FEE }, block);
  }

  /**
   * A scanned code goes to the caret of the cell at the cursor, if that is a column of codes.
   * Otherwise it commits what is being typed and goes to the cell where the row or the next sale
   * needs a code. The cursor then moves on. A code scanned `behind` a dialog replaces no other.
   */
  scanned(
    code: string,
    typed: { value: string; start: number; end: number } | null,
    behind = false,
  ): void {
    const { grid } = this;
    const { row, column } = grid.cursor;
    let text = code;
    const taken = grid.isLocked(row) || (behind && grid.cells.text(row, column) !== '');
    if (COLUMNS[column]?.kind === 'code' && !taken) {
      if (typed) text = typed.value.slice(0, typed.start) + code + typed.value.slice(typed.end);
      grid.cancel();
      // Only the cell at the cursor is written, even if several are selected.
      grid.selection = at(row, column);
    } else {
      // Only keys of the burst opened the cell: nothing was typed into it.
      if (typed?.value === '') grid.cancel();
      const place = this.#wanting(row);
      grid.go(place.row, place.column);
    }
    grid.enter(text);
    grid.move({ kind: 'next', columns: 1 });
    if (grid.cursor.column === PRICE) grid.move({ kind: 'next', columns: 1 });
  }

  /** The cell that needs a code, for a row: its own, or that of the next sale. */
  #wanting(row: number): Place {
    const { grid } = this;
    if (!grid.isLocked(row)) {
      if (grid.cells.text(row, PRODUCT) === '') return { row, column: PRODUCT };
      if (grid.cells.text(row, TRANSACTION) === '') return { row, column: TRANSACTION };
    }
    let blank = row + 1;
    while (!isBlank(grid.cells.at(blank))) blank += 1;
    return { row: blank, column: PRODUCT };
  }

  /** Checks changed rows; resolves when none is left or a call failed. */
  check(): Promise<void> {
    if (this.#look) return this.#look.over;
    const look = (this.#look = { over: Promise.resolve() });
    look.over = this.#lookThrough(look);
    return look.over;
  }

  async #lookThrough(look: object): Promise<void> {
    if (this.findings.counts.checking < MANY) await painted();
    while (this.#look === look) {
      const rows = this.findings.unchecked(CHECKED_AT_ONCE);
      if (rows.length === 0) break;
      const drafts = JSON.stringify(rows.map(({ cells }) => draftOf(cells)));
      const answer = await this.checking.run(() => commands.contractsCheckRows(drafts));
      if (!answer) break;
      const found = answer.value.map(({ index, check }): [number, EntryCheck] => [index, check]);
      this.findings.found(rows, new Map(found));
    }
    // The sheet of another profile may be open by now, with its own check.
    if (this.#look === look) this.#look = null;
  }

  /** A run has reported: its results may matter for other rows of the same sale. */
  lookAgain(): void {
    this.planLists.lookAgain();
    this.findings.lookAgain();
    void this.check();
  }

  /** The positions of rows. */
  #places(ids: ReadonlySet<number>): number[] {
    return this.grid.cells.rows.flatMap(({ id }, place) => (ids.has(id) ? [place] : []));
  }

  #changed(edit: Edit): void {
    this.findings.changed(edit);
    this.stored.edited(edit);
    void this.check();
  }

  #pasting(block: Block, column: number): { block: Changes; column?: number } {
    const named = mapped(block, NAMES);
    this.notTaken = named?.notTaken ?? null;
    if (this.notTaken) {
      this.leftOut = [];
      return { block: [] };
    }
    if (named) {
      this.leftOut = named.unknown;
      const { cells, range } = this.grid;
      const block = named.rows.map((texts, at) => {
        const before = cells.at(range.top + at);
        return before ? pastedOver(before.cells, texts) : texts;
      });
      return { block, column: 0 };
    }
    const room = COLUMNS.length - column;
    const beyond = block.some((row) => row.slice(room).some((text) => text.trim() !== ''));
    this.leftOut = beyond
      ? Array.from({ length: widest(block) - room }, (_, at) => String(room + at + 1))
      : [];
    const { cells, range } = this.grid;
    const rows = block.map((row, at) => this.#dates.written(cells.at(range.top + at), column, row));
    return { block: rows };
  }

  /** Product and plan fill in their prices, as at the counter. */
  #typed({ row, column }: Place, text: string): readonly (string | undefined)[] {
    this.followDay(row, row + 1);
    const { id, cells } = this.grid.cells.at(row) ?? { id: 0, cells: [] };
    const typed = tidied(column, text);
    if (column === PRODUCT) {
      void this.planLists.read(typed);
      const price = this.planLists.of(typed)?.productPrice;
      const known = price == null ? undefined : String(price);
      const before = cells[PRODUCT] ?? '';
      if (before === typed || typed === '') return [typed];
      // Price, plan and fee were those of the former product.
      if (before !== '') return [typed, known ?? '', '', ''];
      return [typed, (cells[PRICE] ?? '') === '' ? known : undefined];
    }
    if (column !== PLAN) return this.#dates.written(this.grid.cells.at(row), column, [typed]);
    this.#numbers.delete(id);
    const isKnown = this.planLists.of(cells[PRODUCT] ?? '')?.plans.length;
    if (!isKnown && /^\d{1,2}$/.test(typed)) this.#numbers.set(id, typed);
    return this.#plan(cells, typed);
  }

  #plan(cells: readonly string[], typed: string): readonly (string | undefined)[] {
    const plans = this.planLists.of(cells[PRODUCT] ?? '')?.plans ?? [];
    const [plan, ...others] = typed === '' ? [] : matching(plans, typed);
    if (!plan || others.length > 0) return [typed];
    const fee = cells[FEE] ?? '';
    const before = plans.find(({ id }) => id === cells[PLAN]);
    const untouched = fee === '' || fee === String(before?.price);
    return [plan.id, untouched && plan.price != null ? String(plan.price) : undefined];
  }

  /** Fills in the rows that waited for the plans of a product, at the latest by the service's list. */
  #settle(reference: string): void {
    const planList = this.planLists.of(reference);
    let top = -1;
    const block: (string | undefined)[][] = [];
    for (const [at, row] of this.grid.cells.rows.entries()) {
      if (row.cells[PRODUCT] !== reference || this.sending.has(row.id)) continue;
      const price = row.cells[PRICE] === '' ? planList?.productPrice : null;
      const number = row.cells[PLAN] ?? '';
      const plan = this.#numbers.get(row.id) === number ? this.#plan(row.cells, number) : [];
      if (planList?.source === 'service' || plan[0] !== number) this.#numbers.delete(row.id);
      if (price == null && plan.length === 0) continue;
      if (top < 0) top = at;
      block[at - top] = [price == null ? undefined : String(price), ...plan];
    }
    if (top < 0) return;
    const whole = Array.from(block, (cells) => cells ?? []);
    this.grid.write({ row: top, column: PRICE }, whole, true);
  }

  #takeBack(rows: Returned[]): void {
    this.findings.turned(rows.map(({ id }) => id));
    this.followDay();
    const checks = new Map(rows.map(({ id, check }) => [id, check]));
    for (const row of this.grid.cells.rows) {
      const check = checks.get(row.id);
      if (check) this.findings.refused(row, check);
    }
    this.stored.returned(this.#places(new Set(checks.keys())));
    void this.check();
  }
}

export const sheet = ofProfile(new SheetPage());

/** The number of batches for so many rows. */
export function batches(rows: number): number {
  return Math.ceil(rows / ROWS_IN_BATCH);
}
