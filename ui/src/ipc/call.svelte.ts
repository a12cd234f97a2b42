// One call to the desk at a time, with the state that the screen shows.
import type { Answer } from '.';
import { asFailure, type Failure } from './failure';

/** The progress of one kind of call: whether it runs, and how the last one failed. */
export class Call {
  busy = $state(false);
  failure = $state<Failure | null>(null);
  #turn = 0;

  /**
   * Runs a call. The answer is `null` when it failed (see `failure`) or when a later call of the
   * same kind was started, so that an old answer never replaces a newer one.
   */
  async run<T>(call: () => Promise<Answer<T>>): Promise<{ value: T } | null> {
    const turn = ++this.#turn;
    this.busy = true;
    this.failure = null;
    try {
      const answer = await call();
      if (turn !== this.#turn) return null;
      if (answer.status === 'ok') return { value: answer.data };
      this.failure = asFailure(answer.error);
    } catch (thrown) {
      if (turn === this.#turn) this.failure = asFailure(thrown);
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
    return null;
  }

  /** Clears the last failure, and ignores the answer to a running call. */
  reset(): void {
    this.#turn += 1;
    this.busy = false;
    this.failure = null;
  }
}
