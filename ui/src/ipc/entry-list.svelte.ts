// The list of entered contracts on a page. After a notice it requests only the changed entries, as
// long as the order of the list can be kept that way.
import { commands, type EntryFilter, type SubmissionView } from '.';
import { plainCode } from '../format/plain';
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

/** Whether one of the entry's codes is exactly this text, and does not only contain it. */
export function hasCode(entry: SubmissionView, text: string): boolean {
  const code = plainCode(text).toLowerCase();
  const { transactionId, contractId, inquiryCode } = entry;
  return [transactionId, contractId, inquiryCode].some((own) => own?.toLowerCase() === code);
}

export class EntryList {
  entries = $state<SubmissionView[] | null>(null);
  readonly call = new Call();
  /** The filter of the entries, and the value of the change counter when they were read. */
  #filter = '';
  #read = 0;

  /** Updates the list; with another filter, reads it again. Only for filters without a text. */
  async update(filter: EntryFilter): Promise<void> {
    const key = JSON.stringify(filter);
    const now = desk.changes;
    const known = key === this.#filter ? this.entries : null;
    const ids = known && desk.changedSince(this.#read);
    if (ids?.length === 0) {
      // Supersedes a call for another filter, so that its failure is no longer shown.
      this.call.reset();
      return;
    }
    let entries = await this.#ask({ ...filter, ids: ids ?? [] });
    if (known && ids && entries) {
      entries = merged(known, ids, entries, filter.limit) ?? (await this.#ask(filter));
    }
    // Failed, or superseded by a later call.
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
 * Applies changed entries to a list, newest first, and removes those that no longer match the
 * filter. `null` when the whole list must be read again.
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
  // An entry beyond the end of the list may belong to it now.
  const complete = kept.length === known.length || known.length < limit;
  return inOrder && complete ? [...fresh.values(), ...kept].slice(0, limit) : null;
}
