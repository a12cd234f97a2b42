// What its box does not show cannot be reached with the keyboard either.
import type { Attachment } from 'svelte/attachments';

/** Takes an element out of reach while it is wrapped below the one line that its box shows. */
export const notWhenClipped: Attachment<HTMLElement> = (element) => {
  const box = element.parentElement;
  if (!box) return;
  // Whether it wraps depends on these two sizes alone.
  const sizes = new ResizeObserver(() => {
    element.inert = element.offsetTop - box.offsetTop > box.clientHeight / 2;
  });
  sizes.observe(box);
  sizes.observe(element);
  return () => sizes.disconnect();
};
