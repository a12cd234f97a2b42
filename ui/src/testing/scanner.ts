type Box = HTMLInputElement | HTMLTextAreaElement;

let at = 0;
/** How far the clock of all other events is put forward: what a person does after a burst is later. */
let ahead = 0;
const now = () => performance.now() + ahead;
Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, get: now });

/** Keys at a scanner's pace in event time; `pause` is the time since the last key, 0 for none. */
export function burst(keys: readonly string[], pause = 0, into?: Box): void {
  if (pause > 0) at = Math.max(at, now()) + pause;
  for (const key of keys) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    Object.defineProperty(event, 'timeStamp', { value: (at += 4) });
    const box = into ?? (document.activeElement as Box);
    box.dispatchEvent(event);
    if (key === 'Enter' && !event.defaultPrevented) {
      if (box instanceof HTMLButtonElement) box.click();
      else box.form?.requestSubmit();
    }
    if (box.readOnly !== false || key.length > 1 || event.defaultPrevented) continue;
    box.value += key;
    box.dispatchEvent(new Event('input', { bubbles: true }));
  }
  ahead += Math.max(0, at + 300 - now());
}

/** A whole code, after a person's pause. */
export const scan = (code: string, into?: Box) => burst([...code, 'Enter'], 300, into);
