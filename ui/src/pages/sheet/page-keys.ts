// The keys of the sheet's page, which work wherever the focus is on it. Knows no cell.
import type { KeyPress } from '../../grid/keys';

export type PageCommand =
  /** Hands in what is ready. */
  | 'hand'
  /** Answers yes to what is asked about the row at the cursor. */
  | 'yes'
  | 'nextAttention'
  | 'previousAttention'
  | 'find'
  | 'findNext'
  | 'findPrevious';

/** What a key asks the page for, or null when it is for others. */
export function pageCommandOf(press: KeyPress): PageCommand | null {
  const { key, shiftKey: shift, altKey: alt } = press;
  const control = press.ctrlKey || press.metaKey;
  if (alt) return !control && press.code === 'KeyY' ? 'yes' : null;
  if (control) {
    if (key === 'Enter') return 'hand';
    return key.toLowerCase() === 'f' && !shift ? 'find' : null;
  }
  switch (key) {
    case 'F12':
      return 'hand';
    case 'F8':
      return shift ? 'previousAttention' : 'nextAttention';
    case 'F3':
      return shift ? 'findPrevious' : 'findNext';
    default:
      return null;
  }
}
