// State of the desk that every screen uses: profile, counts, connection. Kept up to date by the
// desk's notices.
import { SvelteMap } from 'svelte/reactivity';
import {
  commands,
  events,
  type Answer,
  type DeskStatus,
  type DeskNotice,
  type Organization,
  type OutboxSummary,
  type Overview,
  type Profile,
  type RunView,
  type StaffPolicy,
} from '.';
import { Call } from './call.svelte';

const NOTHING: OutboxSummary = {
  waiting: 0,
  held: 0,
  heldForToken: 0,
  unknown: 0,
  accepted: 0,
  confirmed: 0,
  rejected: 0,
  needsPerson: 0,
  possibleDuplicates: 0,
};

/** An organization that sets nothing. */
const NONE: Organization = {
  locked: { profiles: false, practice: false, exports: false, language: false, retention: false },
  profiles: [],
  unfinished: [],
  support: { text: null, url: null },
  closed: false,
};

type Told = Extract<DeskNotice, { kind: 'overviewChanged' }>;
type RefreshProgress = Extract<DeskNotice, { kind: 'refreshProgress' }>;

/** Number of changes for which the ids are remembered. */
const MOST_REMEMBERED = 50;

class DeskView {
  readonly loading = new Call();
  status = $state<DeskStatus | null>(null);
  summary = $state<OutboxSummary>(NOTHING);
  /** The connection, and the counts of unfinished work of the profile; null while they are not known. */
  overview = $state.raw<Overview | null>(null);
  refresh = $state<RefreshProgress | null>(null);
  /** The run that was reported last. */
  run = $state.raw<RunView | null>(null);
  /** Each run in its last reported state. */
  readonly runs = new SvelteMap<string, RunView>();
  /** Increases whenever entered contracts or leads have changed. */
  changes = $state(0);
  /** The ids of the last changes; `null` for a change that may concern any entry. */
  #changed: (readonly string[] | null)[] = [];

  /** The ids of what changed since the counter had this value; `null` if it may be anything. */
  changedSince(changes: number): string[] | null {
    const missed = this.changes - changes;
    const changed = missed === 0 ? [] : this.#changed.slice(-missed);
    if (changed.length < missed || changed.includes(null)) return null;
    return [...new Set(changed.flatMap((ids) => ids ?? []))];
  }

  #change(ids: readonly string[] | null): void {
    this.#changed = [...this.#changed, ids].slice(-MOST_REMEMBERED);
    this.changes += 1;
  }

  get profile(): Profile | null {
    return this.status?.profile ?? null;
  }
  get practising(): boolean {
    return this.profile?.kind === 'practice';
  }
  /** The service refuses the token of a live profile: nothing is sold until another one is set. */
  get tokenRefused(): boolean {
    return this.profile?.kind === 'live' && this.overview?.connection === 'tokenRefused';
  }
  /** Whether contracts can be sold: a live profile needs its token, and an organization that is known. */
  get canSell(): boolean {
    return this.practising || (this.status?.token === 'present' && !this.organization.closed);
  }
  /** When a staff code is required under this profile. */
  get staffPolicy(): StaffPolicy {
    return this.status?.staff.policy ?? 'off';
  }
  /** What an organization set for this computer. */
  get organization(): Organization {
    return this.status?.organization ?? NONE;
  }
  /** Whether the organization keeps people from changing and removing a profile. */
  isManaged(profile: Profile): boolean {
    const { locked, profiles } = this.organization;
    return profiles.includes(profile.id) || (profile.kind === 'live' && locked.profiles);
  }
  /** Whether nothing new may be entered under a profile: the organization allows only others. */
  isLocked({ id, kind }: Profile): boolean {
    const { locked, profiles } = this.organization;
    return kind === 'practice' ? locked.practice : locked.profiles && !profiles.includes(id);
  }
  get currency(): string {
    return this.profile?.display.currency ?? '';
  }
  get termUnit(): string {
    return this.profile?.display.termUnit ?? '';
  }

  /** The overview that was reported last, of whichever profile. */
  #told: Told | null = null;

  async load(): Promise<DeskStatus | null> {
    const before = this.#told;
    const answer = await this.loading.run(() => commands.status());
    if (!answer) {
      if (this.loading.failure) this.overview = null;
      return null;
    }
    this.status = answer.value;
    this.overview = answer.value.overview ?? null;
    this.summary = answer.value.outbox;
    // What was reported meanwhile may be newer than the answer; if it is not, more is reported.
    const told = this.#told;
    if (told && told !== before && told.profileId === this.profile?.id) this.#see(told);
    this.#change(null);
    return answer.value;
  }

  #looking = false;

  /** Reads again whether the desk's file is damaged or not backed up. */
  async lookAtFile(): Promise<void> {
    if (this.#looking || !this.status || this.status.damaged) return;
    this.#looking = true;
    const answer = await commands.status().finally(() => (this.#looking = false));
    if (answer.status === 'ok') {
      this.status.backup = answer.data.backup;
      this.status.damaged = answer.data.damaged;
    } else if (answer.error.code === 'databaseDamaged') {
      this.status.damaged = true;
    }
  }

  /**
   * Makes a call that may change the profile, and loads the state again. That is part of the call:
   * after an error, too, the desk may already use another profile.
   */
  async changing<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } finally {
      await this.load();
    }
  }

  /**
   * Makes a call for the profile on screen, which the desk refuses when it uses another one; then
   * loads the state again, because the screen is behind.
   */
  async underProfile<T>(call: (profileId: string) => Promise<Answer<T>>): Promise<Answer<T>> {
    const answer = await call(this.profile?.id ?? '');
    if (answer.status === 'error' && answer.error.code === 'profileMoved') void this.load();
    return answer;
  }

  hear(notice: DeskNotice): void {
    switch (notice.kind) {
      case 'outboxChanged':
        this.#change(notice.changed ?? null);
        return;
      case 'blockerChanged':
        if (this.status && notice.profileId === this.profile?.id) {
          this.status = { ...this.status, blocker: notice.blocker ?? null };
          // Data that a locked keychain hid may be readable again.
          this.#change(null);
          this.#lookForToken();
        }
        return;
      case 'refreshProgress':
        if (notice.profileId === this.profile?.id) this.refresh = notice;
        return;
      case 'runProgressed':
        this.run = { ...notice.run, waitingFor: notice.run.waitingFor ?? null };
        this.runs.set(this.run.id, this.run);
        return;
      case 'rescueFound':
        void this.load();
        return;
      case 'dataFileChanged':
        void this.lookAtFile();
        return;
      case 'overviewChanged':
        this.#told = notice;
        if (notice.profileId !== this.profile?.id) return;
        this.#see(notice);
        if (notice.overview.connection === 'connected') this.#lookForToken();
        return;
      case 'overviewLost':
        this.overview = null;
        void this.lookAtFile();
        return;
    }
  }

  /**
   * Loads again while a live profile has no token, here or for what was to be sent: another program may
   * have stored or deleted one meanwhile.
   */
  #lookForToken(): void {
    const missing = this.status?.token !== 'present' || this.status.blocker?.kind === 'noToken';
    if (missing && this.profile?.kind === 'live' && !this.loading.busy) void this.load();
  }

  #see({ overview }: Told): void {
    this.overview = {
      ...overview,
      lastContact: overview.lastContact ?? null,
      askedAgainAt: overview.askedAgainAt ?? null,
      asksToWaitUntil: overview.asksToWaitUntil ?? null,
      failure: overview.failure ?? null,
    };
    this.summary = overview.open.outbox;
  }

  /** Subscribes to the desk's notices. Returns a function that stops it. */
  listen(): () => void {
    const listening = events.deskNotice.listen((event) => this.hear(event.payload));
    return () => void listening.then((stop) => stop());
  }
}

export const desk = new DeskView();

/** Number of entered contracts that are being processed and need no person. */
export function onTheWay(summary: OutboxSummary): number {
  return summary.waiting + summary.held - summary.heldForToken + summary.accepted;
}

/** Number of entered contracts that need a person's action; some wait for another token. */
export function forAPerson(summary: OutboxSummary): number {
  const { needsPerson, rejected, possibleDuplicates, heldForToken } = summary;
  return needsPerson + rejected + possibleDuplicates + heldForToken;
}
