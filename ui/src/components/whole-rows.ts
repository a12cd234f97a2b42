import type { Attachment } from 'svelte/attachments';

/**
 * Lets a click anywhere in a row open it. For the keyboard and for screen readers the row's own
 * button (`.row-open`) remains the only control; other buttons of the row keep their clicks.
 */
export const wholeRows: Attachment<HTMLTableSectionElement> = (body) => {
  function clicked(event: MouseEvent): void {
    const target = event.target as Element;
    const selecting = window.getSelection()?.isCollapsed === false;
    if (selecting || target.closest('button, a, input, select, label, summary')) return;
    target.closest('tr')?.querySelector<HTMLButtonElement>('.row-open')?.click();
  }
  body.addEventListener('click', clicked);
  return () => body.removeEventListener('click', clicked);
};
