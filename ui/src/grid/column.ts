// What a sheet needs to know of its columns and cells to show them.

export interface GridColumn {
  name: string;
  title: string;
  /** In rem; the remaining width is shared in proportion. */
  width: number;
  /**
   * Amounts are aligned right, codes are monospaced. Ids shown by a name differ at their end, which stays
   * in sight where there is no name.
   */
  look?: 'amount' | 'code' | 'named';
}

export const TONES = ['wrong', 'asks', 'odd'] as const;

/** What is known of a cell beyond its text. */
export interface CellNote {
  tone: (typeof TONES)[number];
  text: string;
}

/** Height of a row and of the header, in pixels. */
export const ROW_HEIGHT = 28;
