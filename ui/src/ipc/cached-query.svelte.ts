// Reads the same data from the desk's cache and from the service: the cache answers at once, and
// the service's answer replaces it.
import type { Answer } from '.';
import { Call } from './call.svelte';

export class CachedQuery<T> {
  /** The request to the service. */
  readonly refreshing = new Call();
  readonly #reading = new Call();
  readonly #show: (value: T) => void;
  #fresh = false;

  /**
   * `show` receives the cached data, unless the service has answered first, and the service's data.
   */
  constructor(show: (value: T) => void) {
    this.#show = show;
  }

  /** Sends both requests at once; resolves when no answer is awaited any more. */
  async run(
    cached: () => Promise<Answer<T | null>>,
    refreshed: () => Promise<Answer<T>>,
  ): Promise<void> {
    const refreshing = this.refreshing.run(refreshed).then((answer) => {
      if (!answer) return;
      this.#fresh = true;
      this.#show(answer.value);
    });
    const answer = await this.#reading.run(cached);
    if (answer?.value && !this.#fresh) this.#show(answer.value);
    await refreshing;
  }

  /** Prepares for other data: ignores answers that are still awaited. */
  reset(): void {
    this.#fresh = false;
    this.refreshing.reset();
    this.#reading.reset();
  }
}
