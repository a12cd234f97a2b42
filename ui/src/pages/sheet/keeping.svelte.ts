// The sheet as it is kept between windows: sealed by the desk, in blocks of rows. A block that has
// changed is written under a new name and then named by the head, so that a crash in between finds
// either the old sheet or the new one, never a mixture. Only blocks with changed rows are written.
import type { Answer, Confirmed, Draft, DraftPlace } from '../../ipc';
import { commands } from '../../ipc';
import { isBlank, newRow, type Row } from '../../sheet/cells';
import { COLUMNS } from './columns';

const ROWS_IN_BLOCK = 200;
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
  name: string;
  rows: readonly KeptRow[];
}

/** Why a sheet cannot be read: its key is not there now, is gone, or reading it failed. */
export type Unreadable = 'locked' | 'lost' | 'failed';

/** As written: cells without the empty ones at the end, answers, place. */
type Written = [string[], readonly Confirmed[], Place | null];

const same = (a: KeptRow, b: KeptRow | undefined) =>
  a.row === b?.row && a.place === b.place && a.answers === b.answers;

function write({ row, answers, place }: KeptRow): Written {
  const last = row.cells.findLastIndex((text) => text !== '');
  return [row.cells.slice(0, last + 1), answers, place];
}

/** How the sheet of a profile is kept now. */
export class Keeping {
  place = $state<DraftPlace | 'failed'>('file');
  /** Whether everything in the sheet is written. */
  settled = $state(true);
  readonly #profile: string;
  #rows: () => KeptRow[];
  #blocks: Block[] = [];
  #next = 1;
  #changed = false;
  #writing: Promise<void> | null = null;

  constructor(profile: string, rows: () => KeptRow[]) {
    this.#profile = profile;
    this.#rows = rows;
  }

  /** Rows were changed. They are written at once, or after what is being written now. */
  changed(): Promise<void> {
    this.#changed = true;
    this.settled = false;
    this.#writing ??= this.#write().finally(() => (this.#writing = null));
    return this.#writing;
  }

  /** The sheet is about to show something else: what stands in it now is the last to be kept. */
  leave(): void {
    const last = this.#rows();
    this.#rows = () => last;
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
    this.#blocks = names.map((name) => ({
      name,
      rows: (JSON.parse(texts.get(name) ?? '[]') as Written[]).map(([cells, answers, place]) => ({
        row: newRow(COLUMNS.length, cells),
        answers,
        place,
      })),
    }));
    return { rows: this.#blocks.flatMap(({ rows }) => rows), unreadable: null };
  }

  /** Drops what was kept, for good. */
  async discard(): Promise<void> {
    this.#blocks = [];
    const answer = await commands.drafts(this.#profile, PREFIX);
    const names = answer.status === 'ok' ? answer.data.map(({ name }) => name) : [];
    // Without its head there is no sheet, whatever blocks are left.
    await commands.draftDrop(this.#profile, HEAD);
    for (const name of names) await commands.draftDrop(this.#profile, name);
  }

  async #write(): Promise<void> {
    while (this.#changed) {
      this.#changed = false;
      try {
        this.place = await this.#writeNow(this.#rows());
      } catch {
        this.place = 'failed';
      }
    }
    this.settled = true;
  }

  async #writeNow(rows: KeptRow[]): Promise<DraftPlace | 'failed'> {
    while (isBlank(rows.at(-1)?.row) && rows.length > 0) rows.pop();
    if (rows.length === 0) {
      await this.discard();
      return 'file';
    }
    const before = new Map(this.#blocks.map((block) => [block.rows[0]?.row.id, block]));
    const blocks: Block[] = [];
    let place: DraftPlace = 'file';
    for (let at = 0; at < rows.length; at += ROWS_IN_BLOCK) {
      const part = rows.slice(at, at + ROWS_IN_BLOCK);
      const old = before.get(part[0]?.row.id);
      if (old?.rows.length === part.length && part.every((row, n) => same(row, old.rows[n]))) {
        blocks.push(old);
        continue;
      }
      const name = `${PREFIX}${this.#next++}`;
      const kept = await this.#keep(name, part.map(write));
      if (kept === 'failed' || kept === 'nowhere') return kept;
      place = kept;
      blocks.push({ name, rows: part });
    }
    const head = await this.#keep(
      HEAD,
      blocks.map(({ name }) => name),
    );
    if (head === 'failed' || head === 'nowhere') return head;
    const current = new Set(blocks.map(({ name }) => name));
    const old = this.#blocks.filter(({ name }) => !current.has(name));
    this.#blocks = blocks;
    for (const { name } of old) await commands.draftDrop(this.#profile, name);
    return head === 'memory' ? head : place;
  }

  async #keep(name: string, value: unknown): Promise<DraftPlace | 'failed'> {
    const answer: Answer<DraftPlace> = await commands.draftKeep(
      this.#profile,
      name,
      JSON.stringify(value),
    );
    return answer.status === 'ok' ? answer.data : 'failed';
  }
}
