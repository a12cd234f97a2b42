/** For an effect: does the work if the effect does not run again for this long, in milliseconds. */
export function afterRest(rest: number, work: () => unknown): () => void {
  const timer = setTimeout(work, rest);
  return () => clearTimeout(timer);
}
