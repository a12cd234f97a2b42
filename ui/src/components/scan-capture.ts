// Removes scanned codes from wherever they were typed and passes them to the page, so that a scan
// neither changes the field that happened to have the focus nor submits a form.
import { INPUT_METHOD_KEY } from './composition';
import { ComposedBurst } from './scan-composed';
import { BurstDetector } from './scanner';

/** How long a single key must stay alone before it counts as pressed by a person. */
const ALONE_MS = 120;

/** Keys with a name that a scanner sends. */
const SCANNED = ['Enter', 'Tab', 'Shift'];

/** The box a burst was typed into, as it was before. */
export interface Source {
  box: TextBox;
  value: string;
  /** The selection in it; without one, the position of the caret. */
  start: number;
  end: number;
}

export interface ScanSink {
  /** A whole code. A box it was typed into has been restored already. */
  onScan(text: string, source: Source | null): void;
  /** A whole code while a dialog that does not handle it is open over the page. */
  onScanBehind?(text: string): void;
  /** One character pressed by a person while no text box had the focus. */
  onLoneKey?(key: string): void;
}

type TextBox = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** True where keys type text and are therefore no shortcuts. */
export function takesText(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return !['radio', 'checkbox', 'button', 'submit', 'reset'].includes(target.type);
}

function remember(target: EventTarget | null): Source | null {
  // Keys type nothing into a read-only box.
  if (!takesText(target) || (target as HTMLInputElement).readOnly) return null;
  const box = target as TextBox;
  const { value } = box;
  // Some types of input have no caret.
  const caret = box instanceof HTMLSelectElement ? null : box;
  const start = caret?.selectionStart ?? value.length;
  return { box, value, start, end: caret?.selectionEnd ?? start };
}

function putBack({ box, value }: Source): void {
  if (box.value === value) return;
  box.value = value;
  box.dispatchEvent(new Event('input', { bubbles: true }));
  box.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Listens on the whole page. Returns how to stop. */
export function captureScans(page: Window, sink: ScanSink): () => void {
  const burst = new BurstDetector();
  const composed = new ComposedBurst();
  const listening = new AbortController();
  let before: Source | null = null;
  /** The text of the box before the compositions that may be a burst. */
  let beforeComposed: Source | null = null;
  let began: EventTarget | null = null;
  let lone: { key: string; timer: ReturnType<typeof setTimeout> } | null = null;

  function forgetLone(): void {
    if (lone) clearTimeout(lone.timer);
    lone = null;
  }

  function pressLone(): void {
    const key = lone?.key;
    forgetLone();
    if (key !== undefined) sink.onLoneKey?.(key);
  }

  function take(code: string, source: Source | null): void {
    // In an open dialog a question waits for a person: a code must not press its buttons.
    if (page.document.querySelector('dialog[open]')) sink.onScanBehind?.(code);
    else sink.onScan(code, source);
  }

  function takeComposed(code: string): void {
    const box = beforeComposed;
    // The input method still changes the box while this event is dispatched.
    setTimeout(() => {
      if (box) putBack(box);
      take(code, box);
    });
  }

  function hearComposition(event: CompositionEvent): void {
    const at = event.timeStamp;
    switch (event.type) {
      case 'compositionstart':
        if (!composed.flows(at)) beforeComposed = remember(event.target);
        composed.started(at);
        return;
      case 'compositionupdate':
        composed.updated(event.data, at);
        return;
      case 'compositionend': {
        const code = composed.ended(event.data, at);
        if (code !== null) takeComposed(code);
        return;
      }
    }
  }

  function hear(event: KeyboardEvent): void {
    // The input method handles this key; its result arrives as a composition.
    if (event.keyCode === INPUT_METHOD_KEY) return;
    if (event.key === 'Enter' || event.key === 'Tab') {
      const code = composed.finished(event.timeStamp);
      if (code !== null) {
        event.preventDefault();
        event.stopImmediatePropagation();
        takeComposed(code);
        return;
      }
    }
    const modified = event.ctrlKey || event.altKey || event.metaKey;
    // A scanner does not move the focus: keys in another element are a person's.
    if (burst.length > 0 && event.target !== began) {
      if (before === null && lone === null && burst.isQuick(event.timeStamp)) {
        // Nobody is that quick: the page itself has moved the focus during the burst.
        began = event.target;
      } else {
        burst.reset();
        pressLone();
      }
    }
    const verdict = burst.stroke({ key: event.key, at: event.timeStamp, modified });
    // No scanner sends a key with a name after a single character: that was a person's.
    if (lone && event.key.length > 1 && !SCANNED.includes(event.key)) pressLone();
    forgetLone();
    switch (verdict.kind) {
      case 'first': {
        began = event.target;
        before = remember(event.target);
        if (!event.repeat && !takesText(event.target)) {
          lone = { key: event.key, timer: setTimeout(pressLone, ALONE_MS) };
        }
        return;
      }
      case 'more':
        // No earlier key was typed into a box.
        before ??= remember(event.target);
        // A space inside a code must not press the focused button.
        if (before === null && verdict.quick) event.preventDefault();
        return;
      case 'scan':
        event.preventDefault();
        event.stopImmediatePropagation();
        if (before) putBack(before);
        take(verdict.text, before);
        return;
      case 'other':
        return;
    }
  }

  const options = { capture: true, signal: listening.signal };
  page.addEventListener('keydown', hear, options);
  for (const type of ['compositionstart', 'compositionupdate', 'compositionend'] as const) {
    page.addEventListener(type, hearComposition, options);
  }
  return () => {
    forgetLone();
    listening.abort();
  };
}
