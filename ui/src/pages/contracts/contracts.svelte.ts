// Contract lookup, recent lookups, and the contracts entered here.
import { plainCode } from '../../components/rules';
import { Call } from '../../ipc/call.svelte';
import { EntryList, type ListFilter } from '../../ipc/entry-list.svelte';
import { LIMIT } from '../outbox/outbox.svelte';
import { commands, type Contract, type RecentLookup, type SubmissionState } from '../../ipc';

export type Tab = 'recent' | 'entered';

class ContractsPage {
  id = $state('');
  contract = $state<Contract | null>(null);
  readAt = $state<string | null>(null);
  recents = $state<RecentLookup[] | null>(null);

  tab = $state<Tab>('entered');
  text = $state('');
  state = $state<SubmissionState | ''>('');

  readonly looking = new Call();
  readonly recalling = new Call();
  readonly list = new EntryList();

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
  get filter(): ListFilter {
    const states = this.state === '' ? [] : [this.state];
    return { states, possibleDuplicates: false, text: this.text.trim(), limit: LIMIT };
  }

  closeContract(): void {
    this.contract = null;
    this.looking.reset();
  }

  reset(): void {
    this.closeContract();
    // An ID of one service may not be looked up at another.
    this.id = '';
    this.recents = null;
    this.list.reset();
  }
}

export const contracts = new ContractsPage();
