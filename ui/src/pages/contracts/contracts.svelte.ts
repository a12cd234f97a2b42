// Finding contracts: what was registered here, contract lookup at the service, and recent lookups.
import { clock } from '../../components/clock.svelte';
import { plainCode } from '../../format/plain';
import { Call } from '../../ipc/call.svelte';
import { desk } from '../../ipc/desk.svelte';
import { EVERY_ENTRY } from '../../ipc/entry-filter';
import { PagedEntries } from '../../ipc/paged-list.svelte';
import {
  commands,
  type Contract,
  type EntryFilter,
  type EntrySort,
  type RecentLookup,
  type SubmissionState,
} from '../../ipc';
import { ofProfile } from '../../ipc/profile-reset';
import { ENTRY_COLUMNS } from '../../list/entries';
import { ListPlace } from '../../list/place.svelte';
import { outbox } from '../outbox/outbox.svelte';
import { dayAt, daysOf, typedDay, type Range } from '../../format/days';

export const TABS = ['entered', 'recent'] as const;

class ContractsPage {
  contract = $state<Contract | null>(null);
  readAt = $state<string | null>(null);
  /** The id that was looked up last. */
  id = $state('');
  recents = $state<RecentLookup[] | null>(null);

  tab = $state<(typeof TABS)[number]>('entered');
  text = $state('');
  state = $state<SubmissionState | ''>('');
  range = $state<Range>('all');
  /** First and last day as typed. */
  from = $state('');
  to = $state('');
  readonly place = new ListPlace<EntrySort>('transactionDate', false);

  readonly looking = new Call();
  readonly recalling = new Call();
  readonly list = new PagedEntries();
  readonly columns = ENTRY_COLUMNS;

  /** The day by the clock of the store. */
  readonly today = $derived(dayAt(desk.profile, new Date(Math.max(clock(), Date.now()))));
  readonly days = $derived(
    this.range === 'days'
      ? { from: typedDay(this.from, this.today), to: typedDay(this.to, this.today) }
      : daysOf(this.range, this.today),
  );
  /** The filter and the order of the entries. */
  readonly filter: EntryFilter = $derived({
    ...EVERY_ENTRY,
    states: this.state === '' ? [] : [this.state],
    text: this.text.trim(),
    ...this.days,
    sort: this.place.sort,
    ascending: this.place.ascending,
  });
  /** Whether the list leaves anything out. */
  readonly narrowed = $derived(
    this.filter.text !== '' ||
      this.state !== '' ||
      this.days.from !== null ||
      this.days.to !== null,
  );
  /** What was searched, if it can be the id of a contract; else empty. */
  readonly wantedId = $derived.by(() => {
    const id = plainCode(this.text);
    return /^[!-~]+$/.test(id) ? id : '';
  });

  /** Shows every entry again. */
  widen(): void {
    this.text = '';
    this.state = '';
    this.range = 'all';
  }

  /**
   * Opens the entry that is searched; what is found nowhere here is looked up at the service.
   * Returns whether a person has to choose among several.
   */
  async openFound(): Promise<boolean> {
    const { filter, list } = this;
    const first = await list.first(filter);
    const isLooking = this.looking.busy && this.id === this.wantedId;
    if (first === null && this.wantedId !== '' && !isLooking && outbox.openId === null)
      await this.lookUp(this.wantedId);
    return first ? outbox.openMeant(list, filter, this.place) : false;
  }

  /** Finds a scanned code here, else at the service. */
  async find(code: string): Promise<void> {
    this.widen();
    this.tab = 'entered';
    this.text = code;
    await this.openFound();
  }

  async lookUp(id: string): Promise<void> {
    this.id = id;
    if (id === '') return;
    const before = outbox.openId;
    const answer = await this.looking.run(() => commands.contractLookup(id));
    // Overtaken by a later lookup.
    if (!answer && !this.looking.failure) return;
    void this.recall();
    // A person opened a case meanwhile.
    if (![null, before].includes(outbox.openId)) return;
    this.contract = answer ? answer.value : null;
    this.readAt = answer ? new Date().toISOString() : null;
  }

  async recall(): Promise<void> {
    const answer = await this.recalling.run(() => commands.contractRecents());
    if (answer) this.recents = answer.value;
  }

  closeContract(): void {
    this.contract = null;
    this.looking.reset();
  }

  reset(): void {
    this.closeContract();
    // An ID of one service may not be looked up at another.
    this.id = '';
    this.widen();
    this.from = this.to = '';
    this.recents = null;
    this.place.reset();
    this.list.reset();
  }
}

export const contracts = ofProfile(new ContractsPage());
