// Which rows of a long sheet are in view: a virtualiser for rows of one height, attached to a
// scrolling element with a sticky header of that height. It scrolls before the rows change,
// so that the layout is computed once, with the frame.
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';

/** Rows rendered above and below the view, so that a short scroll finds its rows painted. */
const SPARE = 3;

type Rows = Virtualizer<HTMLElement, HTMLElement>;

export interface RowWindow {
  /** Rows that fit below the header. */
  readonly fitting: number;
  /** Sets how many rows there are. */
  count(rows: number): void;
  /** Scrolls until a row is in view, and renders the rows that come into view at once. */
  reveal(row: number): void;
  stop(): void;
}

/**
 * Follows a scrolling element; `show` gets the first row to paint and the one after the last. Their
 * number is constant as long as the element keeps its height and there are enough rows.
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
      const lowest = Math.ceil(above + 2 * rowHeight - height());
      const wanted = above < offset ? above : Math.max(offset, lowest);
      if (wanted === offset) return;
      element.scrollTop = wanted;
      // The element fires its own event only with the next frame, and stops where its content ends.
      hear(element.scrollTop, false);
    },
    stop,
  };
}
