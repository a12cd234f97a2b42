// A form at which a scanner is used: Enter moves on and submits nothing, because a scanner sends it too.

/** Whether a key submits the form of a page, wherever the focus is. */
export function isSubmitKey({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return !altKey && key === (ctrlKey || metaKey ? 'Enter' : 'F12');
}

export class FormFocus {
  form = $state<HTMLFormElement | null>(null);
  /** Character keys were pressed on a button, probably by a scanner too slow to be recognised. */
  #strayed = false;

  /** Moves to the next empty box, or to the submit button. */
  next(from: Element | null): void {
    (this.nextEmpty(from) ?? this.submit)?.focus();
  }

  arrived(_event: FocusEvent): void {
    this.#strayed = false;
  }

  /**
   * Handles a key in the form: Enter moves to the next box, once however long it is held, and
   * presses a button only if a person typed it.
   */
  keydown(event: KeyboardEvent): void {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof HTMLInputElement && key === 'Enter') {
      event.preventDefault();
      if (!event.repeat) this.next(target);
    } else if (target instanceof HTMLButtonElement) {
      if (key === 'Enter' && (this.#strayed || event.repeat)) event.preventDefault();
      this.#strayed = key.length === 1 && key !== ' ';
    }
  }

  /** It may stand outside the form, as in the footer of a dialog. */
  protected get submit(): HTMLElement | null {
    const elements = [...(this.form?.elements ?? [])] as HTMLElement[];
    return elements.find((element) => element.matches('button[type="submit"]')) ?? null;
  }

  protected button(selector: string): HTMLElement | null {
    return this.form?.querySelector<HTMLElement>(selector) ?? null;
  }

  /** The next empty required box after another one, wrapping around; null if all are filled. */
  protected nextEmpty(from: Element | null): HTMLInputElement | null {
    const required = 'input[aria-required="true"]';
    const boxes = [...(this.form?.querySelectorAll<HTMLInputElement>(required) ?? [])];
    const { DOCUMENT_POSITION_FOLLOWING: FOLLOWING } = Node;
    const after = (box: Element) =>
      from !== null && Boolean(from.compareDocumentPosition(box) & FOLLOWING);
    const isEmpty = (box: HTMLInputElement) => box !== from && box.value.trim() === '';
    return boxes.find((box) => after(box) && isEmpty(box)) ?? boxes.find(isEmpty) ?? null;
  }
}
