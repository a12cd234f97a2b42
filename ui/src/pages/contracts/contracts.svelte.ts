// Finding contracts: what was registered here, contract lookup at the service, and recent lookups.
import { clock } from '../../components/clock.svelte';
import { plainCode } from '../../components/rules';
import { Call } from '../../ipc/call.svelte';
import { desk } from '../../ipc/desk.svelte';
import { EVERY_ENTRY } from '../../ipc/entry-list.svelte';
import { PagedEntries } from '../../ipc/paged-entries.svelte';
import {
  commands,
  type Contract,
  type EntryFilter,
  type EntrySort,
  type RecentLookup,
  type SubmissionState,
} from '../../ipc';
import { outbox } from '../outbox/outbox.svelte';
import { dayAt, daysOf, typedDay, type Range } from '../../format/days';

export type Tab = 'recent' | 'entered';

/** How often the list is read again while entries are still being read, in milliseconds. */
export const READING = 150;

class ContractsPage {
  contract = $state<Contract | null>(null);
  readAt = $state<string | null>(null);
  /** The id that was looked up last. */
  id = $state('');
  recents = $state<RecentLookup[] | null>(null);

  tab = $state<Tab>('entered');
  text = $state('');
  state = $state<SubmissionState | ''>('');
  range = $state<Range>('all');
  /** First and last day as typed. */
  from = $state('');
  to = $state('');
  sort = $state<EntrySort>('transactionDate');
  ascending = $state(false);

  /** The entry that is chosen in the list, and the row of the cursor; -1 for none. */
  chosen = $state<string | null>(null);
  row = $state(-1);
  /** How far the list is scrolled. */
  scrolled = 0;

  readonly looking = new Call();
  readonly recalling = new Call();
  readonly list = new PagedEntries();

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
    sort: this.sort,
    ascending: this.ascending,
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

  /** Sorts by a column; the same column again turns the order round. */
  sortBy(sort: EntrySort): void {
    const texts: EntrySort[] = ['transactionId', 'customer', 'product', 'state'];
    this.ascending = this.sort === sort ? !this.ascending : texts.includes(sort);
    this.sort = sort;
  }

  /** Shows every entry again. */
  widen(): void {
    this.text = '';
    this.state = '';
    this.range = 'all';
  }

  choose(row: number): void {
    this.row = row;
    this.chosen = this.list.at(row)?.id ?? null;
  }

  /** Opens the details of a row. */
  open(row: number): void {
    this.choose(row);
    if (this.chosen !== null) void outbox.open(this.chosen);
  }

  /** Opens the first entry found; what is found nowhere here is looked up at the service. */
  async openFirst(): Promise<void> {
    const { filter, list } = this;
    const listed = () => list.shown === JSON.stringify(filter);
    await list.update(filter, 0, 1);
    // Nothing found is no answer while entries are still read, and an update for the rows in view
    // may take the place of this one.
    while (!list.call.failure && (list.count ? listed() && !list.at(0) : list.reading)) {
      if (list.reading) await new Promise((resume) => setTimeout(resume, READING));
      await list.update(filter, 0, 1);
    }
    // Failed, or another search has come: what is listed is not what was searched.
    if (list.call.failure || !listed()) return;
    if (this.list.count) this.open(0);
    else if (this.list.count === 0 && this.wantedId !== '') await this.lookUp(this.wantedId);
  }

  /** Finds a scanned code here, else at the service. */
  async find(code: string): Promise<void> {
    this.widen();
    this.tab = 'entered';
    this.text = code;
    await this.openFirst();
  }

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

  closeContract(): void {
    this.contract = null;
    this.looking.reset();
  }

  reset(): void {
    this.closeContract();
    // An ID of one service may not be looked up at another.
    this.id = '';
    this.text = '';
    this.recents = null;
    this.chosen = null;
    this.row = -1;
    this.scrolled = 0;
    this.list.reset();
  }
}

export const contracts = new ContractsPage();
