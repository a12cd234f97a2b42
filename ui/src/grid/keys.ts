// Which key does what, as in spreadsheets. It knows no cell and no page.
import type { Move } from './selection';

export type Command =
  | { kind: 'move'; move: Move; extend: boolean }
  /** Commits what is being typed, then moves. */
  | { kind: 'commit'; move: Move | null }
  | { kind: 'cancel' }
  /** Edits the text of the cell. */
  | { kind: 'edit' }
  | { kind: 'clear' }
  | { kind: 'selectAll' | 'selectRows' }
  | { kind: 'fillDown' }
  | { kind: 'undo' | 'redo' }
  | { kind: 'insertRows' | 'removeRows' }
  /** The browser is about to copy or cut; it needs a selection to do so. */
  | { kind: 'copying' }
  /** The next Tab leaves the sheet. */
  | { kind: 'release' };

export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'
>;

/** The state of the cell. Arrow keys end `typing`, and move the caret in `editing`. */
export type Mode = 'standing' | 'typing' | 'editing';

const ARROWS: Record<string, { rows: -1 | 0 | 1; columns: -1 | 0 | 1 }> = {
  ArrowUp: { rows: -1, columns: 0 },
  ArrowDown: { rows: 1, columns: 0 },
  ArrowLeft: { rows: 0, columns: -1 },
  ArrowRight: { rows: 0, columns: 1 },
};

const move = (move: Move, extend = false): Command => ({ kind: 'move', move, extend });
const commit = (move: Move | null): Command => ({ kind: 'commit', move });

/** Letters with Ctrl, by the character they type: keyboard layouts differ. */
const WITH_CONTROL: Record<string, Command> = {
  a: { kind: 'selectAll' },
  c: { kind: 'copying' },
  x: { kind: 'copying' },
  d: { kind: 'fillDown' },
  z: { kind: 'undo' },
  y: { kind: 'redo' },
  '-': { kind: 'removeRows' },
  '+': { kind: 'insertRows' },
};

function withControl(press: KeyPress): Command | null {
  const { key, code, shiftKey: extend } = press;
  const arrow = ARROWS[key];
  if (arrow) return move({ kind: 'jump', ...arrow }, extend);
  if (key === 'Home') return move({ kind: 'first' }, extend);
  if (key === 'End') return move({ kind: 'last' }, extend);
  if (extend && key.toLowerCase() === 'z') return { kind: 'redo' };
  // The plus of keyboards that need Shift for it, whatever character it types.
  if (extend && (code === 'Equal' || code === 'Semicolon')) return { kind: 'insertRows' };
  return WITH_CONTROL[key.toLowerCase()] ?? null;
}

function standing(press: KeyPress): Command | null {
  const { key, shiftKey } = press;
  if (press.ctrlKey || press.metaKey) return withControl(press);
  const arrow = ARROWS[key];
  if (arrow) return move({ kind: 'step', ...arrow }, shiftKey);
  switch (key) {
    case 'Tab':
      return move({ kind: 'next', columns: shiftKey ? -1 : 1 });
    case 'Enter':
      return move({ kind: 'down', rows: shiftKey ? -1 : 1 });
    case 'Home':
      return move({ kind: 'rowStart' }, shiftKey);
    case 'End':
      return move({ kind: 'rowEnd' }, shiftKey);
    case 'PageUp':
      return move({ kind: 'page', rows: -1 }, shiftKey);
    case 'PageDown':
      return move({ kind: 'page', rows: 1 }, shiftKey);
    case ' ':
      return shiftKey ? { kind: 'selectRows' } : null;
    case 'F2':
      return { kind: 'edit' };
    case 'Delete':
    case 'Backspace':
      return { kind: 'clear' };
    case 'Escape':
      return { kind: 'release' };
    default:
      return null;
  }
}

/** Ctrl with a move key commits while typing; with Shift or while editing it moves the caret. */
function writingWithControl(press: KeyPress, mode: Mode): Command | null {
  const asked = withControl(press);
  const leaves = asked?.kind === 'move' && mode === 'typing' && !press.shiftKey;
  return leaves ? commit(asked.move) : null;
}

function writing(press: KeyPress, mode: Mode): Command | null {
  const { key, shiftKey } = press;
  if (press.ctrlKey || press.metaKey) return writingWithControl(press, mode);
  switch (key) {
    case 'Enter':
      return commit({ kind: 'down', rows: shiftKey ? -1 : 1 });
    case 'Tab':
      return commit({ kind: 'next', columns: shiftKey ? -1 : 1 });
    case 'Escape':
      return { kind: 'cancel' };
    case 'F2':
      return { kind: 'edit' };
    case 'PageUp':
    case 'PageDown':
      return commit({ kind: 'page', rows: key === 'PageUp' ? -1 : 1 });
    default: {
      const arrow = ARROWS[key];
      return arrow && mode === 'typing' && !shiftKey ? commit({ kind: 'step', ...arrow }) : null;
    }
  }
}

/** The command of a key, or null when the cell itself or the page handles it. */
export function commandOf(press: KeyPress, mode: Mode): Command | null {
  // The page handles Ctrl+Enter: it submits the sheet.
  if (press.altKey || (press.key === 'Enter' && (press.ctrlKey || press.metaKey))) return null;
  return mode === 'standing' ? standing(press) : writing(press, mode);
}
