// What a sheet must be told of its columns and cells to show them.

/** A column as it is shown. */
export interface GridColumn {
  name: string;
  title: string;
  /** In rem; what is left over is shared in proportion. */
  width: number;
  /** Amounts stand at the right, codes in letters of one width. */
  look?: 'amount' | 'code';
}

/** What is known of a cell beyond its text. */
export interface CellNote {
  tone: 'wrong' | 'asks' | 'odd';
  text: string;
}

/** Height of a row and of the header, in pixels. */
export const ROW_HEIGHT = 28;
