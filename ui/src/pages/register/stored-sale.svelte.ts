// Keeps what is typed at the counter, so that no crash and no restart loses it, and takes it up
// again. A sale that was registered meanwhile is shown as such and never offered anew.
import { commands, type Draft, type DraftPlace } from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { counter } from './counter.svelte';
import { saleDraft } from './sale-rules';

const PREFIX = 'counter/';

interface Kept {
  profileId: string;
  name: string;
  /** `null` for an empty form: nothing is kept. */
  text: string | null;
}

export class StoredSale {
  /** Where the last draft is kept; `null` before there was one. */
  place = $state<DraftPlace | null>(null);
  /** Whether all that is typed is kept, as far as it can be. */
  settled = $state(true);
  /** Something typed before that cannot be read. */
  unreadable = $state<Draft | null>(null);
  #taken = $state<{ entryId: string; at: string } | null>(null);

  #kept: Kept | null = null;
  #next: Kept | null = null;
  #writing = false;

  /** When what is in the form now was kept, if it was taken up from a draft. */
  get restoredAt(): string | null {
    return this.#taken?.entryId === counter.entryId ? this.#taken.at : null;
  }

  /** Keeps the form as it is now; an empty one drops what was kept of it. */
  async keep(profileId: string): Promise<void> {
    const text = counter.untouched ? null : JSON.stringify(counter.draft);
    this.#next = { profileId, name: PREFIX + counter.entryId, text };
    this.settled = false;
    if (this.#writing) return;
    this.#writing = true;
    while (this.#next) {
      const next: Kept = this.#next;
      this.#next = null;
      await this.#write(next);
    }
    this.#writing = false;
    this.settled = true;
  }

  async #write(next: Kept): Promise<void> {
    const before = this.#kept;
    this.#kept = next;
    const same = before?.profileId === next.profileId && before.name === next.name;
    // What another profile keeps stays there: it was typed under it.
    const over = before?.text != null && before.profileId === next.profileId && !same;
    if (over) await commands.draftDrop(before.profileId, before.name);
    if (same && before.text === next.text) return;
    if (next.text === null) {
      if (same && before.text !== null) await commands.draftDrop(next.profileId, next.name);
      this.place = null;
      return;
    }
    const kept = await commands.draftKeep(next.profileId, next.name, next.text, 0);
    // A file that cannot be written is told elsewhere; the desk holds the text in memory.
    this.place = kept.status === 'ok' ? kept.data : 'memory';
  }

  /** Takes up what was typed last and not registered, unless something is typed already. */
  async restore(profileId: string): Promise<void> {
    const answer = await commands.drafts(profileId, PREFIX);
    if (answer.status !== 'ok') return;
    const newestFirst = answer.data.toSorted((a, b) => Date.parse(b.keptAt) - Date.parse(a.keptAt));
    this.unreadable = newestFirst.find(({ state }) => state !== 'known') ?? null;
    for (const { name, text, keptAt } of newestFirst) {
      const draft = text === null ? null : saleDraft(text);
      if (!draft) continue;
      const registered = await commands.submission(draft.entryId);
      if (!counter.untouched || desk.profile?.id !== profileId) return;
      if (registered.status === 'ok') {
        await commands.draftDrop(profileId, name);
        counter.receipt ??= registered.data;
        continue;
      }
      counter.restore(draft);
      this.#kept = { profileId, name, text };
      this.#taken = { entryId: draft.entryId, at: keptAt };
      return;
    }
  }

  /** Drops a draft that cannot be read any more. */
  async forgetUnreadable(profileId: string): Promise<void> {
    const lost = this.unreadable;
    this.unreadable = null;
    if (lost) await commands.draftDrop(profileId, lost.name);
  }

  /** Begins anew, as a window that was just opened. */
  reset(): void {
    this.#kept = null;
    this.#next = null;
    this.#taken = null;
    this.place = null;
    this.unreadable = null;
  }
}

export const storedSale = new StoredSale();
