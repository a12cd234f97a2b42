// The web view's own menu offers to reload the page, which would lose what was typed. It opens only
// in text boxes and on selected text.
import { takesText } from '../components/scan-capture';

/** Suppresses the menu everywhere else. Returns how to stop. */
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
