// Takes scanned codes out of wherever they were typed and hands them to the page, so that a scan
// neither changes the field that happened to have the focus nor submits a form.
import { INPUT_METHOD_KEY } from './composition';
import { ComposedBurst } from './scan-composed';
import { BurstDetector } from './scanner';

/** How long a single key must stay alone before it counts as pressed by a person. */
const ALONE_MS = 120;

/** The box a burst was typed into, as it was before. */
export interface Source {
  box: TextBox;
  value: string;
  /** What was selected in it; where nothing was, the place of the caret. */
  start: number;
  end: number;
}

export interface ScanSink {
  /** A whole code. Where it was typed into a box, that box has been given back already. */
  onScan(text: string, source: Source | null): void;
  /** A whole code while a dialog is open over the page, which it does not answer. */
  onScanBehind?(text: string): void;
  /** One character pressed by a person while no text box had the focus. */
  onLoneKey?(key: string): void;
}

type TextBox = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** True where keys write text, so that they are no shortcuts. */
export function takesText(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return !['radio', 'checkbox', 'button', 'submit', 'reset'].includes(target.type);
}

function remember(target: EventTarget | null): Source | null {
  // Nothing is written into a box that can only be read.
  if (!takesText(target) || (target as HTMLInputElement).readOnly) return null;
  const box = target as TextBox;
  const { value } = box;
  // Some boxes have no caret to be asked for.
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
  /** What the box held before the compositions that may be a burst. */
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
    // In an open dialog a question waits for a person: nothing is pressed by a code.
    if (page.document.querySelector('dialog[open]')) sink.onScanBehind?.(code);
    else sink.onScan(code, source);
  }

  function takeComposed(code: string): void {
    const box = beforeComposed;
    // The input method still writes into the box while it tells of the end.
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
    // The input method has taken it; what it makes of it is heard as a composition.
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
    // A scanner does not move the focus: what goes on elsewhere is another hand's work.
    if (burst.length > 0 && event.target !== began) {
      if (before === null && lone === null && burst.isQuick(event.timeStamp)) {
        // No hand is that quick: the page itself has moved the focus under the scanner.
        began = event.target;
      } else {
        burst.reset();
        pressLone();
      }
    }
    const verdict = burst.stroke({ key: event.key, at: event.timeStamp, modified });
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
        // Only from here on is anything written.
        before ??= remember(event.target);
        // A space inside a code must not press the button that has the focus.
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
