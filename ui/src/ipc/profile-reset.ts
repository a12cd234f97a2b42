// What was read or entered under a profile is dropped when another one is chosen.

interface Resettable {
  reset(): void;
  /** Drops the typed input that a reset keeps. */
  clear?(): void;
}

const known: Resettable[] = [];

/** Resets a state with every change of the profile. A page that was never opened has no state to reset. */
export function ofProfile<T extends Resettable>(state: T): T {
  known.push(state);
  return state;
}

/** Drops the data of the former profile's service and what was searched in it; keeps typed input. */
export function resetProfile(): void {
  for (const state of known) state.reset();
}

/** The profile is removed with what was typed under it. */
export function clearTyped(): void {
  for (const state of known) state.clear?.();
}
