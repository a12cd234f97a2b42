// One clock for everything on screen that shows an age.
const STEP_MS = 15_000;

let now = $state(Date.now());
let running: ReturnType<typeof setInterval> | undefined;

/** Starts the clock of the window; returns a function that stops it. */
export function runClock(): () => void {
  clearInterval(running);
  now = Date.now();
  running = setInterval(() => (now = Date.now()), STEP_MS);
  return () => clearInterval(running);
}

/** The time, in milliseconds since 1970; a component that reads it while rendering is updated. */
export function clock(): number {
  return now;
}
