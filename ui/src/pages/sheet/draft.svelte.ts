// The sheet as it is kept between windows: sealed by the desk, in blocks of rows. A block that has
// changed is written under a new name and then named by the head, so that a crash in between finds
// either the old sheet or the new one, never a mixture. Only blocks with changed rows are written:
// a block knows how many rows it holds and not which, so rows put in above it leave it as it is.
import { commands, type Confirmed, type Draft } from '../../ipc';
import { DraftWriter, keepDraft, type Written } from '../../ipc/draft-writer.svelte';
import { newRow, type Edit, type Row } from '../../grid/cells';
import { COLUMNS } from './columns';

const ROWS_IN_BLOCK = 200;
/** A block that has grown beyond this is parted. */
const MOST_IN_BLOCK = 2 * ROWS_IN_BLOCK;
const PREFIX = 'sheet/';
const HEAD = `${PREFIX}head`;

/** Where a row was handed in, once it was: the run and its number there. */
export type Place = readonly [run: string, number: number];

/** A row with what is kept beside its cells. */
export interface KeptRow {
  row: Row;
  answers: readonly Confirmed[];
  place: Place | null;
}

interface Block {
  /** What it is written under; `null` while it holds something that is not. */
  name: string | null;
  /** How many rows it holds. */
  rows: number;
}

/** What is to be kept, as it stands now. */
export interface Kept {
  readonly length: number;
  /** Some of the rows, from one on. */
  rows(from: number, to: number): KeptRow[];
  /** Whether nothing stands in it. */
  readonly blank: boolean;
  /** Rows that were not submitted, or came back to be corrected. */
  readonly open: number;
}

/** Why a sheet cannot be read: its key is not there now, is gone, or reading it failed. */
export type Unreadable = 'locked' | 'lost' | 'failed';

/** As written: cells without the empty ones at the end, answers, place. */
type WrittenRow = [string[], readonly Confirmed[], Place | null];

function asWritten({ row, answers, place }: KeptRow): WrittenRow {
  const last = row.cells.findLastIndex((text) => text !== '');
  return [row.cells.slice(0, last + 1), answers, place];
}

/** How the sheet of a profile is kept now. */
export class SheetDraft {
  readonly writer = new DraftWriter(true);
  readonly #profile: string;
  #kept: Kept;
  #blocks: Block[] = [];
  /** Names that may be written: those the head has, and those of a pass that failed. */
  #written: string[] = [];
  #next = 1;

  constructor(profile: string, kept: Kept) {
    this.#profile = profile;
    this.#kept = kept;
  }

  /** Rows were changed by hand: the blocks they stand in are written again. */
  edited({ at, removed, added }: Edit): void {
    if (removed.length === added.length) {
      this.#mark(at, (step) => removed[step] !== added[step], removed.length);
    } else {
      this.#resize(at, removed.length, added.length);
    }
    void this.#save();
  }

  /** Something beside the cells of these rows has changed, each by its place in the sheet. */
  touched(rows: Iterable<number>): Promise<void> {
    for (const row of rows) this.#mark(row, () => true, 1);
    return this.#save();
  }

  #save(): Promise<void> {
    return this.writer.save(() => this.#write());
  }

  /** The sheet is about to show something else: what stands in it now is the last to be kept. */
  leave(): void {
    const last = this.#kept.rows(0, this.#kept.length);
    const { blank, open } = this.#kept;
    this.#kept = { length: last.length, blank, open, rows: (from, to) => last.slice(from, to) };
  }

  /** What was kept; `unreadable` when it is there but cannot be read now or ever. */
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
      for (const [cells, answers, place] of block) {
        // An answer in an older form names nothing it was said to: it is asked for again.
        const known = answers.filter((yes) => typeof yes === 'object');
        rows.push({ row: newRow(COLUMNS.length, cells), answers: known, place });
      }
      this.#blocks.push({ name, rows: block.length });
    }
    this.#written = names;
    return { rows, unreadable: null };
  }

  /** Drops what was kept, for good. */
  async discard(): Promise<void> {
    this.#written = [];
    const answer = await commands.drafts(this.#profile, PREFIX);
    const names = answer.status === 'ok' ? answer.data.map(({ name }) => name) : [];
    // Without its head there is no sheet, whatever blocks are left.
    await commands.draftDrop(this.#profile, HEAD);
    for (const name of names) await commands.draftDrop(this.#profile, name);
  }

  /** Blocks with rows of which `differs` says so, counted from `at`, have to be written again. */
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

  /** Rows went and others came in their place. */
  #resize(at: number, removed: number, added: number): void {
    const blocks: Block[] = [];
    let from = 0;
    let left = added;
    for (const block of this.#blocks) {
      const end = from + block.rows;
      const gone = Math.max(0, Math.min(end, at + removed) - Math.max(from, at));
      // What comes stands in the block that holds the row before it, or in the first.
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
    // The sheet may change while it is being written: all that is, is of this moment.
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
    if (place === 'failed' || place === 'nowhere') {
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
      if (place === 'failed' || place === 'nowhere') return place;
    }
    const head = await keepDraft(this.#profile, HEAD, JSON.stringify(names), this.#kept.open);
    return head === 'file' ? place : head;
  }
}

/** A block that has grown too long, as several. */
function parted(block: Block): Block[] {
  if (block.rows <= MOST_IN_BLOCK) return [block];
  const parts = Math.ceil(block.rows / ROWS_IN_BLOCK);
  return Array.from({ length: parts }, (_, at) => ({
    name: null,
    rows: Math.min(ROWS_IN_BLOCK, block.rows - at * ROWS_IN_BLOCK),
  }));
}

/** Blocks that have to be written anyway, and have grown small, as one. */
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
