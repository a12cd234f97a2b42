// Limits the web view's own menu, which offers to reload the page and lose typed input, to text
// boxes and selected text.
import { takesText } from '../components/scan-capture';

/** Suppresses the menu everywhere else. Returns a function that stops it. */
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
