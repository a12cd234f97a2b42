// Reads the same thing from the desk's cache and from the service: the cache answers at once, the
// service's answer replaces it.
import type { Answer } from '.';
import { Call } from './call.svelte';

export class CachedQuery<T> {
  /** The read from the service. */
  readonly refreshing = new Call();
  readonly #reading = new Call();
  readonly #show: (value: T) => void;
  #fresh = false;

  /** `show` gets what the cache has, unless the service has answered, and what the service has. */
  constructor(show: (value: T) => void) {
    this.#show = show;
  }

  /** Reads both at once; resolves when neither answer is awaited any more. */
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

  /** Starts over for something else: drops answers that are still awaited. */
  reset(): void {
    this.#fresh = false;
    this.refreshing.reset();
    this.#reading.reset();
  }
}
