// Contract lookup, recent lookups, and the contracts entered here.
import { plainCode } from '../../components/rules';
import { Call } from '../../ipc/call.svelte';
import { LIMIT } from '../outbox/outbox.svelte';
import {
  commands,
  type Contract,
  type EntryFilter,
  type RecentLookup,
  type SubmissionState,
  type SubmissionView,
} from '../../ipc';

export type Tab = 'recent' | 'entered';

class ContractsPage {
  id = $state('');
  contract = $state<Contract | null>(null);
  readAt = $state<string | null>(null);
  recents = $state<RecentLookup[] | null>(null);

  tab = $state<Tab>('entered');
  text = $state('');
  state = $state<SubmissionState | ''>('');
  entries = $state<SubmissionView[] | null>(null);

  readonly looking = new Call();
  readonly recalling = new Call();
  readonly listing = new Call();

  async lookUp(typed: string): Promise<void> {
    const id = plainCode(typed);
    this.id = id;
    if (id === '') return;
    const answer = await this.looking.run(() => commands.contractLookup(id));
    this.contract = answer ? answer.value : null;
    this.readAt = answer ? new Date().toISOString() : null;
    void this.recall();
  }

  async recall(): Promise<void> {
    const answer = await this.recalling.run(() => commands.contractRecents());
    if (answer) this.recents = answer.value;
  }

  /** The filter of the entries. */
  get filter(): EntryFilter {
    const states = this.state === '' ? [] : [this.state];
    return { states, possibleDuplicates: false, text: this.text.trim(), limit: LIMIT };
  }

  async list(): Promise<void> {
    const answer = await this.listing.run(() => commands.submissions(this.filter));
    if (answer) this.entries = answer.value;
  }

  closeContract(): void {
    this.contract = null;
    this.looking.reset();
  }

  reset(): void {
    this.closeContract();
    this.recents = null;
    this.entries = null;
  }
}

export const contracts = new ContractsPage();
