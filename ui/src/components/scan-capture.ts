// Removes scanned codes from the field they were typed into and passes them to the page, so that a
// scan neither changes that field nor submits a form. A text box of a dialog keeps its code.
import { INPUT_METHOD_KEY } from './composition';
import { ComposedBurst } from './scan-composed';
import { BurstDetector, SCANNER } from './scanner';

/** How long a single key must stay alone before it counts as pressed by a person. */
const ALONE_MS = 120;

/** The box a burst was typed into, with its state before the burst. */
export interface Source {
  box: TextBox;
  value: string;
  /** Start of the selection in it; without a selection, the position of the caret. */
  start: number;
  end: number;
}

interface ScanSink {
  /** A whole code. The box it was typed into has already been restored. */
  onScan(text: string, source: Source | null): void;
  /** A whole code that was scanned while a dialog is open, into none of the dialog's text boxes. */
  onScanBehind?(text: string): void;
  /**
   * One character pressed while no text box had the focus. Returns what it does if a person pressed
   * it: that is known only after a pause, in which the page may change.
   */
  onLoneKey?(key: string): () => void;
}

/** A single key, until it is known whether a person pressed it. */
interface Lone {
  press?: () => void;
  timer: ReturnType<typeof setTimeout>;
  /** Other keys came before it: it may be the end of a code that was cut by a pause. */
  mayEnd: boolean;
}

type TextBox = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Whether keys type text here and are therefore not shortcuts. */
export function takesText(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return !['radio', 'checkbox', 'button', 'submit', 'reset'].includes(target.type);
}

function remember(target: EventTarget | null): Source | null {
  // A read-only box accepts no keys.
  if (!takesText(target) || (target as HTMLInputElement).readOnly) return null;
  const box = target as TextBox;
  const { value } = box;
  // Some types of input have no caret.
  const caret = box instanceof HTMLSelectElement ? null : box;
  const start = caret?.selectionStart ?? value.length;
  return { box, value, start, end: caret?.selectionEnd ?? start };
}

export function write(box: TextBox, value: string): void {
  box.value = value;
  box.dispatchEvent(new Event('input', { bubbles: true }));
  box.dispatchEvent(new Event('change', { bubbles: true }));
}

function putBack({ box, value }: Source): void {
  if (box.value !== value) write(box, value);
}

/** Listens on the whole page. Returns a function that stops it. */
export function captureScans(page: Window, sink: ScanSink): () => void {
  const burst = new BurstDetector();
  const composed = new ComposedBurst();
  const listening = new AbortController();
  let before: Source | null = null;
  /** The text of the box before the compositions that may be a burst. */
  let beforeComposed: Source | null = null;
  let began: EventTarget | null = null;
  let lone: Lone | null = null;
  /** When the last code ended. */
  let ended = -Infinity;

  function forgetLone(): void {
    if (lone) clearTimeout(lone.timer);
    lone = null;
  }

  function pressLone(): void {
    const press = lone?.press;
    forgetLone();
    press?.();
  }

  function take(code: string, source: Source | null): void {
    // An open dialog asks a question that a person must answer: a code must not press its buttons.
    const behind = page.document.querySelector('dialog[open]') !== null;
    if (source) {
      const { box, value, start, end } = source;
      const asked = box.closest('dialog[open]') !== null && !(box instanceof HTMLSelectElement);
      // A reference is one code, so another scan is another product.
      const isWhole = box.name === 'productReferenceId';
      if (asked)
        return write(box, isWhole ? code : value.slice(0, start) + code + value.slice(end));
      putBack(source);
    }
    if (behind) sink.onScanBehind?.(code);
    else sink.onScan(code, source);
  }

  function takeComposed(code: string, at: number): void {
    const box = beforeComposed;
    ended = at;
    // The input method still changes the box while this event is dispatched.
    setTimeout(() => {
      take(code, box);
    });
  }

  function onComposition(event: CompositionEvent): void {
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
        if (code !== null) takeComposed(code, at);
        return;
      }
    }
  }

  function onKey(event: KeyboardEvent): void {
    // The input method handles this key; its result arrives as a composition.
    if (event.keyCode === INPUT_METHOD_KEY) return;
    if (event.key === 'Enter' || event.key === 'Tab') {
      const code = composed.finished(event.timeStamp);
      // Some scanners end a code with two keys, and by the second the focus may be on a button.
      const second = burst.length === 0 && event.timeStamp - ended <= SCANNER.endGap;
      if (code !== null || second) {
        event.preventDefault();
        event.stopImmediatePropagation();
        if (code !== null) takeComposed(code, event.timeStamp);
        return;
      }
    }
    // A held key repeats as quickly as a scanner types.
    const modified = event.ctrlKey || event.altKey || event.metaKey || event.repeat;
    // A scanner does not move the focus, so keys in another element come from a person.
    if (burst.length > 0 && event.target !== began) {
      if (before === null && lone === null && burst.isQuick(event.timeStamp)) {
        // No person is that quick, so the page has moved the focus during the burst.
        began = event.target;
      } else {
        burst.reset();
        pressLone();
      }
    }
    const follows = burst.length > 1;
    const verdict = burst.stroke({ key: event.key, at: event.timeStamp, modified });
    // A scanner sends Shift within a code, and Enter or Tab at its end; no code is one character.
    if (lone && event.key.length > 1 && event.key !== 'Shift') {
      const { press, mayEnd } = lone;
      if (event.key !== 'Enter' && event.key !== 'Tab') pressLone();
      // Later, because it may move the focus, and this key belongs where the focus is now.
      else if (!mayEnd) setTimeout(() => press?.());
    }
    forgetLone();
    switch (verdict.kind) {
      case 'first': {
        began = event.target;
        before = remember(event.target);
        if (!takesText(event.target)) {
          const timer = setTimeout(pressLone, ALONE_MS);
          lone = { press: sink.onLoneKey?.(event.key), timer, mayEnd: follows };
        }
        return;
      }
      case 'more':
        // If no earlier key was typed into a box, this is the state to restore.
        before ??= remember(event.target);
        // A space inside a code must not press the focused button.
        if (before === null && verdict.quick) event.preventDefault();
        return;
      case 'scan':
        ended = event.timeStamp;
        event.preventDefault();
        event.stopImmediatePropagation();
        take(verdict.text, before);
        return;
      case 'other':
        return;
    }
  }

  const options = { capture: true, signal: listening.signal };
  page.addEventListener('keydown', onKey, options);
  for (const type of ['compositionstart', 'compositionupdate', 'compositionend'] as const) {
    page.addEventListener(type, onComposition, options);
  }
  return () => {
    forgetLone();
    listening.abort();
  };
}
