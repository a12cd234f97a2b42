// Entered contracts as a page lists them. After a notice it asks for the entries that changed alone,
// as long as the list can be kept in order that way.
import { commands, type EntryFilter, type SubmissionView } from '.';
import { Call } from './call.svelte';
import { desk } from './desk.svelte';

/** Every entry, newest first. */
export const EVERY_ENTRY: EntryFilter = {
  states: [],
  possibleDuplicates: false,
  text: '',
  from: null,
  to: null,
  sort: 'enteredAt',
  ascending: false,
  offset: 0,
  limit: 0,
  ids: [],
};

export class EntryList {
  entries = $state<SubmissionView[] | null>(null);
  readonly call = new Call();
  /** The filter of the entries, and how many changes there had been when they were read. */
  #filter = '';
  #read = 0;

  /** Brings the list up to date; another filter reads all of it. */
  async update(filter: EntryFilter): Promise<void> {
    const key = JSON.stringify(filter);
    const now = desk.changes;
    const known = key === this.#filter ? this.entries : null;
    const ids = known && desk.changedSince(this.#read);
    if (ids?.length === 0) {
      // A call for another filter is overtaken, and its failure no longer shown.
      this.call.reset();
      return;
    }
    let entries = await this.#ask({ ...filter, ids: ids ?? [] });
    if (known && ids && entries) {
      entries = merged(known, ids, entries, filter.limit) ?? (await this.#ask(filter));
    }
    // Failed, or overtaken by a later call.
    if (!entries) return;
    this.entries = entries;
    this.#filter = key;
    this.#read = now;
  }

  async #ask(filter: EntryFilter): Promise<SubmissionView[] | null> {
    return (await this.call.run(() => commands.submissions(filter)))?.value ?? null;
  }

  reset(): void {
    this.entries = null;
    this.call.reset();
  }
}

/**
 * A list, newest first, with the entries that changed as they are now; those that are no longer in
 * the filter are left out. `null` when all must be read again.
 */
function merged(
  known: SubmissionView[],
  changed: string[],
  now: SubmissionView[],
  limit: number,
): SubmissionView[] | null {
  const fresh = new Map(now.map((entry) => [entry.id, entry]));
  const kept = known
    .filter(({ id }) => fresh.has(id) || !changed.includes(id))
    .map((entry) => fresh.get(entry.id) ?? entry);
  for (const { id } of kept) fresh.delete(id);
  const newest = kept[0]?.enteredAt ?? '';
  const inOrder = [...fresh.values()].every(({ enteredAt }) => enteredAt >= newest);
  // An entry that was cut off may have its place in the list now.
  const complete = kept.length === known.length || known.length < limit;
  return inOrder && complete ? [...fresh.values(), ...kept].slice(0, limit) : null;
}
