// The day of the store as the page shows it: today's until another one is chosen.
import { daysAfter } from '../../format/days';
import { commands, type Day } from '../../ipc';
import { Call } from '../../ipc/call.svelte';
import { ofProfile } from '../../ipc/profile-reset';

/** Notices come in bursts; the figures are read at most this often, in milliseconds. */
const REST_MS = 300;

class TodayPage {
  /** The chosen day; `null` follows the store's clock. */
  date = $state<string | null>(null);
  day = $state.raw<Day | null>(null);
  readonly reading = new Call();
  #timer: ReturnType<typeof setTimeout> | undefined;

  async read(): Promise<void> {
    this.rest();
    const answer = await this.reading.run(() => commands.day(this.date));
    if (answer) this.day = answer.value;
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

  /** Cancels the planned request; also called when the page closes. */
  rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  reset(): void {
    this.rest();
    this.date = null;
    this.day = null;
    this.reading.reset();
  }
}

export const today = ofProfile(new TodayPage());
