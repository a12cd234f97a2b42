// Stores and restores a form as a draft of its profile, so that a crash or restart does not lose it.
import { commands } from '.';
import { desk } from './desk.svelte';
import { DraftWriter, keepDraft, type Written } from './draft-writer.svelte';

export class KeptForm {
  readonly #name: string;
  readonly #typed: () => string | null;
  readonly #restore: (text: string) => void;
  readonly #writer = new DraftWriter(true);
  /** The draft of each profile, as far as it is known. */
  readonly #stored = new Map<string, string | null>();

  /** `typed` is the form as a text, `null` while there is nothing to keep; `restore` takes it back. */
  constructor(name: string, typed: () => string | null, restore: (text: string) => void) {
    this.#name = name;
    this.#typed = typed;
    this.#restore = restore;
  }

  /** Stores the form as it is now. The first time under a profile, restores it if nothing is typed. */
  keep(): void {
    const profile = desk.profile?.id;
    const text = this.#typed();
    if (profile !== undefined) void this.#writer.save(() => this.#write(profile, text));
  }

  async #write(profile: string, text: string | null): Promise<Written> {
    if (!this.#stored.has(profile)) {
      const answer = await commands.drafts(profile, this.#name);
      if (answer.status === 'ok') {
        const found = answer.data.find(({ name }) => name === this.#name);
        // No form can show what was encrypted with a lost key; the day would stay open for it.
        if (found?.state === 'lost') await commands.draftDrop(profile, this.#name);
        const kept = found?.text ?? null;
        const free = this.#typed() === null && desk.profile?.id === profile;
        // What was kept waits until the form is empty.
        if (kept !== null && !(text === null && free)) return 'file';
        this.#stored.set(profile, kept);
        if (kept !== null) {
          this.#restore(kept);
          return 'file';
        }
      }
    }
    if (text === (this.#stored.get(profile) ?? null)) return 'file';
    if (text !== null) {
      this.#stored.set(profile, text);
      return keepDraft(profile, this.#name, text);
    }
    // The form is done with, under whichever profile it was typed.
    for (const [id, kept] of this.#stored) {
      if (kept !== null) await commands.draftDrop(id, this.#name);
      this.#stored.set(id, null);
    }
    return 'file';
  }

  /** Leaves the drafts where they are: the form is emptied, or the program has just started. */
  reset(): void {
    this.#stored.clear();
  }
}
