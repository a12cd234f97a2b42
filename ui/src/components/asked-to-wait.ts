// A service that asks to be left alone for longer than a pause between two tries.
import { desk } from '../ipc/desk.svelte';
import { clock } from './clock.svelte';

/** A shorter wait is not told, in milliseconds. */
const SHORT_MS = 60_000;

/** Until when the service asks to wait; null when it does not, or not for long. */
export function askedToWait(): string | null {
  const until = desk.overview?.asksToWaitUntil ?? null;
  return until !== null && Date.parse(until) - clock() > SHORT_MS ? until : null;
}
