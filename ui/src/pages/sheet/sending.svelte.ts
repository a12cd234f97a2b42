// Rows that were handed in: which run took each, and what became of it. The desk works runs through
// by itself; the sheet asks only about the rows that are in view, and about those it gets back.
import { SvelteMap } from 'svelte/reactivity';
import { Asking } from '../../ipc/ask.svelte';
import {
  commands,
  type Confirmed,
  type EntryCheck,
  type EntryDraft,
  type RunRow,
  type RunView,
} from '../../ipc';
import type { Place } from './keeping.svelte';

/** Rows asked for at once. */
const PAGE = 100;
const MANY = 1_000;

export interface Handed {
  draft: EntryDraft;
  confirmed: Confirmed[];
}

interface Fate {
  place: Place;
  /** What it came to, as last read; `null` while it waits its turn. */
  row: RunRow | null;
}

/** A row whose turn came and which was not entered, with the reason. */
export interface Returned {
  id: number;
  check: EntryCheck | null;
}

const over = (run: RunView) => run.state === 'done' || run.state === 'cancelled';

export class Sending {
  /** Grows whenever what became of a row is read. */
  version = $state(0);
  /** Grows whenever a run tells of itself. */
  told = $state(0);
  readonly runs = new SvelteMap<string, RunView>();
  readonly handing = new Asking();
  readonly turning = new Asking();
  readonly #fates = new Map<number, Fate>();
  /** Ids of the rows of each run, by their number in it. */
  readonly #ids = new Map<string, number[]>();
  /** For each page of a run that was read, how often the run had told of itself by then. */
  readonly #pages = new Map<string, number>();
  readonly #news = new Map<string, number>();
  readonly #taken: (ids: readonly number[]) => void;
  readonly #returned: (rows: Returned[]) => void;

  /** `taken` hears of rows that were handed in, `returned` of those that come back. */
  constructor(taken: (ids: readonly number[]) => void, returned: (rows: Returned[]) => void) {
    this.#taken = taken;
    this.#returned = returned;
  }

  has(id: number): boolean {
    return this.#fates.has(id);
  }

  place(id: number): Place | null {
    return this.#fates.get(id)?.place ?? null;
  }

  fate(id: number): RunRow | null {
    return this.#fates.get(id)?.row ?? null;
  }

  get count(): number {
    void this.version;
    return this.#fates.size;
  }

  /** The runs that are not over, or whose entries are still on their way, oldest first. */
  get open(): RunView[] {
    return [...this.runs.values()].filter(
      (run) => !over(run) || run.sent.waiting + run.sent.held + run.sent.unknown > 0,
    );
  }

  /** Takes rows that were handed in before the sheet was opened. */
  async take(places: ReadonlyMap<number, Place>): Promise<void> {
    for (const [id, place] of places) this.#hold(id, place);
    this.version += 1;
    for (const run of this.#ids.keys()) {
      const answer = await commands.run(run);
      if (answer.status === 'ok' && answer.data.state !== 'staged') await this.hear(answer.data);
      // Kept but never started, or forgotten since: its rows are rows like any other.
      else if (answer.status === 'ok') await this.#giveUp(run);
      else if (answer.error.code === 'notKnown') this.#release(run, () => true);
    }
  }

  /** Hands rows in: kept as a run, noted in the sheet, and only then started. */
  async hand(ids: readonly number[], rows: Handed[], noted: () => Promise<void>): Promise<boolean> {
    const run = crypto.randomUUID();
    const staged = await this.handing.ask(() => commands.sheetStage(run, rows));
    if (!staged) return false;
    for (const [at, id] of ids.entries()) this.#hold(id, [run, at + 1]);
    this.runs.set(run, staged.value);
    this.#taken(ids);
    this.version += 1;
    await noted();
    const started = await this.handing.ask(() => commands.runStart(run, 'goodRows'));
    if (started) await this.hear(started.value);
    else await this.#giveUp(run);
    return started !== null;
  }

  async pause(run: string): Promise<void> {
    await this.#turn(() => commands.runPause(run));
  }

  async resume(run: string): Promise<void> {
    await this.#turn(() => commands.runResume(run));
  }

  async cancel(run: string): Promise<void> {
    await this.#turn(() => commands.runCancel(run));
  }

  async #turn(call: Parameters<typeof this.turning.ask<RunView>>[0]): Promise<void> {
    const answer = await this.turning.ask(call);
    if (answer) await this.hear(answer.value);
  }

  /** Reads the runs again, of which nothing was heard while the sheet was out of sight. */
  async follow(): Promise<void> {
    for (const run of this.open) {
      const answer = await commands.run(run.id);
      if (answer.status === 'ok') await this.hear(answer.data);
    }
  }

  /** A run tells of itself. */
  async hear(run: RunView): Promise<void> {
    if (!this.#ids.has(run.id)) return;
    const before = this.runs.get(run.id);
    if (before === run) return;
    this.runs.set(run.id, run);
    this.#news.set(run.id, (this.#news.get(run.id) ?? 0) + 1);
    this.version += 1;
    this.told += 1;
    if (run.rejected > 0 && run.rejected !== before?.rejected) await this.#takeBack(run);
    if (run.state === 'cancelled' && before?.state !== 'cancelled') {
      await this.#readAll(run);
      this.#release(run.id, (fate) => fate.row === null);
    }
  }

  /** Reads what became of rows that are in view, where it may have changed. */
  async look(ids: readonly number[]): Promise<void> {
    const wanted = new Set<string>();
    for (const id of ids) {
      const fate = this.#fates.get(id);
      if (!fate) continue;
      const [run, number] = fate.place;
      const page = `${run} ${Math.floor((number - 1) / PAGE)}`;
      if (this.#pages.get(page) !== (this.#news.get(run) ?? 0)) wanted.add(page);
    }
    for (const page of wanted) {
      const [run, at] = page.split(' ') as [string, string];
      this.#pages.set(page, this.#news.get(run) ?? 0);
      await this.#read(run, Number(at) * PAGE, PAGE);
    }
  }

  /** Rows that are done with: their contracts stand. Reads what is not known yet. */
  async finished(): Promise<Set<number>> {
    for (const run of this.runs.values()) await this.#readAll(run);
    const ids = new Set<number>();
    for (const [id, { row }] of this.#fates) {
      const state = row?.submission?.state;
      if (state === 'confirmed' || state === 'accepted' || state === 'cancelled') ids.add(id);
    }
    return ids;
  }

  /** Lets go of rows; a run without rows here is no longer followed. */
  drop(ids: ReadonlySet<number>): void {
    for (const id of ids) this.#fates.delete(id);
    for (const [run, rows] of this.#ids) {
      if (rows.some((id) => this.#fates.has(id))) continue;
      this.#ids.delete(run);
      this.runs.delete(run);
    }
    this.version += 1;
  }

  forget(): void {
    for (const map of [this.#fates, this.#ids, this.#pages, this.#news, this.runs]) map.clear();
    for (const asking of [this.handing, this.turning]) asking.reset();
    this.version += 1;
  }

  #hold(id: number, place: Place): void {
    this.#fates.set(id, { place, row: null });
    const ids = this.#ids.get(place[0]) ?? [];
    ids[place[1] - 1] = id;
    this.#ids.set(place[0], ids);
  }

  async #read(run: string, after: number, limit: number, only: RunRow['outcome'] = null) {
    const answer = await commands.runRows(run, only, after, limit);
    if (answer.status !== 'ok') return [];
    for (const row of answer.data) {
      const id = this.#ids.get(run)?.[row.number - 1];
      const fate = id === undefined ? undefined : this.#fates.get(id);
      if (fate?.place[0] === run) fate.row = row;
    }
    this.version += 1;
    return answer.data;
  }

  async #readAll(run: RunView, only: RunRow['outcome'] = null): Promise<RunRow[]> {
    const all: RunRow[] = [];
    for (let after = 0; ; after = all.at(-1)?.number ?? after) {
      const rows = await this.#read(run.id, after, MANY, only);
      all.push(...rows);
      if (rows.length < MANY) return all;
    }
  }

  /** Rows that were not entered become rows of the sheet again, with what must be mended. */
  async #takeBack(run: RunView): Promise<void> {
    const rejected = await this.#readAll(run, 'rejected');
    const back: Returned[] = [];
    for (const { number, problems, questions } of rejected) {
      const id = this.#ids.get(run.id)?.[number - 1];
      if (id === undefined || !this.#fates.delete(id)) continue;
      back.push({ id, check: { problems, questions, warnings: [] } });
    }
    this.version += 1;
    if (back.length > 0) this.#returned(back);
  }

  async #giveUp(run: string): Promise<void> {
    this.#release(run, () => true);
    await commands.runForget(run);
  }

  #release(run: string, which: (fate: Fate) => boolean): void {
    const back: Returned[] = [];
    for (const id of this.#ids.get(run) ?? []) {
      const fate = this.#fates.get(id);
      if (fate?.place[0] !== run || !which(fate)) continue;
      this.#fates.delete(id);
      back.push({ id, check: null });
    }
    this.version += 1;
    if (back.length > 0) this.#returned(back);
  }
}
