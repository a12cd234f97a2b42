// Every key that the sheet handles is listed, and every listed key does something.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { pageCommandOf } from '../pages/sheet/page-keys';
import { commandOf, type Command, type KeyPress } from '../grid/keys';
import { capsOf, COUNTER_KEYS, SHEET_KEYS } from './listed-keys';

const ARROWS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
const NAMED = ['Tab', 'Enter', 'Escape', 'Home', 'End', 'PageUp', 'PageDown'];
const EDITING = ['Delete', 'Backspace', 'Insert', 'Space', '+', '-'];
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const FUNCTIONS = Array.from({ length: 12 }, (_, at) => `F${at + 1}`);
const ALL = [...ARROWS, ...NAMED, ...EDITING, ...LETTERS, ...FUNCTIONS];

/** Keys that the browser or the cell's text box handles. */
const OF_OTHERS = ['Ctrl+V'];

function pressOf(name: string): KeyPress {
  const [held, key] = name.endsWith('++')
    ? [name.slice(0, -2), '+']
    : [name.slice(0, Math.max(0, name.lastIndexOf('+'))), name.slice(name.lastIndexOf('+') + 1)];
  return {
    key: key === 'Space' ? ' ' : key.length === 1 ? key.toLowerCase() : key,
    code: /^[A-Z]$/.test(key) ? `Key${key}` : '',
    shiftKey: held.includes('Shift'),
    ctrlKey: held.includes('Ctrl'),
    altKey: held.includes('Alt'),
    metaKey: false,
  };
}

const listed = new Set(
  SHEET_KEYS.flatMap(([, keys]) => keys).flatMap((key) =>
    key.endsWith('Arrows') ? ARROWS.map((arrow) => key.replace('Arrows', arrow)) : [key],
  ),
);

/** Shift with a move selects; listed once, for all moves. */
function baseOf(name: string, command: Command | null): string {
  const selects = command?.kind === 'move' && command.extend;
  return selects ? name.replace('Shift+', '') : name;
}

describe('the list of keys', () => {
  it('has every key that the sheet answers to', () => {
    const missing: string[] = [];
    for (const held of ['', 'Shift+', 'Ctrl+', 'Alt+', 'Alt+Shift+']) {
      for (const key of ALL) {
        const name = held + key;
        const command = commandOf(pressOf(name), 'standing');
        const asked = command ?? pageCommandOf(pressOf(name));
        // A key that does the same with Shift is not listed twice.
        const unshifted = pressOf(name.replace('Shift+', ''));
        const plain = commandOf(unshifted, 'standing') ?? pageCommandOf(unshifted);
        if (!asked || (held.includes('Shift+') && isDeepStrictEqual(asked, plain))) continue;
        if (!listed.has(baseOf(name, command))) missing.push(name);
      }
    }
    expect(missing).toEqual([]);
  });

  it('has no key for the sheet that does nothing', () => {
    const idle = [...listed].filter((name) => {
      const range = name.includes('–');
      const press = pressOf(name);
      const answered = commandOf(press, 'standing') ?? pageCommandOf(press);
      return !range && !OF_OTHERS.includes(name) && !answered;
    });
    expect(idle).toEqual([]);
  });

  it('has the keys of plans beyond the ninth', () => {
    const plans = COUNTER_KEYS.find(([what]) => what === 'register.choosePlan');
    expect(plans?.[1]).toEqual(['1–9', 'a–z']);
  });

  it('shows them as they stand on the caps', () => {
    expect(capsOf('Ctrl++')).toEqual(['Ctrl', '+']);
    expect(capsOf('Shift+Arrows')).toEqual(['Shift', '↑↓←→']);
  });
});
