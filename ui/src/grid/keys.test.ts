import { describe, expect, it } from 'vitest';
import { commandOf, type KeyPress, type Mode } from './keys';

function press(keys: string, mode: Mode = 'standing', code = '') {
  const parts = keys.split('+').map((part) => part || '+');
  const event: KeyPress = {
    key: parts.at(-1)!,
    code,
    shiftKey: parts.includes('Shift'),
    ctrlKey: parts.includes('Ctrl'),
    metaKey: false,
    altKey: parts.includes('Alt'),
  };
  return commandOf(event, mode);
}

describe('keys on a cell', () => {
  it.each([
    ['ArrowDown', { kind: 'move', move: { kind: 'step', rows: 1, columns: 0 }, extend: false }],
    [
      'Shift+ArrowLeft',
      { kind: 'move', move: { kind: 'step', rows: 0, columns: -1 }, extend: true },
    ],
    ['Ctrl+ArrowUp', { kind: 'move', move: { kind: 'jump', rows: -1, columns: 0 }, extend: false }],
    ['Shift+Tab', { kind: 'move', move: { kind: 'next', columns: -1 }, extend: false }],
    ['Enter', { kind: 'move', move: { kind: 'down', rows: 1 }, extend: false }],
    ['Ctrl+Home', { kind: 'move', move: { kind: 'first' }, extend: false }],
    ['Ctrl+Shift+End', { kind: 'move', move: { kind: 'last' }, extend: true }],
    ['PageDown', { kind: 'move', move: { kind: 'page', rows: 1 }, extend: false }],
    ['F2', { kind: 'edit' }],
    ['Delete', { kind: 'clear' }],
    ['Ctrl+z', { kind: 'undo' }],
    ['Ctrl+Shift+Z', { kind: 'redo' }],
    ['Ctrl+y', { kind: 'redo' }],
    ['Ctrl+d', { kind: 'fillDown' }],
    ['Ctrl+a', { kind: 'selectAll' }],
    ['Ctrl+c', { kind: 'copying' }],
    ['Ctrl+-', { kind: 'removeRows' }],
    ['Escape', { kind: 'release' }],
  ])('%s', (keys, command) => {
    expect(press(keys)).toEqual(command);
  });

  it('insert rows with the plus of any keyboard', () => {
    expect(press('Ctrl+Shift+=', 'standing', 'Equal')).toEqual({ kind: 'insertRows' });
    expect(press('Ctrl+Shift+;', 'standing', 'Semicolon')).toEqual({ kind: 'insertRows' });
  });

  it.each(['a', '1', 'Alt+1', 'Ctrl+k', 'Ctrl+v', 'Ctrl+Enter'])('%s is for others', (keys) => {
    expect(press(keys)).toBeNull();
  });
});

describe('keys while typing', () => {
  it('take the text with Enter, Tab and arrows, and give it up with Escape', () => {
    const down = { kind: 'commit', move: { kind: 'down', rows: 1 } };
    expect(press('Enter', 'typing')).toEqual(down);
    expect(press('Enter', 'editing')).toEqual(down);
    expect(press('Tab', 'typing')).toEqual({ kind: 'commit', move: { kind: 'next', columns: 1 } });
    expect(press('ArrowRight', 'typing')).toMatchObject({ kind: 'commit' });
    expect(press('Escape', 'typing')).toEqual({ kind: 'cancel' });
  });

  it.each([
    ['Ctrl+ArrowDown', { kind: 'jump', rows: 1, columns: 0 }],
    ['Ctrl+ArrowLeft', { kind: 'jump', rows: 0, columns: -1 }],
    ['Ctrl+Home', { kind: 'first' }],
    ['Ctrl+End', { kind: 'last' }],
  ])('take the text and jump with %s, unless the cell was opened', (keys, move) => {
    expect(press(keys, 'typing')).toEqual({ kind: 'commit', move });
    expect(press(keys, 'editing')).toBeNull();
    expect(press(`Shift+${keys}`, 'typing')).toBeNull();
  });

  it('leave arrows, Home and the clipboard to the text once the cell was opened', () => {
    for (const keys of ['ArrowLeft', 'Home', 'Ctrl+z', 'Ctrl+c', 'Ctrl+a', 'Delete']) {
      expect(press(keys, 'editing'), keys).toBeNull();
    }
  });
});
