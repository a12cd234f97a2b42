// The state of the last entry after it was submitted, and the latest entries of this desk.
import { commands, type LeadView, type SubmissionView } from '../../ipc';
import { Call } from '../../ipc/call.svelte';
import { MOVING } from '../../ipc/desk.svelte';
import { EntryList, EVERY_ENTRY } from '../../ipc/entry-list.svelte';

const LATEST = 6;

export class Progress {
  /** The last contract or the last lead; never both. */
  receipt = $state<SubmissionView | null>(null);
  lead = $state<LeadView | null>(null);
  readonly latest = new EntryList();
  readonly #following = new Call();

  show(receipt: SubmissionView | null, lead: LeadView | null = null): void {
    this.receipt = receipt;
    this.lead = lead;
  }

  /** Updates the state of the entries in view. */
  async follow(): Promise<void> {
    const receipt = this.receipt;
    if (receipt && MOVING.includes(receipt.state)) {
      const answer = await this.#following.run(() => commands.submission(receipt.id));
      if (answer && this.receipt?.id === receipt.id) this.receipt = answer.value;
    }
    const lead = this.lead;
    if (lead && (lead.state === 'queued' || lead.state === 'inFlight')) {
      const answer = await commands.leads(LATEST);
      const now = answer.status === 'ok' ? answer.data.find(({ id }) => id === lead.id) : undefined;
      if (now && this.lead?.id === lead.id) this.lead = now;
    }
    await this.latest.update({ ...EVERY_ENTRY, limit: LATEST });
  }

  reset(): void {
    this.show(null);
    this.latest.reset();
  }
}
