// The day of the store as the page shows it: today's until another one is chosen.
import { daysAfter } from '../../format/days';
import { commands, type CloseOfDay, type Day, type Overview } from '../../ipc';
import { Call } from '../../ipc/call.svelte';
import { desk } from '../../ipc/desk.svelte';
import { ofProfile } from '../../ipc/profile-reset';

/** Notices come in bursts; the figures are read at most this often, in milliseconds. */
const REST_MS = 300;

/** Whether what was reported last leaves nothing unfinished, drafts included. */
function isFinished(overview: Overview | null): boolean {
  if (!overview?.allDone) return false;
  const { drafts, leadDrafts, productDrafts } = overview.open;
  return drafts + leadDrafts + productDrafts === 0;
}

class TodayPage {
  /** The chosen day; `null` follows the store's clock. */
  date = $state<string | null>(null);
  day = $state.raw<Day | null>(null);
  #closing = $state.raw<CloseOfDay | null>(null);
  readonly reading = new Call();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * What is left to do before closing; `null` while it is not known. Nothing is called closed by what
   * was read before a failure or another page, or before something unfinished was reported.
   */
  get closing(): CloseOfDay | null {
    return this.#closing?.closed && !isFinished(desk.overview) ? null : this.#closing;
  }

  async read(): Promise<void> {
    this.#rest();
    const answer = await this.reading.run(() => commands.day(this.date));
    if (answer) {
      this.day = answer.value;
      this.#closing = answer.value.closing;
      // It was lost, and nothing may change that would tell it again.
      if (desk.overview === null && !desk.loading.busy) void desk.load();
    } else if (this.reading.failure) {
      this.#closing = null;
    }
  }

  /** Reads the figures again soon; further calls until then share the same request. */
  readSoon(): void {
    this.#timer ??= setTimeout(() => void this.read(), REST_MS);
  }

  /** Shows a day; the store's current day is then followed by the clock. */
  async choose(date: string | null): Promise<void> {
    this.date = date === this.day?.today ? null : date;
    await this.read();
  }

  /** Shows the day before or after. */
  async step(days: number): Promise<void> {
    const shown = this.date ?? this.day?.today;
    if (shown) await this.choose(daysAfter(shown, days));
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Called when the page closes: what is left may change until it is opened again. */
  leave(): void {
    this.#rest();
    this.reading.reset();
    this.#closing = null;
  }

  reset(): void {
    this.leave();
    this.date = null;
    this.day = null;
  }
}

export const today = ofProfile(new TodayPage());
