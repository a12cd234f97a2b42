// The web view's own menu offers to load the page anew, which would lose what was typed. It is kept
// to where it is of use: in text boxes and on selected text.
import { takesText } from '../components/scan-capture';

/** Keeps the menu away from everywhere else. Returns how to stop. */
export function guardContextMenu(window: Window): () => void {
  const listening = new AbortController();
  window.addEventListener(
    'contextmenu',
    (event) => {
      const selected = window.getSelection()?.isCollapsed === false;
      if (!takesText(event.target) && !selected) event.preventDefault();
    },
    { signal: listening.signal, capture: true },
  );
  return () => listening.abort();
}
