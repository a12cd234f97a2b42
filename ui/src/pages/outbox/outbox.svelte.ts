// Every entered contract and its state; one of them open with its history.
import { Call } from '../../ipc/call.svelte';
import { commands, type CaseView, type Resolution, type SubmissionState } from '../../ipc';
import { desk } from '../../ipc/desk.svelte';
import { EntryList, type ListFilter } from '../../ipc/entry-list.svelte';

/** The filters of the list, and the states of each. */
export const VIEWS = {
  open: ['draft', 'queued', 'inFlight', 'held', 'unknown', 'accepted', 'rejected', 'needsPerson'],
  person: ['needsPerson', 'rejected'],
  unknown: ['unknown'],
  confirmed: ['confirmed'],
  all: [],
} as const satisfies Record<string, readonly SubmissionState[]>;
export type View = keyof typeof VIEWS;

/** A longer list is truncated, and the page says so. */
export const LIMIT = 300;

class OutboxPage {
  view = $state<View>('open');
  text = $state('');
  /** The entry whose details are open. */
  openId = $state<string | null>(null);
  case = $state<CaseView | null>(null);
  /** How many changes there had been when it was read. */
  #read = 0;

  readonly list = new EntryList();
  readonly reading = new Call();
  readonly resolving = new Call();

  /** The filter of the entries. */
  get filter(): ListFilter {
    return {
      states: [...VIEWS[this.view]],
      possibleDuplicates: this.view === 'open' || this.view === 'person',
      text: this.text.trim(),
      limit: LIMIT,
    };
  }

  async open(id: string): Promise<void> {
    this.openId = id;
    this.case = null;
    this.resolving.reset();
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
    this.#read = desk.changes;
    const answer = await this.reading.run(() => commands.outboxCase(id));
    if (answer && this.openId === id) this.case = answer.value;
  }

  close(): void {
    this.openId = null;
    this.case = null;
    this.reading.reset();
    this.resolving.reset();
  }

  /** Applies the resolution a person chose. */
  async resolve(resolution: Resolution): Promise<boolean> {
    const id = this.openId;
    if (id === null) return false;
    const answer = await this.resolving.run(() => commands.outboxResolve(id, resolution));
    if (!answer) return false;
    this.case = answer.value;
    await desk.load();
    return true;
  }

  reset(): void {
    this.close();
    this.list.reset();
  }
}

export const outbox = new OutboxPage();
