// Rows of a run, read in parts.
import { commands, type RowList, type RunRow } from '../../ipc';
import { Call } from '../../ipc/call.svelte';

/** Rows read in one call. */
const STRETCH = 200;

export class Rows {
  /** The list that is shown. */
  only = $state<RowList>('found');
  shown = $state<RunRow[] | null>(null);
  /** Whether there are more than are shown. */
  more = $state(false);
  #run: string | null = null;

  readonly reading = new Call();

  /** Shows rows of a run, from the first. The rows on screen stay until the new ones are read. */
  async read(run: string, only: RowList): Promise<void> {
    if (run !== this.#run) this.shown = null;
    const same = run === this.#run && only === this.only;
    this.#run = run;
    this.only = only;
    const many = same ? Math.max(STRETCH, this.shown?.length ?? 0) : STRETCH;
    const answer = await this.reading.run(() => commands.runRows(run, only, 0, many));
    if (!answer || run !== this.#run) return;
    this.shown = answer.value;
    this.more = answer.value.length >= many;
  }

  async readMore(): Promise<void> {
    const run = this.#run;
    const last = this.shown?.at(-1);
    if (run === null || !last) return;
    const answer = await this.reading.run(() =>
      commands.runRows(run, this.only, last.number, STRETCH),
    );
    if (!answer || run !== this.#run) return;
    this.shown = [...(this.shown ?? []), ...answer.value];
    this.more = answer.value.length >= STRETCH;
  }

  reset(): void {
    this.#run = null;
    this.only = 'found';
    this.shown = null;
    this.more = false;
    this.reading.reset();
  }
}
