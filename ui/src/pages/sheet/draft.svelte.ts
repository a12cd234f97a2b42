// The stored draft of the sheet: encrypted by the desk, in blocks of rows. A changed block is
// written under a new name, and then the head that lists the names; so a crash in between leaves
// either the old sheet or the new one. Only blocks with changed rows are written: a block stores no
// row numbers, so rows inserted above do not change it.
import { commands, type Confirmed, type Draft } from '../../ipc';
import { DraftWriter, isKept, keepDraft, type Written } from '../../ipc/draft-writer.svelte';
import { newRow, type Edit, type Row } from '../../grid/cells';
import { COLUMNS } from './columns';

const ROWS_IN_BLOCK = 200;
/** A longer block is split. */
const MOST_IN_BLOCK = 2 * ROWS_IN_BLOCK;
const PREFIX = 'sheet/';
const HEAD = `${PREFIX}head`;

/** The run that a row was submitted with, and its number there. */
export type Place = readonly [run: string, number: number];

/** A row with its answers and its place. */
interface KeptRow {
  row: Row;
  answers: readonly Confirmed[];
  place: Place | null;
}

interface Block {
  /** The name it is stored under; `null` while it has changes that are not stored. */
  name: string | null;
  rows: number;
}

/** The current content of the sheet. */
export interface Kept {
  readonly length: number;
  /** A range of rows; `to` is excluded. */
  rows(from: number, to: number): KeptRow[];
  readonly blank: boolean;
  /** Rows that were not submitted, or came back to be corrected. */
  readonly open: number;
}

/** Why a sheet cannot be read: its key is not there now, is gone, or reading it failed. */
export type Unreadable = 'locked' | 'lost' | 'failed';

/** The stored form: cells without the empty ones at the end, answers, place, when it was written. */
type WrittenRow = [string[], readonly Confirmed[], Place | null, writtenAt?: number];

function asWritten({ row, answers, place }: KeptRow): WrittenRow {
  const last = row.cells.findLastIndex((text) => text !== '');
  return [row.cells.slice(0, last + 1), answers, place, row.writtenAt];
}

/** The stored draft of one profile's sheet. */
export class SheetDraft {
  readonly writer = new DraftWriter(true);
  readonly #profile: string;
  #kept: Kept;
  #blocks: Block[] = [];
  /** Names that may exist in storage: those in the head, and those of a write that failed. */
  #written: string[] = [];
  #next = 1;

  constructor(profile: string, kept: Kept) {
    this.#profile = profile;
    this.#kept = kept;
  }

  /** Rows were edited: their blocks are written again. */
  edited({ at, removed, added }: Edit): Promise<void> {
    if (removed.length === added.length) {
      this.#mark(at, (step) => removed[step] !== added[step], removed.length);
    } else {
      this.#resize(at, removed.length, added.length);
    }
    return this.#save();
  }

  /** The answers or the place of these rows has changed, given by their positions in the sheet. */
  touched(rows: Iterable<number>): Promise<void> {
    for (const row of rows) this.#mark(row, () => true, 1);
    return this.#save();
  }

  #save(): Promise<void> {
    return this.writer.save(() => this.#write());
  }

  /** Takes a copy of the current content, because the sheet is about to show another one. */
  leave(): void {
    const last = this.#kept.rows(0, this.#kept.length);
    const { blank, open } = this.#kept;
    this.#kept = { length: last.length, blank, open, rows: (from, to) => last.slice(from, to) };
  }

  /** Reads the stored rows; `unreadable` when they exist but cannot be read. */
  async read(): Promise<{ rows: KeptRow[]; unreadable: Unreadable | null }> {
    const answer = await commands.drafts(this.#profile, PREFIX);
    if (answer.status !== 'ok') return { rows: [], unreadable: 'failed' };
    const found = answer.data;
    const unreadable = found.find(({ state }) => state !== 'known')?.state;
    if (unreadable && unreadable !== 'known') return { rows: [], unreadable };
    const texts = new Map(found.map((draft: Draft) => [draft.name, draft.text ?? '']));
    const numbers = [...texts.keys()].map((name) => Number(name.slice(PREFIX.length)) || 0);
    this.#next = Math.max(0, ...numbers) + 1;
    const head = texts.get(HEAD);
    if (!head) return { rows: [], unreadable: null };
    const names = JSON.parse(head) as string[];
    const rows: KeptRow[] = [];
    for (const name of names) {
      const block = JSON.parse(texts.get(name) ?? '[]') as WrittenRow[];
      const keptAt = Date.parse(found.find((draft) => draft.name === name)?.keptAt ?? '');
      for (const [cells, answers, place, writtenAt = keptAt] of block) {
        rows.push({ row: newRow(COLUMNS.length, cells, writtenAt), answers, place });
      }
      this.#blocks.push({ name, rows: block.length });
    }
    this.#written = names;
    return { rows, unreadable: null };
  }

  /** Deletes the stored sheet. */
  async discard(): Promise<void> {
    this.#written = [];
    const answer = await commands.drafts(this.#profile, PREFIX);
    const names = answer.status === 'ok' ? answer.data.map(({ name }) => name) : [];
    // Without its head there is no sheet, even if a block remains.
    await commands.draftDrop(this.#profile, HEAD);
    for (const name of names) await commands.draftDrop(this.#profile, name);
  }

  /** Marks the blocks of rows from `at` on for which `differs` returns true. */
  #mark(at: number, differs: (step: number) => boolean, count: number): void {
    let from = 0;
    for (const block of this.#blocks) {
      const first = Math.max(at, from);
      const end = Math.min(at + count, from + block.rows);
      for (let row = first; block.name !== null && row < end; row += 1) {
        if (differs(row - at)) block.name = null;
      }
      from += block.rows;
      if (from >= at + count) return;
    }
  }

  /** Rows were replaced by a different number of rows. */
  #resize(at: number, removed: number, added: number): void {
    const blocks: Block[] = [];
    let from = 0;
    let left = added;
    for (const block of this.#blocks) {
      const end = from + block.rows;
      const gone = Math.max(0, Math.min(end, at + removed) - Math.max(from, at));
      // Added rows go into the block of the row before them, or into the first.
      const takes = left > 0 && at <= end;
      const rows = block.rows - gone + (takes ? left : 0);
      const name = gone > 0 || takes ? null : block.name;
      if (takes) left = 0;
      if (rows > 0) blocks.push(...parted({ name, rows }));
      from = end;
    }
    if (left > 0) blocks.push(...parted({ name: null, rows: left }));
    this.#blocks = joined(blocks);
  }

  async #write(): Promise<Written> {
    if (this.#kept.blank) {
      for (const block of this.#blocks) block.name = null;
      await this.discard();
      return 'file';
    }
    // The sheet may change during the write: take all due rows now.
    const names: string[] = [];
    const due = new Map<string, KeptRow[]>();
    let from = 0;
    for (const block of this.#blocks) {
      if (block.name === null) {
        block.name = `${PREFIX}${this.#next++}`;
        due.set(block.name, this.#kept.rows(from, from + block.rows));
      }
      names.push(block.name);
      from += block.rows;
    }
    const place = await this.#keepAll(due, names).catch(() => 'failed' as const);
    if (!isKept(place)) {
      for (const block of this.#blocks) {
        if (block.name !== null && due.has(block.name)) block.name = null;
      }
      this.#written.push(...due.keys());
      return place;
    }
    const current = new Set(names);
    const old = this.#written.filter((name) => !current.has(name));
    this.#written = names;
    for (const name of old) await commands.draftDrop(this.#profile, name);
    return place;
  }

  async #keepAll(due: ReadonlyMap<string, KeptRow[]>, names: readonly string[]) {
    let place: Written = 'file';
    for (const [name, rows] of due) {
      place = await keepDraft(this.#profile, name, JSON.stringify(rows.map(asWritten)));
      if (!isKept(place)) return place;
    }
    const head = await keepDraft(this.#profile, HEAD, JSON.stringify(names), this.#kept.open);
    return head === 'file' ? place : head;
  }
}

/** Splits a block that is too long. */
function parted(block: Block): Block[] {
  if (block.rows <= MOST_IN_BLOCK) return [block];
  const parts = Math.ceil(block.rows / ROWS_IN_BLOCK);
  return Array.from({ length: parts }, (_, at) => ({
    name: null,
    rows: Math.min(ROWS_IN_BLOCK, block.rows - at * ROWS_IN_BLOCK),
  }));
}

/** Merges neighbouring small blocks that have to be written anyway. */
function joined(blocks: readonly Block[]): Block[] {
  const whole: Block[] = [];
  for (const block of blocks) {
    const last = whole.at(-1);
    if (last?.name === null && block.name === null && last.rows + block.rows <= ROWS_IN_BLOCK) {
      last.rows += block.rows;
    } else {
      whole.push(block);
    }
  }
  return whole;
}
