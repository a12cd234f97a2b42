// Which key chooses which plan of a list: the digits first, then letters. `g` begins "go to".
const KEYS = '123456789abcdefhijklmnopqrstuvwxyz';

/** The key of the plan at this place, or nothing where there are no more keys. */
export function planKey(index: number): string {
  return KEYS[index] ?? '';
}

/** The place of the plan that a key chooses, whatever width and case it came in; -1 for none. */
export function planPlace(key: string): number {
  const plain = key.normalize('NFKC').toLowerCase();
  return plain.length === 1 ? KEYS.indexOf(plain) : -1;
}
