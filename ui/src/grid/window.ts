// Which rows of a long sheet are in view: the virtualiser of rows of one height, tied to an element
// in which a head of the same height stays at the top. Asks the element for nothing while keys are
// handled: what it would have to lay out for an answer is laid out once, with the frame.
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';

/** Rows kept ready above and below, so that a wheel turned a little finds its rows painted. */
const SPARE = 6;

type Rows = Virtualizer<HTMLElement, HTMLElement>;

export interface RowWindow {
  /** Rows that fit below the head. */
  readonly fitting: number;
  /** Tells how many rows there are now. */
  count(rows: number): void;
  /** Scrolls as far as a row needs to be seen, and shows the rows that come into view at once. */
  reveal(row: number): void;
  stop(): void;
}

/**
 * Follows an element that scrolls; `show` gets the first row to paint and the one after the last:
 * always as many, as long as the element keeps its height and there are as many.
 */
export function watchRows(
  element: HTMLElement,
  rowHeight: number,
  show: (first: number, end: number) => void,
): RowWindow {
  const height = () => rows.scrollRect?.height ?? 0;
  const tell = (rows: Rows) => {
    const items = rows.getVirtualItems();
    const painted = Math.ceil(height() / rowHeight) + 1 + 2 * SPARE;
    const first = items[0]?.index ?? 0;
    const end = Math.max((items.at(-1)?.index ?? -1) + 1, first + painted);
    const last = Math.min(end, rows.options.count);
    show(Math.max(0, Math.min(first, last - painted)), last);
  };
  let hear: (offset: number, scrolling: boolean) => void = () => undefined;
  const options = {
    count: 0,
    getScrollElement: () => element,
    estimateSize: () => rowHeight,
    overscan: SPARE,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset(rows: Rows, told: typeof hear) {
      hear = told;
      return observeElementOffset(rows, told);
    },
    onChange: tell,
  };
  const rows: Rows = new Virtualizer<HTMLElement, HTMLElement>(options);
  const stop = rows._didMount();
  rows._willUpdate();
  return {
    get fitting() {
      return Math.floor(height() / rowHeight) - 1;
    },
    count(count) {
      if (count === rows.options.count) return;
      rows.setOptions({ ...options, count });
      rows._willUpdate();
      tell(rows);
    },
    reveal(row) {
      const above = row * rowHeight;
      const offset = rows.scrollOffset ?? 0;
      const lowest = above + 2 * rowHeight - height();
      const wanted = above < offset ? above : Math.max(offset, lowest);
      if (wanted === offset) return;
      element.scrollTop = wanted;
      // The element itself tells of it only with the next frame.
      hear(wanted, false);
    },
    stop,
  };
}
