// The keys that work on every page. Pages add their own.
import { takesText } from '../components/scan-capture';
import { digitOf, PAGES, type Page } from '../navigation/route.svelte';

/** The letter of each page after `g`, as in "go to …". */
export const PAGE_LETTERS: Record<Page, string> = {
  register: 'r',
  sheet: 'e',
  today: 't',
  import: 'f',
  plans: 'p',
  products: 'd',
  contracts: 'c',
  leads: 'l',
  outbox: 'o',
  settings: 's',
};

/** How long `g` waits for its letter, in milliseconds. */
const GO_MS = 1200;

interface ShortcutActions {
  open(page: Page): void;
  toggleSheet(): void;
  togglePalette(): void;
  /** Moves the focus to the search box of the page; `false` if there is none. */
  find(): boolean;
  /** Closes what is open over the page, else goes to the page before. */
  back(): void;
}

/** Handles keys of the whole window. Returns a function that stops it. */
export function listenForShortcuts(window: Window, actions: ShortcutActions): () => void {
  const listening = new AbortController();
  let goAt: number | null = null;

  function hear(event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.code === 'KeyK') {
      event.preventDefault();
      actions.togglePalette();
      return;
    }
    // On a Mac these keys move the caret in a text box.
    const inText = takesText(event.target) && /Mac/.test(window.navigator.platform);
    if (event.altKey && event.key === 'ArrowLeft' && !event.ctrlKey && !event.metaKey && !inText) {
      event.preventDefault();
      actions.back();
      return;
    }
    if (window.document.querySelector('dialog[open]')) return;

    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.code === 'KeyF') {
      if (actions.find()) event.preventDefault();
      return;
    }

    const numbered = PAGES.find((page) => event.code === `Digit${digitOf(page)}`);
    if (event.altKey && !event.ctrlKey && !event.metaKey && numbered) {
      event.preventDefault();
      actions.open(numbered);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || takesText(event.target)) return;

    if (event.key === '/' && actions.find()) {
      event.preventDefault();
      return;
    }
    if (event.key === '?') {
      event.preventDefault();
      actions.toggleSheet();
      return;
    }
    const waiting = goAt !== null && event.timeStamp - goAt <= GO_MS;
    const lettered = PAGES.find((page) => PAGE_LETTERS[page] === event.key);
    goAt = event.key === 'g' && !waiting ? event.timeStamp : null;
    if (waiting && lettered) {
      event.preventDefault();
      actions.open(lettered);
    }
  }

  window.addEventListener('keydown', hear, { signal: listening.signal });
  return () => listening.abort();
}
