// Stores and restores a form as a draft of its profile, so that a crash or restart does not lose it.
import { commands, type Draft } from '.';
import { desk } from './desk.svelte';
import { DraftWriter, isKept, keepDraft, type Written } from './draft-writer.svelte';

export class KeptForm {
  readonly #name: string;
  readonly #typed: () => string | null;
  readonly #restore: (text: string, keptAt: string) => void;
  readonly #writer = new DraftWriter(true);
  /** What is kept and cannot be read: its key is lost, or locked in the keychain. */
  unreadable = $state.raw<Draft | null>(null);
  /**
   * The draft of each profile, once it was asked for: `null` without one. `undefined` after a failed
   * write: the desk may still have it. A reset replaces it, so that a running write adds nothing.
   */
  #stored = new Map<string, string | null | undefined>();

  /** `typed` is the form as a text, `null` while there is nothing to keep; `restore` takes it back. */
  constructor(
    name: string,
    typed: () => string | null,
    restore: (text: string, keptAt: string) => void,
  ) {
    this.#name = name;
    this.#typed = typed;
    this.#restore = restore;
  }

  get place(): Written {
    return this.#writer.place;
  }

  /** Stores the form as it is now. The first time under a profile, restores it if nothing is typed. */
  async keep(): Promise<void> {
    const profile = desk.profile?.id;
    const text = this.#typed();
    if (profile !== undefined) await this.#writer.save(() => this.#write(profile, text));
  }

  /**
   * The form was sent and emptied: it is a draft under no profile any more. What was typed for a live
   * profile is still to be sent after practising.
   */
  async finish(): Promise<void> {
    const here = desk.profile?.id;
    const others = desk.practising ? [] : [...this.#stored].filter(([id]) => id !== here);
    for (const [id] of others) this.#stored.delete(id);
    await this.keep();
    for (const [id, kept] of others) if (kept !== null) await commands.draftDrop(id, this.#name);
  }

  /**
   * The form is sent under this profile. Returns what drops its draft once that is done and another
   * profile is used: no other draft, which may wait there until the form is empty.
   */
  sending(profile: string): () => Promise<void> {
    const text = this.#typed();
    return async () => {
      if (profile === desk.profile?.id) return;
      // It may still be on its way to the desk.
      await this.keep();
      const drafts = await commands.drafts(profile, this.#name);
      const isKept = (draft: Draft) => draft.name === this.#name && draft.text === text;
      if (drafts.status !== 'ok' || !drafts.data.some(isKept)) return;
      this.#stored.delete(profile);
      await commands.draftDrop(profile, this.#name);
    };
  }

  async #write(profile: string, text: string | null): Promise<Written> {
    const stored = this.#stored;
    if (text === null) {
      // What was typed under another profile stays there, and is read again then.
      for (const id of stored.keys()) if (id !== profile) stored.delete(id);
    }
    if (!stored.has(profile)) {
      const answer = await commands.drafts(profile, this.#name);
      // Nothing is written over what may be there.
      if (answer.status !== 'ok') return 'failed';
      const found = answer.data.find(({ name }) => name === this.#name);
      this.unreadable = found && found.state !== 'known' ? found : null;
      // The same; it is asked for again.
      if (this.unreadable?.state === 'locked') return text === null ? 'file' : 'memory';
      const kept = found?.text ?? null;
      const free = this.#typed() === null && desk.profile?.id === profile;
      // What was kept waits until the form is empty.
      if (kept !== null && !(text === null && free)) return text === null ? 'file' : 'waiting';
      stored.set(profile, kept);
      if (found && kept !== null) {
        this.#restore(kept, found.keptAt);
        return 'file';
      }
    }
    if (text === stored.get(profile)) return this.place;
    stored.set(profile, undefined);
    if (text === null) {
      const dropped = await commands.draftDrop(profile, this.#name);
      if (dropped.status !== 'ok') return 'failed';
      stored.set(profile, null);
      return 'file';
    }
    const place = await keepDraft(profile, this.#name, text);
    if (isKept(place)) stored.set(profile, text);
    return place;
  }

  /** Drops what can never be read again. What was typed in its place is stored again. */
  async forgetUnreadable(): Promise<void> {
    if (!desk.profile) return;
    const { id } = desk.profile;
    const dropped = await commands.draftDrop(id, this.#name);
    if (dropped.status === 'ok') this.#stored.delete(id);
    await this.keep();
  }

  /** Leaves the drafts where they are: the form is emptied, or the program has just started. */
  reset(): void {
    this.#stored = new Map();
    this.unreadable = null;
  }
}
