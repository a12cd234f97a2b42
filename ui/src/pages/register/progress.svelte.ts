// The state of the last entry after it was submitted, and the latest entries of this desk.
import { commands, type LeadView, type SubmissionView } from '../../ipc';
import { Call } from '../../ipc/call.svelte';
import { desk } from '../../ipc/desk.svelte';
import { EVERY_ENTRY } from '../../ipc/entry-filter';

const LATEST = 6;

export class Progress {
  /** The last contract or the last lead; never both. */
  receipt = $state<SubmissionView | null>(null);
  lead = $state<LeadView | null>(null);
  latest = $state.raw<SubmissionView[]>([]);
  readonly #following = new Call();
  readonly #listing = new Call();
  /** How many changes there had been when the entry was read; -1: it may have changed since. */
  #read = -1;
  /** The same of the latest entries. */
  #listed = -1;

  show(receipt: SubmissionView | null, lead: LeadView | null = null): void {
    this.receipt = receipt;
    this.lead = lead;
    this.#read = -1;
  }

  /** Updates the state of the entries in view. */
  async follow(): Promise<void> {
    const { receipt, lead } = this;
    const { changes } = desk;
    const changed = desk.changedSince(this.#read);
    const isNews = ({ id }: { id: string }) => changed?.includes(id) ?? true;
    if (receipt && isNews(receipt)) {
      const answer = await this.#following.run(() => commands.submission(receipt.id));
      if (answer && this.receipt?.id === receipt.id) {
        this.receipt = answer.value;
        this.#read = changes;
      }
    }
    if (lead && isNews(lead)) {
      const answer = await commands.lead(lead.id);
      if (answer.status === 'ok' && this.lead?.id === lead.id) {
        // A token may not be written yet, and the lead is final.
        if (!lead.token) this.lead = answer.data;
        this.#read = changes;
      }
    }
    if (desk.changedSince(this.#listed)?.length === 0) return;
    const filter = { ...EVERY_ENTRY, limit: LATEST };
    const answer = await this.#listing.run(() => commands.contractsList(filter));
    if (!answer) return;
    this.latest = answer.value.entries;
    this.#listed = changes;
  }

  reset(): void {
    this.show(null);
    this.latest = [];
    this.#listed = -1;
    this.#listing.reset();
  }
}
