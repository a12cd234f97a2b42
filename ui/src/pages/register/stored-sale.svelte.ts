// Stores and restores the draft of the counter, so that a crash or restart does not lose it. A
// draft that was registered in the meantime is shown as registered and not restored.
import { whileCorrected } from '../../i18n/entries';
import { commands, type Draft } from '../../ipc';
import { Call } from '../../ipc/call.svelte';
import { desk } from '../../ipc/desk.svelte';
import { DraftWriter, isKept, keepDraft, type Written } from '../../ipc/draft-writer.svelte';
import { counter } from './counter.svelte';
import { saleDraft } from './sale-rules';

const PREFIX = 'counter/';

class StoredSale {
  writer = $state(new DraftWriter());
  /** A former draft that cannot be read. */
  unreadable = $state<Draft | null>(null);
  readonly reading = new Call();
  #taken = $state<{ entryId: string; at: string } | null>(null);
  /**
   * The drafts of the sale in the form, for each profile under which it was typed: their texts by
   * name. Without a text the write has failed, and the desk may still have the draft.
   */
  readonly #kept = new Map<string, Map<string, string | null>>();

  /** When the draft in the form was stored, if it was restored. */
  get restoredAt(): string | null {
    return this.#taken?.entryId === counter.entryId ? this.#taken.at : null;
  }

  /**
   * Stores the form as it is now. An empty form drops its draft under this profile; a sale that was
   * given up here stays a draft where it was typed before.
   */
  async keep(profileId: string): Promise<void> {
    const text = counter.untouched ? null : JSON.stringify(counter.draft);
    const name = PREFIX + counter.entryId;
    // Of the sale in the form now, which may be another one when this is written.
    const kept = this.#kept.get(profileId) ?? new Map<string, string | null>();
    if (text === null) this.#kept.clear();
    this.#kept.set(profileId, kept);
    await this.writer.save(() => this.#write(profileId, kept, name, text));
  }

  /**
   * The sale in the form is sent. Returns what deletes its drafts once it was made, whatever is in the
   * form by then. What was typed for a live profile is still to be registered after practising.
   */
  sending(): () => Promise<void> {
    const here = desk.profile?.id ?? '';
    const sent = PREFIX + counter.entryId;
    const former = [...this.#kept]
      .filter(([id]) => id === here || !desk.practising)
      .flatMap(([id, kept]) => [...kept.keys()].map((name) => ({ id, name })))
      .filter(({ name }) => name !== sent);
    const drafts = [{ id: here, name: sent }, ...former];
    return async () => {
      for (const { id, name } of drafts) this.#kept.get(id)?.delete(name);
      // They may still be on their way to the desk.
      await this.keep(desk.profile?.id ?? here);
      for (const { id, name } of drafts) await commands.draftDrop(id, name);
    };
  }

  async #write(
    profileId: string,
    kept: Map<string, string | null>,
    name: string,
    text: string | null,
  ): Promise<Written> {
    if (text === null) {
      await this.#drop(profileId, kept, [...kept.keys()]);
      return kept.size === 0 ? 'file' : 'failed';
    }
    if (kept.get(name) === text && this.writer.place === 'file') return 'file';
    kept.set(name, null);
    const place = await keepDraft(profileId, name, text);
    if (!isKept(place)) return place;
    const others = [...kept.keys()].filter((other) => other !== name);
    kept.set(name, text);
    await this.#drop(profileId, kept, others);
    return place;
  }

  /** Drops drafts; one that could not be dropped is dropped with the next write. */
  async #drop(profileId: string, kept: Map<string, string | null>, names: string[]): Promise<void> {
    for (const name of names) kept.set(name, null);
    for (const name of names) {
      const dropped = await commands.draftDrop(profileId, name);
      if (dropped.status === 'ok') kept.delete(name);
    }
  }

  /**
   * Stores the form as a draft before another sale replaces it; `false` when it cannot be stored.
   * An empty form has no draft.
   */
  async setAside(profileId: string): Promise<boolean> {
    await this.keep(profileId);
    if (counter.untouched) return true;
    if (!isKept(this.writer.place)) return false;
    this.#kept.clear();
    return true;
  }

  /** Restores the latest draft that is not registered, unless something is typed already. */
  async restore(profileId: string): Promise<void> {
    // The drafts of a correction that left the form with its profile stay there.
    if (counter.untouched) this.#kept.clear();
    const answer = await this.reading.run(() => commands.drafts(profileId, PREFIX));
    if (!answer) return;
    const newestFirst = answer.value.toSorted(
      (a, b) => Date.parse(b.keptAt) - Date.parse(a.keptAt),
    );
    this.unreadable = newestFirst.find(({ state }) => state !== 'known') ?? null;
    for (const { name, text, keptAt } of newestFirst) {
      const draft = text === null ? null : saleDraft(text);
      if (text === null || !draft) continue;
      const registered = await commands.submission(draft.entryId);
      const corrected = draft.replaces ? await commands.outboxCase(draft.replaces) : null;
      if (!counter.untouched || desk.profile?.id !== profileId) return;
      const correcting = corrected?.status === 'ok' ? corrected.data : null;
      if (draft.replaces && !correcting) continue;
      if (correcting) {
        const { submission, replacedBy } = correcting;
        // The entry was corrected, or cancelled, after this draft was stored. What was sent meanwhile is
        // said in the form.
        if (replacedBy !== null || whileCorrected(submission) === 'cancelled') {
          await commands.draftDrop(profileId, name);
          continue;
        }
      }
      if (registered.status === 'ok') {
        await commands.draftDrop(profileId, name);
        counter.progress.receipt ??= registered.data;
        continue;
      }
      counter.restore(draft, keptAt, correcting?.submission);
      this.#kept.set(profileId, new Map([[name, text]]));
      this.#taken = { entryId: draft.entryId, at: keptAt };
      return;
    }
  }

  /** Deletes a draft that can no longer be read. */
  async forgetUnreadable(): Promise<void> {
    const [lost, profile] = [this.unreadable, desk.profile];
    if (!profile) return;
    this.unreadable = null;
    if (lost) await commands.draftDrop(profile.id, lost.name);
  }

  /** The state of a window that was just opened. */
  reset(): void {
    this.writer = new DraftWriter();
    this.#kept.clear();
    this.#taken = null;
    this.unreadable = null;
    this.reading.reset();
  }
}

export const storedSale = new StoredSale();
