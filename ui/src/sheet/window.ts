// Which rows of a long sheet are in view: the virtualiser of rows of one height, tied to an element.
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';

/** Rows kept ready above and below, so that a key pressed at the edge finds its row painted. */
const SPARE = 6;

export interface RowWindow {
  /** Tells how many rows there are now. */
  count(rows: number): void;
  stop(): void;
}

/** Follows an element that scrolls; `show` gets the first row to paint and the one after the last. */
export function watchRows(
  element: HTMLElement,
  rowHeight: number,
  show: (first: number, end: number) => void,
): RowWindow {
  const tell = (rows: Virtualizer<HTMLElement, HTMLElement>) => {
    const items = rows.getVirtualItems();
    show(items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1);
  };
  const options = {
    count: 0,
    getScrollElement: () => element,
    estimateSize: () => rowHeight,
    overscan: SPARE,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: tell,
  };
  const rows = new Virtualizer<HTMLElement, HTMLElement>(options);
  const stop = rows._didMount();
  rows._willUpdate();
  return {
    count(count) {
      if (count === rows.options.count) return;
      rows.setOptions({ ...options, count });
      rows._willUpdate();
      tell(rows);
    },
    stop,
  };
}
