// A service that asks to be left alone for longer than a pause between two tries.
import { desk } from '../ipc/desk.svelte';
import { clock } from './clock.svelte';

/** A wait that was shorter when the service asked for it is not told, in milliseconds. */
const SHORT_MS = 90_000;

/** Until when the service asks to wait; null when it does not, or not for long. */
export function askedToWait(): string | null {
  const until = desk.overview?.asksToWaitUntil;
  if (!until || Date.parse(until) <= clock()) return null;
  const asked = desk.overview?.lastContact;
  const since = asked ? Date.parse(asked) : clock();
  return Date.parse(until) - since > SHORT_MS ? until : null;
}
