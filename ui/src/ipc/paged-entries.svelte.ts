// A long list of entered contracts. Only the rows in view are read; the count and the sum of the
// whole list come with them. After a notice the rows in view are read again.
import { SvelteMap } from 'svelte/reactivity';
import { commands, type EntryFilter, type ReadingProgress, type SubmissionView } from '.';
import { Call } from './call.svelte';
import { desk } from './desk.svelte';

/** Number of rows that are read together. */
const CHUNK = 100;

/** How often the list is read again while entries are still being read, in milliseconds. */
export const READING = 150;

interface Wanted {
  filter: EntryFilter;
  key: string;
  /** The first chunk of the rows in view, and the chunk after the last. */
  from: number;
  to: number;
}

export class PagedEntries {
  /** The number of rows in the list; null before it was read. */
  count = $state<number | null>(null);
  /** The sum of the fees of all rows; null when it is too large to be shown exactly. */
  fees = $state<number | null>(null);
  /** The reading progress, until all entries are read. */
  reading = $state.raw<ReadingProgress | null>(null);
  /** The filter of the rows that are shown. */
  shown = $state('');
  readonly call = new Call();

  readonly #chunks = new SvelteMap<number, SubmissionView[]>();
  /** The value of the change counter when the rows were read. */
  #read = 0;
  #wanted: Wanted | null = null;
  /** The range requested last, to read it again after a failure. */
  #last: Wanted | null = null;
  #running: Promise<void> | null = null;
  #turn = 0;

  /** The row at an index, if it is read. */
  at(row: number): SubmissionView | undefined {
    return this.#chunks.get(Math.floor(row / CHUNK))?.[row % CHUNK];
  }

  /** The index of an entry among the rows that are read; -1 if it is not there. */
  placeOf(id: string): number {
    for (const [chunk, rows] of this.#chunks) {
      const place = rows.findIndex((entry) => entry.id === id);
      if (place >= 0) return chunk * CHUNK + place;
    }
    return -1;
  }

  /**
   * Reads the rows from `first` to before `end` unless they are known; resolves when all are read.
   */
  update(filter: EntryFilter, first: number, end: number): Promise<void> {
    return this.#want({
      filter,
      key: JSON.stringify(filter),
      from: Math.floor(first / CHUNK),
      to: Math.max(Math.ceil(end / CHUNK), Math.floor(first / CHUNK) + 1),
    });
  }

  /** The first entry of a filter: null when it finds none, undefined when that is not known. */
  async first(filter: EntryFilter): Promise<SubmissionView | null | undefined> {
    const listed = () => !this.call.failure && this.shown === JSON.stringify(filter);
    await this.update(filter, 0, 1);
    // Nothing found is no answer while entries are still read, and an update for the rows in view
    // may take the place of this one.
    while (listed() && !this.at(0) && (this.count || this.reading)) {
      if (this.reading) await new Promise((resume) => setTimeout(resume, READING));
      await this.update(filter, 0, 1);
    }
    // Failed, or another search has come: what is listed is not what was searched.
    return listed() ? (this.at(0) ?? null) : undefined;
  }

  /** Reads the rows that were wanted last once more. */
  again(): void {
    if (this.#last) void this.#want(this.#last);
  }

  #want(wanted: Wanted): Promise<void> {
    this.#wanted = this.#last = wanted;
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  async #run(): Promise<void> {
    for (let wanted = this.#wanted; wanted; wanted = this.#wanted) {
      this.#wanted = null;
      await this.#readChunks(wanted);
    }
  }

  async #readChunks({ filter, key, from, to }: Wanted): Promise<void> {
    const turn = this.#turn;
    const now = desk.changes;
    const current =
      key === this.shown && !this.reading && desk.changedSince(this.#read)?.length === 0;
    let first = from;
    if (current) {
      while (first < to && this.#chunks.has(first)) first += 1;
      if (first === to) return;
    }
    const offset = first * CHUNK;
    const limit = (to - first) * CHUNK;
    const answer = await this.call.run(() => commands.contractsList({ ...filter, offset, limit }));
    if (!answer || turn !== this.#turn) return;
    const { entries, count, fees, reading } = answer.value;
    if (!current) this.#chunks.clear();
    for (let chunk = first; chunk < to; chunk += 1) {
      const rows = entries.slice((chunk - first) * CHUNK, (chunk - first + 1) * CHUNK);
      if (rows.length > 0) this.#chunks.set(chunk, rows);
    }
    this.count = count;
    this.fees = fees ?? null;
    this.reading = reading ?? null;
    this.shown = key;
    this.#read = now;
  }

  reset(): void {
    this.#turn += 1;
    this.#wanted = this.#last = null;
    this.#chunks.clear();
    this.count = null;
    this.fees = null;
    this.reading = null;
    this.shown = '';
    this.call.reset();
  }
}
