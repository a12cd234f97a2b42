// A sheet as a person works with it: cells, cursor, typing, undo. It does not know what the cells
// mean; its user says how texts are normalised and which rows are locked, and is notified of every
// change.
import { untrack } from 'svelte';
import { Cells, isBlank, type Block, type Edit, type Row } from './cells';
import { fitted, read, widest, write } from './clipboard';
import { findNext } from './find';
import { History, type Back } from './history';
import type { Command, Mode } from './keys';
import { at, between, extended, isSingle, moved, range } from './selection';
import type { Extent, Move, Place, Range, Selection } from './selection';

/** Blank rows shown below the last one, and the step in which their number grows. */
const BELOW = 50;

/** Why something was not done. */
type Refusal = 'locked' | 'full';

interface GridOptions {
  columns: number;
  /** Most rows a sheet takes. */
  most: number;
  /** The text as a cell of this column keeps it. */
  tidy(column: number, text: string): string;
  /** Whether a row can no longer be changed. */
  locked(row: Row): boolean;
  /** The names of the columns, copied with a whole sheet. */
  headers(): readonly string[];
  /** Interprets a pasted block; `column` overrides where it is written. */
  pasting(block: Block, column: number): { block: Changes; column?: number };
  /** Interprets a text typed or scanned into a cell: the cells to write from there on. */
  typed(place: Place, text: string): readonly (string | undefined)[];
  /** Called when rows were changed, also by undo and redo. */
  changed(edit: Edit): void;
}

/** Texts to write, row by row; `undefined` leaves a cell as it is. */
export type Changes = readonly (readonly (string | undefined)[])[];

export class Grid {
  readonly cells: Cells;
  /** Grows with every change of the rows. */
  version = $state(0);
  /**
   * Rows to show, with some blank ones below, in steps so that one key seldom changes it. It is
   * state: a derived value would be computed again with each move of the cursor.
   */
  shown = $state(2 * BELOW);
  #selection = $state.raw<Selection>(at(0, 0));
  mode = $state<Mode>('standing');
  /** What is being typed into the cell at the cursor. */
  text = $state('');
  refusal = $state<Refusal | null>(null);
  /** The next Tab leaves the sheet. */
  released = $state(false);
  /** Rows that fit into the window. */
  page = 20;
  readonly #history = new History();
  readonly #options: GridOptions;

  constructor(options: GridOptions) {
    this.#options = options;
    this.cells = new Cells(options.columns);
  }

  get selection(): Selection {
    return this.#selection;
  }

  set selection(selection: Selection) {
    this.#selection = selection;
    this.#makeRoom();
  }

  #makeRoom(): void {
    const { cursor, reach } = untrack(() => this.#selection);
    const used = Math.max(this.cells.length, cursor.row + 1, reach.row + 1);
    const rows = (Math.floor(used / BELOW) + 2) * BELOW;
    this.shown = Math.min(rows, this.#options.most);
  }

  get range(): Range {
    return range(this.selection);
  }

  get cursor(): Place {
    return this.selection.cursor;
  }

  get #extent(): Extent {
    return {
      rows: this.#options.most,
      columns: this.cells.columns,
      used: this.cells.length,
      page: this.page,
      filled: (row, column) => this.cells.text(row, column) !== '',
    };
  }

  isLocked(row: number): boolean {
    const found = this.cells.at(row);
    return found !== undefined && this.#options.locked(found);
  }

  select(selection: Selection): void {
    this.commit();
    this.released = false;
    this.selection = selection;
  }

  go(row: number, column: number): void {
    this.select(at(row, column));
  }

  extendTo(reach: Place): void {
    this.selection = extended(this.selection, reach);
  }

  move(move: Move, extend = false): void {
    this.selection = moved(this.selection, move, this.#extent, extend);
  }

  /** Opens the cell at the cursor with a text, or with its own. */
  open(
    mode: Exclude<Mode, 'standing'>,
    text = this.cells.text(this.cursor.row, this.cursor.column),
  ) {
    if (this.isLocked(this.cursor.row)) {
      this.refusal = 'locked';
      return;
    }
    this.refusal = null;
    this.released = false;
    if (this.selection.grown) this.selection = { ...this.selection, grown: false };
    this.mode = mode;
    this.text = text;
  }

  /** Commits what is being typed to the cell. */
  commit(): void {
    if (this.mode === 'standing') return;
    const typed = this.text;
    this.cancel();
    this.enter(typed);
  }

  /** Writes a text into the cell at the cursor, as if it had been typed. */
  enter(text: string): void {
    this.write(this.cursor, [this.#options.typed(this.cursor, text)]);
  }

  /** Cancels typing; the cell keeps its text. */
  cancel(): void {
    this.mode = 'standing';
    this.text = '';
  }

  /** Writes a block of cells. `joined`: it is undone together with the change before it. */
  write({ row, column }: Place, block: Changes, joined = false): boolean {
    const tidied = block.map((texts) =>
      texts.map((text, step) => text && this.#options.tidy(column + step, text)),
    );
    return this.#change(this.cells.writing(row, column, tidied), joined);
  }

  /** Replaces all rows by stored ones; this cannot be undone. */
  load(rows: readonly Row[]): void {
    this.#apply({ at: 0, removed: [...this.cells.rows], added: rows });
    this.#history.clear();
    this.selection = at(0, 0);
  }

  /** Removes the rows that match; this cannot be undone. What is being typed is committed first. */
  drop(matches: (row: Row) => boolean): void {
    this.commit();
    const { row: here, column } = this.cursor;
    const above = this.cells.rows.slice(0, here).filter((row) => !matches(row));
    this.load(this.cells.rows.filter((row) => !matches(row)));
    this.selection = at(above.length, column);
  }

  #change(edit: Edit | null, joined = false): boolean {
    if (!edit) return true;
    this.refusal = !this.#leavesLocked(edit)
      ? 'locked'
      : this.cells.length - edit.removed.length + edit.added.length > this.#options.most
        ? 'full'
        : null;
    if (this.refusal) return false;
    this.#history.note(edit, this.selection, joined);
    this.#apply(edit);
    return true;
  }

  readonly #leavesLocked = ({ removed, added }: Edit): boolean => {
    if (removed.length === 0) return true;
    const kept = new Set(added);
    return !removed.some((row) => this.#options.locked(row) && !kept.has(row));
  };

  #apply(edit: Edit): void {
    this.cells.apply(edit);
    this.version += 1;
    this.#makeRoom();
    this.#options.changed(edit);
  }

  #back(step: Back | 'refused' | null): void {
    if (step === 'refused') this.refusal = 'locked';
    if (step === null || step === 'refused') return;
    for (const edit of step.edits) this.#apply(edit);
    this.selection = step.selection;
  }

  /** The selected cells as text for the clipboard; the whole sheet includes its headers. */
  copy(): string {
    const { top, bottom, left, right } = this.range;
    const rows = this.cells.rows.slice(top, bottom + 1);
    const block = rows.map((row) => row.cells.slice(left, right + 1));
    if (block.length === 0) return '';
    const whole =
      left === 0 && right === this.cells.columns - 1 && rows.length === this.cells.length;
    return write(whole && top === 0 && bottom > 0 ? [this.#options.headers(), ...block] : block);
  }

  /** Pastes a block from the clipboard at the selection. */
  paste(text: string): void {
    if (text === '') return;
    const { block, column } = this.#options.pasting(read(text), this.range.left);
    if (block.length === 0) return;
    const into = column === undefined ? fitted(block, this.range) : block;
    const from = { row: this.range.top, column: column ?? this.range.left };
    if (!this.write(from, into)) return;
    const right = Math.min(from.column + widest(into), this.cells.columns) - 1;
    this.selection = between(from, { row: from.row + into.length - 1, column: right });
  }

  clear(): void {
    const { top, bottom, left, right } = this.range;
    const height = Math.min(bottom + 1, this.cells.length) - top;
    if (height <= 0) return;
    const blank = new Array<string>(right - left + 1).fill('');
    this.write({ row: top, column: left }, new Array<string[]>(height).fill(blank));
  }

  #fillDown(): void {
    const { top, bottom, left, right } = this.range;
    // One row is filled from the row above it; several are filled from the first of them.
    const source = top === bottom ? top - 1 : top;
    const texts = this.cells.at(source)?.cells.slice(left, right + 1);
    if (!texts) return;
    this.write({ row: source + 1, column: left }, new Array(bottom - source).fill(texts));
  }

  #insertRows(): void {
    const { top, bottom } = this.range;
    if (this.#change(this.cells.inserting(top, bottom - top + 1))) {
      this.selection = at(top, this.cursor.column);
    }
  }

  #removeRows(): void {
    const { top, bottom } = this.range;
    if (this.#change(this.cells.removing(top, bottom - top + 1))) {
      this.selection = at(top, this.cursor.column);
    }
  }

  #selectAll(): void {
    const bottom = Math.max(this.cells.length - 1, 0);
    this.selection = between(
      { row: 0, column: 0 },
      { row: bottom, column: this.cells.columns - 1 },
      this.cursor,
    );
  }

  #selectRows(): void {
    const { top, bottom } = this.range;
    const last = this.cells.columns - 1;
    this.selection = between({ row: top, column: 0 }, { row: bottom, column: last }, this.cursor);
  }

  /** Goes to the next cell that holds a text; false when none does. */
  find(wanted: string, backwards = false): boolean {
    this.released = false;
    this.refusal = null;
    const found = findNext(this.cells.rows, this.cells.columns, wanted, this.cursor, backwards);
    if (found) this.go(found.row, found.column);
    return found !== null;
  }

  /** Carries out the command of a key; copying is left to the page. */
  run(command: Command): void {
    this.released = command.kind === 'release';
    this.refusal = null;
    switch (command.kind) {
      case 'move':
        return this.move(command.move, command.extend);
      case 'commit':
        this.commit();
        if (command.move) this.move(command.move);
        return;
      case 'cancel':
        return this.cancel();
      case 'edit':
        return this.open('editing', this.mode === 'standing' ? undefined : this.text);
      case 'clear':
        return this.clear();
      case 'selectAll':
        return this.#selectAll();
      case 'selectRows':
        return this.#selectRows();
      case 'fillDown':
        return this.#fillDown();
      case 'undo':
        return this.#back(this.#history.undo(this.#leavesLocked));
      case 'redo':
        return this.#back(this.#history.redo(this.#leavesLocked));
      case 'insertRows':
        return this.#insertRows();
      case 'removeRows':
        return this.#removeRows();
      case 'copying':
      case 'release':
        return;
    }
  }

  /** Whether a single cell is selected. */
  get single(): boolean {
    return isSingle(this.selection);
  }

  /** Whether all cells are empty. */
  get blank(): boolean {
    void this.version;
    return this.cells.rows.every(isBlank);
  }
}
