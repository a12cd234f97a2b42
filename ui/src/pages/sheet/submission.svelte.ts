// Submitted rows: the run and the result of each. The desk processes runs by itself; the sheet
// reads only the rows that are in view, and those that are returned to it.
import { SvelteMap } from 'svelte/reactivity';
import { Call } from '../../ipc/call.svelte';
import {
  commands,
  type Answer,
  type Confirmed,
  type EntryCheck,
  type EntryDraft,
  type RowList,
  type RunRow,
  type RunView,
} from '../../ipc';
import { forPerson, isOver } from '../import/words';
import { Staff } from '../../sale/staff.svelte';
import type { Place } from './draft.svelte';

/** Rows read in one call. */
const PAGE = 100;
/** Limits of one call to the bridge, in rows and in characters. */
const ROWS_IN_PART = 1_000;
const CHARACTERS_IN_PART = 1_000_000;
const MANY = 1_000;

interface Handed {
  draft: EntryDraft;
  confirmed: Confirmed[];
}

interface Fate {
  place: Place;
  /** The result as last read; `null` before it was read. */
  row: RunRow | null;
}

/** A row that was processed and not entered, with the reason. */
export interface Returned {
  id: number;
  check: EntryCheck | null;
}

/** Splits rows into parts that fit into one call. */
function* parts(rows: readonly Handed[]): Generator<{ after: number; rows: Handed[] }> {
  let part: Handed[] = [];
  let [after, characters] = [0, 0];
  for (const row of rows) {
    const length = Object.values(row.draft).join('').length;
    const full = part.length === ROWS_IN_PART || characters + length > CHARACTERS_IN_PART;
    if (full && part.length > 0) {
      yield { after, rows: part };
      after += part.length;
      [part, characters] = [[], 0];
    }
    part.push(row);
    characters += length;
  }
  yield { after, rows: part };
}

/** Whether the entry was cancelled by stopping its run, and not by a person. */
const isCalledOff = ({ row }: Fate): boolean =>
  row?.submission?.state === 'cancelled' && !row.submission.settled;

const finishedOf = ({ sent }: RunView): number =>
  sent.accepted + sent.confirmed + sent.cancelled - sent.stopped;

/** Changes whenever other rows of a run can be cleared away. */
const clearable = (run: RunView): string => `${finishedOf(run)} ${run.sent.possibleDuplicates}`;

export class Submission {
  /** Increases whenever results are read. */
  version = $state(0);
  /** Increases whenever a run reports. */
  told = $state(0);
  /** Rows are being submitted: no other submission starts until the outcome is known. */
  underWay = $state(false);
  readonly runs = new SvelteMap<string, RunView>();
  readonly submitting = new Call();
  readonly staff = new Staff();
  readonly turning = new Call();
  /** Finding the rows that are finished. */
  readonly finding = new Call();
  readonly #fates = new Map<number, Fate>();
  /** Ids of the rows of each run, by their number in it. */
  readonly #ids = new Map<string, number[]>();
  /** For each page of a run that was read, how many reports the run had sent by then. */
  readonly #pages = new Map<string, number>();
  readonly #news = new Map<string, number>();
  /** Stopped runs whose rows were read, with the number of cancelled entries at that time. */
  readonly #stopped = new Map<string, number>();
  /** Runs whose rejected rows were read, with their number at that time. */
  readonly #rejected = new Map<string, number>();
  /** Reports that were handled. The page gives each run's last one again, also after something newer was read. */
  readonly #heard = new WeakSet<RunView>();
  /** Runs whose finished rows were read, with what could be cleared away then. */
  readonly #cleared = new Map<string, string>();
  /** Increases with each reset: answers to earlier calls are not about these rows. */
  #life = 0;
  readonly #taken: (ids: readonly number[]) => void;
  readonly #returned: (rows: Returned[]) => void;
  /** Whether the desk does not know yet which rows came back. */
  #untold = false;

  /** `taken` is called with submitted rows, `returned` with those that come back. */
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

  /** The runs that are not over, or have entries that are not sent, oldest first. */
  get open(): RunView[] {
    return [...this.runs.values()].filter(
      (run) => !isOver(run) || run.sent.waiting + run.sent.held + run.sent.unknown > 0,
    );
  }

  /** Whether rows are finished since finished rows were last read. */
  get anyFinished(): boolean {
    void this.version;
    return [...this.runs.values()].some(
      (run) => finishedOf(run) > 0 && this.#cleared.get(run.id) !== clearable(run),
    );
  }

  /** What became of all submitted rows; `null` while some are being sent, and before any was. */
  get result(): { registered: number; refused: number; person: number } | null {
    if (this.runs.size === 0 || this.open.length > 0) return null;
    const result = { registered: 0, refused: 0, person: 0 };
    for (const { sent } of this.runs.values()) {
      result.registered += sent.accepted + sent.confirmed;
      result.refused += sent.rejected;
      result.person += sent.needsPerson + sent.possibleDuplicates;
    }
    return result;
  }

  /** Restores rows that were submitted before the sheet was opened. */
  async take(places: ReadonlyMap<number, Place>): Promise<void> {
    for (const [id, place] of places) this.#hold(id, place);
    this.version += 1;
    this.#untold = true;
    await this.#settle([...this.#ids.keys()]);
  }

  /**
   * Submits rows: stages a run, records it in the sheet's draft, and only then starts it. `noted`
   * resolves to whether the draft was stored: without it, the rows would look unsold later.
   */
  async submit(
    profileId: string,
    ids: readonly number[],
    rows: Handed[],
    noted: () => Promise<boolean>,
  ): Promise<boolean> {
    if (this.underWay || ids.length === 0) return false;
    this.underWay = true;
    try {
      return await this.#handNow(profileId, ids, rows, noted);
    } finally {
      this.underWay = false;
    }
  }

  async #handNow(
    profileId: string,
    ids: readonly number[],
    rows: Handed[],
    noted: () => Promise<boolean>,
  ): Promise<boolean> {
    const life = this.#life;
    const run = crypto.randomUUID();
    for (const [at, id] of ids.entries()) this.#hold(id, [run, at + 1]);
    this.#taken(ids);
    this.version += 1;
    const staged = await this.#stage(profileId, run, rows);
    if (life !== this.#life || !staged) {
      // The run was never started: delete it. The desk deletes it when the sheet is next opened.
      void commands.runForget(run);
      if (life === this.#life) this.#release(run, () => true);
      return false;
    }
    this.runs.set(run, staged);
    const kept = await noted();
    if (life !== this.#life) {
      void commands.runForget(run);
      return false;
    }
    const started = kept
      ? await this.submitting.run(() => commands.runStart(run, 'goodRows'))
      : null;
    if (started) await this.hear(started.value);
    else await this.#settle([run]);
    return started !== null;
  }

  /** Stages rows as a run; `null` when some could not be staged. */
  async #stage(profileId: string, run: string, rows: Handed[]): Promise<RunView | null> {
    for (const { after, rows: part } of parts(rows)) {
      const last = after + part.length === rows.length;
      const stage = () => commands.sheetStage(run, { profileId, after, rows: part, last });
      // A run is entered under the code that was given with its first part.
      const answer = await this.submitting.run(() =>
        after === 0 ? this.staff.enters(stage) : stage(),
      );
      if (!answer || last) return answer?.value ?? null;
    }
    return null;
  }

  /** Pauses, resumes or stops a run. */
  async turn(run: string, call: typeof commands.runPause): Promise<void> {
    const answer = await this.turning.run(() => call(run));
    if (answer) await this.hear(answer.value);
  }

  /** Reads runs again whose reports were missed while the sheet was not open. */
  async follow(): Promise<void> {
    if (this.underWay) return;
    const open = new Set(this.open.map(({ id }) => id));
    const wanted = (id: string) => {
      const run = this.runs.get(id);
      // A person may have settled some of its rows on another page.
      return !run || open.has(id) || this.#isBehind(run) || forPerson(run) > 0;
    };
    await this.#settle([...this.#ids.keys()].filter(wanted));
  }

  /** Handles the report of a run. */
  async hear(run: RunView): Promise<void> {
    if (!this.#ids.has(run.id)) return;
    if (this.#heard.has(run)) return;
    this.#heard.add(run);
    this.runs.set(run.id, run);
    this.#news.set(run.id, (this.#news.get(run.id) ?? 0) + 1);
    this.version += 1;
    this.told += 1;
    if (this.#hasRejected(run)) await this.#takeBack(run);
    if (this.#hasStopped(run)) await this.#stop(run);
  }

  /** Whether a run may have rows to return that were not read yet. */
  #isBehind(run: RunView): boolean {
    return this.#hasRejected(run) || this.#hasStopped(run);
  }

  #hasRejected({ id, state, rejected }: RunView): boolean {
    // The rows of a staged run are not returned.
    return state !== 'staged' && rejected > 0 && this.#rejected.get(id) !== rejected;
  }

  #hasStopped({ id, state, sent }: RunView): boolean {
    return state === 'cancelled' && this.#stopped.get(id) !== sent.cancelled;
  }

  /** Reads the results of rows in view, where they may have changed. */
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
      const answer = await this.#read(run, Number(at) * PAGE, PAGE);
      // It is read again when its rows are next looked at.
      if (answer.status !== 'ok') this.#pages.delete(page);
    }
  }

  /** Rows that are finished: their contracts are registered. Reads missing results first. */
  async finished(): Promise<Set<number>> {
    const life = this.#life;
    await this.finding.run(() => this.#readRuns());
    const ids = new Set<number>();
    if (life !== this.#life) return ids;
    for (const [id, { row }] of this.#fates) {
      const state = row?.submission?.state;
      // A person is to ask the provider about it.
      if (row?.submission?.duplicatePossible) continue;
      // Cancelled by a person, or replaced by another entry: finished.
      const settled = state === 'cancelled' && row?.submission?.settled;
      if (state === 'confirmed' || state === 'accepted' || settled) ids.add(id);
    }
    return ids;
  }

  /** Reads all rows of every run. The answer is that of the last run that could not be read. */
  async #readRuns(): Promise<Answer<null>> {
    let failed: Answer<null> | null = null;
    for (const run of this.runs.values()) {
      const answer = await this.#readAll(run);
      if (answer.status === 'ok') {
        this.#cleared.set(run.id, clearable(run));
        // The row was entered with another run, whose entry was cancelled.
        this.#release(run.id, isCalledOff);
      } else failed = answer;
    }
    return failed ?? { status: 'ok', data: null };
  }

  /** Drops rows; a run without rows here is no longer followed. */
  drop(ids: ReadonlySet<number>): void {
    for (const id of ids) this.#fates.delete(id);
    for (const [run, rows] of this.#ids) {
      if (rows.some((id) => this.#fates.has(id))) continue;
      this.#ids.delete(run);
      this.runs.delete(run);
    }
    this.version += 1;
  }

  reset(): void {
    this.#life += 1;
    for (const map of [this.#fates, this.#ids, this.#pages, this.#news, this.runs]) map.clear();
    for (const read of [this.#rejected, this.#stopped, this.#cleared]) read.clear();
    this.#untold = false;
    for (const call of [this.submitting, this.turning, this.finding]) call.reset();
    this.version += 1;
  }

  #hold(id: number, place: Place): void {
    this.#fates.set(id, { place, row: null });
    const ids = this.#ids.get(place[0]) ?? [];
    ids[place[1] - 1] = id;
    this.#ids.set(place[0], ids);
  }

  async #read(
    run: string,
    after: number,
    limit: number,
    only: RowList | null = null,
  ): Promise<Answer<RunRow[]>> {
    const answer = await commands.runRows(run, only, after, limit);
    if (answer.status !== 'ok') return answer;
    for (const row of answer.data) {
      const id = this.#ids.get(run)?.[row.number - 1];
      const fate = id === undefined ? undefined : this.#fates.get(id);
      if (fate?.place[0] === run) fate.row = row;
    }
    this.version += 1;
    return answer;
  }

  async #readAll(run: RunView, only: RowList | null = null): Promise<Answer<RunRow[]>> {
    const all: RunRow[] = [];
    for (let after = 0; ; after = all.at(-1)?.number ?? after) {
      const answer = await this.#read(run.id, after, MANY, only);
      if (answer.status !== 'ok') return answer;
      all.push(...answer.data);
      if (answer.data.length < MANY) return { status: 'ok', data: all };
    }
  }

  /** Returns rows that were not entered to the sheet, with the problems to correct. */
  async #takeBack(run: RunView): Promise<void> {
    const life = this.#life;
    const rejected = await this.#readAll(run, 'rejected');
    // If this failed, the next report of the run reads them again.
    if (rejected.status !== 'ok' || life !== this.#life) return;
    this.#rejected.set(run.id, run.rejected);
    const back: Returned[] = [];
    for (const { number, problems, questions, warnings } of rejected.data) {
      const id = this.#ids.get(run.id)?.[number - 1];
      // A row that was returned before may have been corrected and submitted with another run.
      if (id === undefined || this.#fates.get(id)?.place[0] !== run.id) continue;
      this.#fates.delete(id);
      back.push({ id, check: { problems, questions, warnings } });
    }
    this.#giveBack(back);
  }

  #giveBack(rows: Returned[]): void {
    this.version += 1;
    this.#untold = true;
    this.#returned(rows);
  }

  /**
   * Tells the desk which rows the sheet's draft has by now, once all of it is stored: until then
   * the desk counts rows that came back as unfinished itself.
   */
  async tell(profile: string): Promise<void> {
    if (!this.#untold) return;
    this.#untold = false;
    const life = this.#life;
    const runs = [...this.#ids.keys()].map((id) => {
      const run = this.runs.get(id);
      const behind = !run || this.#isBehind(run);
      return { id, back: behind ? null : (this.#rejected.get(id) ?? 0) };
    });
    const answer = await commands.sheetFollows(profile, runs);
    if (answer.status !== 'ok' && life === this.#life) this.#untold = true;
  }

  /** After a run was stopped, returns the rows that were certainly not sent. */
  async #stop(run: RunView): Promise<void> {
    const life = this.#life;
    const answer = await this.#readAll(run);
    if (answer.status !== 'ok' || life !== this.#life) return;
    this.#stopped.set(run.id, run.sent.cancelled);
    this.#release(run.id, (fate) => fate.row === null || isCalledOff(fate));
  }

  /** Reads the state of runs. Rows of a run that may still send stay submitted. */
  async #settle(runs: readonly string[]): Promise<void> {
    const life = this.#life;
    for (const run of runs) {
      const answer = await commands.run(run);
      if (life !== this.#life) return;
      if (answer.status === 'ok' && answer.data.state !== 'staged') await this.hear(answer.data);
      else if (answer.status === 'ok') await this.#giveUp(answer.data);
      // The run was deleted meanwhile: its rows can be edited.
      else if (answer.error.code === 'notKnown') this.#release(run, () => true);
      if (life !== this.#life) return;
    }
  }

  /** Deletes a run that was staged and not started, and returns its rows. */
  async #giveUp(run: RunView): Promise<void> {
    this.runs.set(run.id, run);
    const forgotten = await commands.runForget(run.id);
    if (forgotten.status !== 'ok') return;
    this.runs.delete(run.id);
    this.#release(run.id, () => true);
  }

  #release(run: string, which: (fate: Fate) => boolean): void {
    const back: Returned[] = [];
    for (const id of this.#ids.get(run) ?? []) {
      const fate = this.#fates.get(id);
      if (fate?.place[0] !== run || !which(fate)) continue;
      this.#fates.delete(id);
      back.push({ id, check: null });
    }
    this.#giveBack(back);
  }
}
