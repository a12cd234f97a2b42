// The way through the boxes of a sale: Enter goes on to the next one that is empty.

/** The boxes that must be filled, in their order. */
function required(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>('input[aria-required="true"]')];
}

/** The next empty box after one, going round; nothing when all are filled. */
export function nextEmpty(form: HTMLFormElement, from: Element | null): HTMLInputElement | null {
  const boxes = required(form);
  const after = (box: Element) =>
    from !== null && Boolean(from.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING);
  const isEmpty = (box: HTMLInputElement) => box !== from && box.value.trim() === '';
  return boxes.find((box) => after(box) && isEmpty(box)) ?? boxes.find(isEmpty) ?? null;
}
