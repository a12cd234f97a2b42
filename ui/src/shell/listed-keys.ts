// The keys listed for staff, page by page. The tests compare this list with the keys that the pages
// handle.
import { planKey } from '../components/plan-keys';
import type { TextKey } from '../i18n/language.svelte';

/** An action and its keys, each as `Ctrl+Shift+key`; `Arrows` are all four. */
export type ListedKeys = readonly [what: TextKey, keys: readonly string[]];

/** The number of plans that have a key. */
const PLANS = Array.from({ length: 40 }, (_, at) => planKey(at)).filter((key) => key !== '');

/** A range of keys, from the first to the last. */
const span = (keys: readonly string[]) => `${keys[0]}–${keys.at(-1)}`;

export const COUNTER_KEYS: readonly ListedKeys[] = [
  ['register.choosePlan', [span(PLANS.slice(0, 9)), span(PLANS.slice(9))]],
  ['shortcuts.nextBox', ['Enter']],
  ['register.submit', ['F12', 'Ctrl+Enter']],
  ['receipt.another', ['Alt+N']],
  ['paper.title', ['Ctrl+P']],
  ['register.decline', ['Alt+L']],
  ['shortcuts.correct', ['Alt+C']],
];

export const LEAD_KEYS: readonly ListedKeys[] = [
  ['shortcuts.nextBox', ['Enter']],
  ['leads.create', ['F12', 'Ctrl+Enter']],
];

export const PRODUCT_KEYS: readonly ListedKeys[] = [
  ['shortcuts.nextBox', ['Enter']],
  ['product.send', ['F12', 'Ctrl+Enter']],
];

export const SHEET_KEYS: readonly ListedKeys[] = [
  ['shortcuts.submit', ['F12', 'Ctrl+Enter']],
  ['shortcuts.next', ['F8', 'Shift+F8']],
  ['shortcuts.yes', ['Alt+Y']],
  ['shortcuts.planInCell', [span(PLANS.slice(0, 9))]],
  ['shortcuts.edit', ['F2']],
  ['shortcuts.clear', ['Delete', 'Backspace']],
  ['shortcuts.move', ['Arrows', 'Tab', 'Shift+Tab', 'Enter', 'Shift+Enter']],
  [
    'shortcuts.moveFar',
    ['Ctrl+Arrows', 'Home', 'End', 'Ctrl+Home', 'Ctrl+End', 'PageUp', 'PageDown'],
  ],
  ['shortcuts.select', ['Shift+Arrows']],
  ['shortcuts.selectMore', ['Shift+Space', 'Ctrl+A']],
  ['shortcuts.clipboard', ['Ctrl+C', 'Ctrl+X', 'Ctrl+V']],
  ['shortcuts.fillDown', ['Ctrl+D']],
  ['shortcuts.rows', ['Ctrl++', 'Ctrl+-']],
  ['shortcuts.undo', ['Ctrl+Z', 'Ctrl+Y']],
  ['shortcuts.findIn', ['Ctrl+F', 'F3', 'Shift+F3']],
  ['shortcuts.leave', ['Escape', 'Tab']],
];

const SHOWN: Record<string, string> = {
  Arrows: '↑↓←→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc',
  Delete: 'Del',
  Backspace: '⌫',
  '-': '−',
};

/** The lists of contracts, plans, products and leads. */
export const LIST_KEYS: readonly ListedKeys[] = [
  ['shortcuts.intoList', ['ArrowDown']],
  ['shortcuts.move', ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']],
  ['shortcuts.openRow', ['Enter']],
];

/** The parts of a key, as printed on the keyboard. */
export function capsOf(key: string): string[] {
  const parts = key.endsWith('++') ? [...key.slice(0, -2).split('+'), '+'] : key.split('+');
  return parts.map((part) => SHOWN[part] ?? part);
}
