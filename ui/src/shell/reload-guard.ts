// Keeps the web view from reloading the page, which loses typed input.
import { takesText } from '../components/scan-capture';

/**
 * Suppresses the keys that reload the page (WebView2 has them), and the web view's own menu, which offers it,
 * but in text boxes and on selected text. Returns a function that stops it.
 */
export function guardReload(window: Window): () => void {
  const listening = new AbortController();
  const options = { signal: listening.signal, capture: true };
  window.addEventListener(
    'contextmenu',
    (event) => {
      const selected = window.getSelection()?.isCollapsed === false;
      if (!takesText(event.target) && !selected) event.preventDefault();
    },
    options,
  );
  window.addEventListener(
    'keydown',
    (event) => {
      const letter = (event.ctrlKey || event.metaKey) && !event.altKey && event.code === 'KeyR';
      if (letter || event.key === 'F5') event.preventDefault();
    },
    options,
  );
  return () => listening.abort();
}
