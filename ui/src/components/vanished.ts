// Where the focus goes when the pressed button vanishes with what it did.
import { tick } from 'svelte';

const PLACES = 'section[aria-label], section[aria-labelledby], dialog, main';

/** The named parts of the page around a button, its dialog and its page, from the nearest. */
export function placesOf(button: Element): HTMLElement[] {
  const places: HTMLElement[] = [];
  let place = button.closest<HTMLElement>(PLACES);
  while (place) {
    places.push(place);
    place = place.parentElement?.closest<HTMLElement>(PLACES) ?? null;
  }
  return places;
}

/**
 * Moves the focus to the first of these places that is still there, or else to the dialog or page
 * on top, unless something has taken it: to a part itself, to the heading of a dialog or page.
 */
export async function goOnIn(places: readonly HTMLElement[]): Promise<void> {
  // What takes the focus on purpose does so after one.
  await tick();
  await tick();
  const now = document.activeElement;
  if (now?.isConnected && now !== document.body) return;
  const dialog = [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1);
  const top = dialog ?? document.querySelector('main');
  for (const place of top ? [...places, top] : places) {
    // What is below an open dialog cannot take the focus.
    if (!place.isConnected || dialog?.contains(place) === false) continue;
    const isPart = place.tagName === 'SECTION';
    const at = isPart ? place : place.querySelector<HTMLElement>('h1[tabindex], h2[tabindex]');
    if (!at) continue;
    if (!at.hasAttribute('tabindex')) {
      at.tabIndex = -1;
      at.addEventListener('blur', () => at.removeAttribute('tabindex'), { once: true });
    }
    return at.focus({ preventScroll: true });
  }
}
