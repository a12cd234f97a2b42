// Every entered contract and its state; one of them open with its history.
import { Call } from '../../ipc/call.svelte';
import {
  commands,
  type CaseView,
  type EntryFilter,
  type EntrySort,
  type Resolution,
  type SubmissionState,
} from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { EVERY_ENTRY } from '../../ipc/entry-filter';
import { PagedEntries } from '../../ipc/paged-list.svelte';
import { ofProfile } from '../../ipc/profile-reset';
import { ENTERED, ENTRY_COLUMNS } from '../../list/entries';
import { ListPlace } from '../../list/place.svelte';
import { openPage, type Count, type View } from '../../navigation/route.svelte';

/** The filters of the list, and the states of each. */
export const VIEWS = {
  open: ['draft', 'queued', 'inFlight', 'held', 'unknown', 'accepted', 'rejected', 'needsPerson'],
  person: ['needsPerson', 'rejected'],
  unknown: ['unknown'],
  confirmed: ['confirmed'],
  all: [],
} as const satisfies Record<View, readonly SubmissionState[]>;

/** The counts above the list, and the states of each. */
export const COUNTS = {
  waiting: ['draft', 'queued', 'inFlight'],
  held: ['held'],
  unknown: ['unknown'],
  accepted: ['accepted'],
  person: ['needsPerson'],
  rejected: ['rejected'],
  // Without a state the filter finds possible duplicates alone.
  duplicates: [],
  confirmed: ['confirmed'],
} as const satisfies Record<Count, readonly SubmissionState[]>;

/** What waits is known by its state and by when it was entered. */
const COLUMNS = [
  'transactionId',
  'state',
  'customer',
  'product',
  'planPurchasePrice',
  'enteredAt',
].flatMap((name) => [...ENTRY_COLUMNS, ENTERED].find((column) => column.name === name) ?? []);

class OutboxPage {
  view = $state<View>('open');
  /** The count whose entries are listed instead of those of the view. */
  count = $state<Count | null>(null);
  text = $state('');
  /** The entry whose details are open. */
  openId = $state<string | null>(null);
  case = $state<CaseView | null>(null);
  /** What is typed for a resolution of it. */
  contractId = $state('');
  reference = $state('');
  /** How many changes there had been when it was read. */
  #read = 0;

  readonly list = new PagedEntries();
  readonly columns = COLUMNS;
  readonly place = new ListPlace<EntrySort>('enteredAt', false);
  readonly reading = new Call();
  readonly resolving = new Call();

  /** The filter and the order of the entries. */
  readonly filter: EntryFilter = $derived.by(() => {
    const { count, view, place } = this;
    return {
      ...EVERY_ENTRY,
      states: [...(count ? COUNTS[count] : VIEWS[view])],
      possibleDuplicates: count ? count === 'duplicates' : view === 'open' || view === 'person',
      text: this.text.trim(),
      sort: place.sort,
      ascending: place.ascending,
    };
  });

  /** Lists the entries of a view, or of one count, whatever was searched before. */
  show(view: View, count: Count | null): void {
    this.text = '';
    this.view = view;
    this.count = count;
  }

  /** Finds what was scanned, in whatever state it is. */
  find(code: string): void {
    this.show('all', null);
    this.text = code;
  }

  /** Lists the entries of a count; pressed again, those of the view. */
  choose(count: Count): void {
    this.count = this.count === count ? null : count;
  }

  /** Opens the entry that is searched. Returns whether a person has to choose among several. */
  async openFound(): Promise<boolean> {
    const { filter, list } = this;
    return (await list.first(filter)) ? this.openMeant(list, filter, this.place) : false;
  }

  /** The same in a list that was read. A case that was opened meanwhile stays open. */
  openMeant(list: PagedEntries, filter: EntryFilter, place: ListPlace<EntrySort>): boolean {
    if (this.openId !== null) return false;
    const row = list.meantBy(filter.text);
    const entry = list.at(row);
    if (!entry) return true;
    place.choose(row, entry.id);
    void this.open(entry.id);
    return false;
  }

  /** Whether something is typed that is not known of the open case. */
  get typed(): boolean {
    const known = ['', this.case?.submission.contractId];
    return this.reference !== '' || !known.includes(this.contractId);
  }

  async open(id: string): Promise<void> {
    this.close();
    this.openId = id;
    await this.readAgain();
  }

  /** Reads the open case again when it changed. */
  async follow(): Promise<void> {
    const changed = desk.changedSince(this.#read);
    if (this.openId !== null && (changed?.includes(this.openId) ?? true)) await this.readAgain();
  }

  /** Reads the open case again, keeping what is on screen until the answer is there. */
  async readAgain(): Promise<void> {
    const id = this.openId;
    if (id === null) return;
    const now = desk.changes;
    const answer = await this.reading.run(() => commands.outboxCase(id));
    if (!answer || this.openId !== id) return;
    this.case = answer.value;
    this.#read = now;
  }

  close(): void {
    this.openId = null;
    this.case = null;
    this.contractId = this.reference = '';
    this.reading.reset();
    this.resolving.reset();
  }

  /** A person closes the case, unless it is being decided: what comes of that is shown with it. */
  leave(): void {
    if (!this.resolving.busy) this.close();
  }

  /** Applies the resolution a person chose. */
  async resolve(resolution: Resolution): Promise<boolean> {
    const id = this.openId;
    if (id === null) return false;
    const answer = await this.resolving.run(() => commands.outboxResolve(id, resolution));
    if (!answer) return false;
    // A sale that is sent again has a new entry.
    this.openId = answer.value.submission.id;
    this.case = answer.value;
    this.contractId = this.reference = '';
    await desk.load();
    return true;
  }

  reset(): void {
    this.close();
    this.show('open', null);
    this.place.reset();
    this.list.reset();
  }
}

export const outbox = ofProfile(new OutboxPage());

/** Opens an entry as it is known here, with or without a network. */
export function openEntry(id: string): void {
  openPage('outbox', { entry: id });
}
