// Finding text in a sheet, ignoring width and case.
import { folded } from '../format/plain';
import type { Row } from './cells';
import type { Place } from './selection';

/** The next cell after a position that contains a text, wrapping around; null when no cell does. */
export function findNext(
  rows: readonly Row[],
  columns: number,
  wanted: string,
  from: Place,
  backwards = false,
): Place | null {
  const needle = folded(wanted.trim());
  const total = rows.length * columns;
  if (needle === '' || total === 0) return null;
  // Below the last row that is used, the search begins at the ends.
  const last = backwards ? total : total - 1;
  const start = Math.min(from.row * columns + from.column, last);
  for (let step = 1; step <= total; step += 1) {
    const at = (((start + (backwards ? -step : step)) % total) + total) % total;
    const place = { row: Math.floor(at / columns), column: at % columns };
    const text = rows[place.row]?.cells[place.column] ?? '';
    if (text !== '' && folded(text).includes(needle)) return place;
  }
  return null;
}
