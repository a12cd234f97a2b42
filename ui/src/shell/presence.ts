// Tells the desk that somebody is at the window: with nobody there, a service that cannot be
// reached is tried less often.
import { commands } from '../ipc';

/** Told at most so often, in milliseconds. */
const TOLD_EVERY = 60_000;

/** Tells of keys and clicks. Returns a function that stops it. */
export function tellPresence(window: Window): () => void {
  const listening = new AbortController();
  let told = -TOLD_EVERY;
  function tell(event: Event): void {
    if (event.timeStamp - told < TOLD_EVERY) return;
    told = event.timeStamp;
    // Nothing depends on it: the next key tells again.
    commands.attended().catch(() => {});
  }
  for (const kind of ['keydown', 'pointerdown'])
    window.addEventListener(kind, tell, { signal: listening.signal, capture: true });
  return () => listening.abort();
}
