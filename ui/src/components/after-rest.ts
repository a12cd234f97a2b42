/** For an effect: does the work unless the effect runs again within this time, in milliseconds. */
export function afterRest(rest: number, work: () => unknown): () => void {
  const timer = setTimeout(work, rest);
  return () => clearTimeout(timer);
}
