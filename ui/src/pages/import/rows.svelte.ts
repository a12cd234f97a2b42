// Rows of a run, read in parts.
import { commands, type RowList, type RunRow } from '../../ipc';
import { Call } from '../../ipc/call.svelte';

/** Rows read in one call. */
const STRETCH = 200;
/** Rows that the desk gives at most in one call. */
const MOST = 10_000;

/** Those of some rows that come after the last of others. */
function rowsAfter(others: RunRow[], rows: RunRow[] | null): RunRow[] {
  const last = others.at(-1)?.number ?? 0;
  return rows?.filter(({ number }) => number > last) ?? [];
}

export class Rows {
  only = $state<RowList>('found');
  shown = $state<RunRow[] | null>(null);
  /** Whether there are more than are shown. */
  more = $state(false);
  #run: string | null = null;
  /** Whether the rows on screen are of this list, and not of the one before. */
  #isRead = false;

  readonly reading = new Call();
  readonly readingMore = new Call();

  /**
   * Shows rows of a run, from the first. The rows on screen stay until the new ones are read, and
   * those after them in the same list stay.
   */
  async read(run: string, only: RowList): Promise<void> {
    if (run !== this.#run) this.shown = null;
    if (run !== this.#run || only !== this.only) {
      this.#isRead = false;
      this.readingMore.reset();
    }
    this.#run = run;
    this.only = only;
    const shown = this.#isRead ? (this.shown?.length ?? 0) : 0;
    const many = Math.min(MOST, Math.max(STRETCH, shown));
    const answer = await this.reading.run(() => commands.runRows(run, only, 0, many));
    if (!answer || run !== this.#run) return;
    const full = answer.value.length >= many;
    const after = this.#isRead && full ? rowsAfter(answer.value, this.shown) : [];
    this.shown = [...answer.value, ...after];
    if (after.length === 0) this.more = full;
    this.#isRead = true;
  }

  async readMore(): Promise<void> {
    const run = this.#run;
    const last = this.shown?.at(-1);
    if (run === null || !last || !this.#isRead) return;
    const answer = await this.readingMore.run(() =>
      commands.runRows(run, this.only, last.number, STRETCH),
    );
    if (!answer) return;
    const shown = this.shown ?? [];
    this.shown = [...shown, ...rowsAfter(shown, answer.value)];
    this.more = answer.value.length >= STRETCH;
  }

  reset(): void {
    this.#run = null;
    this.only = 'found';
    this.shown = null;
    this.more = false;
    this.#isRead = false;
    this.reading.reset();
    this.readingMore.reset();
  }
}
