// A long list: only the rows in view are read, and what is known of the whole list comes with them.
// After a notice the rows in view are read again.
import { SvelteMap } from 'svelte/reactivity';
import {
  commands,
  type Answer,
  type EntryFilter,
  type EntryPage,
  type ProductFilter,
  type ProductRecord,
  type SubmissionView,
} from '.';
import { Call } from './call.svelte';
import { desk } from './desk.svelte';
import { hasCode } from './entry-filter';

/** Rows that are read together. */
const CHUNK = 100;

/** How often the list is read again while entries are still being read, in milliseconds. */
export const READING = 150;

/** The part of a list to read. */
interface Part {
  offset: number;
  limit: number;
}

/** A part of a list, and how many rows all of it has. */
interface Page<R> {
  records: R[];
  count: number;
}

interface Wanted<F> {
  filter: F;
  key: string;
  /** The first chunk of the rows in view and the one after the last. */
  from: number;
  to: number;
}

abstract class PagedList<R, F extends object, P extends Page<R> = Page<R>> {
  /** What is known of the whole list; null before it was read. */
  protected known = $state.raw<P | null>(null);
  /** The filter of the rows that are shown. */
  shown = $state('');
  readonly whole = false;
  readonly call = new Call();

  readonly #chunks = new SvelteMap<number, R[]>();
  /** How many changes there had been when the rows were read. */
  #read = 0;
  #wanted: Wanted<F> | null = null;
  /** What was wanted last, to be read again after a failure. */
  #last: Wanted<F> | null = null;
  #running: Promise<void> | null = null;
  #turn = 0;

  abstract idOf(record: R): string;
  protected abstract read(filter: F, part: Part): Promise<Answer<P>>;

  /** Whether there may be more in the list than was read. */
  get unfinished(): boolean {
    return false;
  }

  /** How many rows the list has; null before it was read. */
  get count(): number | null {
    return this.known?.count ?? null;
  }

  /** A row, if it is read. */
  at(row: number): R | undefined {
    return this.#chunks.get(Math.floor(row / CHUNK))?.[row % CHUNK];
  }

  /** The place of a record among the rows that are read; -1 when it is in none of them. */
  placeOf(id: string): number {
    for (const [chunk, rows] of this.#chunks) {
      const place = rows.findIndex((record) => this.idOf(record) === id);
      if (place >= 0) return chunk * CHUNK + place;
    }
    return -1;
  }

  /** Reads the rows from `first` to before `end` unless they are known; done once nothing is left to read. */
  update(filter: F, first: number, end: number): Promise<void> {
    return this.#want({
      filter,
      key: JSON.stringify(filter),
      from: Math.floor(first / CHUNK),
      to: Math.max(Math.ceil(end / CHUNK), Math.floor(first / CHUNK) + 1),
    });
  }

  /** The first record of a filter: null when it finds none, undefined when that is not known. */
  async first(filter: F): Promise<R | null | undefined> {
    const listed = () => !this.call.failure && this.shown === JSON.stringify(filter);
    await this.update(filter, 0, 1);
    // What is found is no answer while rows are still read, and an update for the rows in view
    // may take the place of this one.
    while (listed() && (this.unfinished || (this.count && !this.at(0)))) {
      if (this.unfinished) await new Promise((resume) => setTimeout(resume, READING));
      await this.update(filter, 0, 1);
    }
    // Failed, or another search has come: what is listed is not what was searched.
    return listed() ? (this.at(0) ?? null) : undefined;
  }

  /** Reads the rows that were wanted last once more. */
  again(): void {
    this.#read = -1;
    if (this.#last) void this.#want(this.#last);
  }

  #want(wanted: Wanted<F>): Promise<void> {
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

  async #readChunks({ filter, key, from, to }: Wanted<F>): Promise<void> {
    const turn = this.#turn;
    const now = desk.changes;
    const current =
      key === this.shown && !this.unfinished && desk.changedSince(this.#read)?.length === 0;
    let first = from;
    if (current) {
      while (first < to && this.#chunks.has(first)) first += 1;
      if (first === to) return;
    }
    const offset = first * CHUNK;
    const limit = (to - first) * CHUNK;
    const answer = await this.call.run(() => this.read(filter, { offset, limit }));
    if (!answer || turn !== this.#turn) return;
    const { records } = answer.value;
    if (!current) this.#chunks.clear();
    for (let chunk = first; chunk < to; chunk += 1) {
      const rows = records.slice((chunk - first) * CHUNK, (chunk - first + 1) * CHUNK);
      if (rows.length > 0) this.#chunks.set(chunk, rows);
    }
    this.known = answer.value;
    this.shown = key;
    this.#read = now;
  }

  reset(): void {
    this.#turn += 1;
    this.#wanted = this.#last = null;
    this.#chunks.clear();
    this.known = null;
    this.shown = '';
    this.call.reset();
  }
}

/** Whatever an answer carries, with other values of it. */
function mapped<T, U>(answer: Answer<T>, map: (value: T) => U): Answer<U> {
  return answer.status === 'ok' ? { status: 'ok', data: map(answer.data) } : answer;
}

/** Entered contracts. */
export class PagedEntries extends PagedList<
  SubmissionView,
  EntryFilter,
  Page<SubmissionView> & Pick<EntryPage, 'notSold' | 'fees' | 'reading'>
> {
  override idOf = ({ id }: SubmissionView) => id;

  protected override read = async (filter: EntryFilter, part: Part) =>
    mapped(await commands.contractsList({ ...filter, ...part }), ({ entries, ...rest }) => ({
      ...rest,
      records: entries,
    }));

  /** The row that a search means: the only one that has exactly its text as a code, or the only one at all; else -1. */
  meantBy(text: string): number {
    const exact = [...Array(CHUNK).keys()].filter((row) => {
      const entry = this.at(row);
      return entry && hasCode(entry, text);
    });
    return exact.length === 1 ? exact[0]! : this.count === 1 ? 0 : -1;
  }

  /** How many rows are refused or cancelled. */
  get notSold(): number {
    return this.known?.notSold ?? 0;
  }

  /** The sum of the fees of all other rows; null when it is too large to be shown exactly. */
  get fees(): number | null {
    return this.known?.fees ?? null;
  }

  /** How far the entries are read, while they are not all. */
  get reading() {
    return this.known?.reading ?? null;
  }

  override get unfinished(): boolean {
    return this.reading !== null;
  }
}

export class PagedProducts extends PagedList<ProductRecord, ProductFilter> {
  override idOf = ({ referenceId }: ProductRecord) => referenceId;

  protected override read = async (filter: ProductFilter, part: Part) =>
    mapped(await commands.productsList({ ...filter, ...part }), ({ products, count }) => ({
      records: products,
      count,
    }));
}
