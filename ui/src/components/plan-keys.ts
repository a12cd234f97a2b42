import { folded } from '../format/plain';

// The keys that choose a plan of a list: digits, then letters without `g`, which means "go to".
const KEYS = '123456789abcdefhijklmnopqrstuvwxyz';

/** The key of the plan at this index; empty after the last key. */
export function planKey(index: number): string {
  return KEYS[index] ?? '';
}

/** The index of the plan that a key chooses, in any width and case; -1 for none. */
export function planPlace(key: string): number {
  const plain = folded(key);
  return plain.length === 1 ? KEYS.indexOf(plain) : -1;
}
