// The keys of the sheet's page, which work wherever the focus is. It knows no cell.
import type { KeyPress } from '../../grid/keys';

type PageCommand =
  /** Submits the rows that are ready. */
  | 'submit'
  /** Confirms the question at the cursor. */
  | 'yes'
  | 'nextAttention'
  | 'previousAttention'
  | 'find'
  | 'findNext'
  | 'findPrevious';

/** The command of a key, or null when it is not for the page. */
export function pageCommandOf(press: KeyPress): PageCommand | null {
  const { key, shiftKey: shift, altKey: alt } = press;
  const control = press.ctrlKey || press.metaKey;
  if (alt) return !control && press.code === 'KeyY' ? 'yes' : null;
  if (control) {
    if (key === 'Enter') return 'submit';
    return key.toLowerCase() === 'f' && !shift ? 'find' : null;
  }
  switch (key) {
    case 'F12':
      return 'submit';
    case 'F8':
      return shift ? 'previousAttention' : 'nextAttention';
    case 'F3':
      return shift ? 'findPrevious' : 'findNext';
    default:
      return null;
  }
}
