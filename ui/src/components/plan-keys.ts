// Which key chooses which plan of a list: digits, then letters without `g`, which is "go to".
const KEYS = '123456789abcdefhijklmnopqrstuvwxyz';

/** The key of the plan at this place, or nothing where there are no more keys. */
export function planKey(index: number): string {
  return KEYS[index] ?? '';
}

/** The index of the plan that a key chooses, in any width and case; -1 for none. */
export function planPlace(key: string): number {
  const plain = key.normalize('NFKC').toLowerCase();
  return plain.length === 1 ? KEYS.indexOf(plain) : -1;
}
