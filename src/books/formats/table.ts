/**
 * A cell: the text of a CSV field, or a sheet's cell with its kind. A `number` is a plain decimal, a `date` is ISO; a `fault` is a
 * cell whose value cannot be taken (an error, a formula without a result, more digits than a float keeps), and its text says why.
 */
export type Cell = string | { readonly kind: 'text' | 'number' | 'date' | 'boolean' | 'fault'; readonly text: string };

/** A row, with its line in the file (or its row in the sheet), counted from 1. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** A sheet or a CSV file: one row of headers, and what stands below it. */
export interface Table {
  readonly headers: readonly string[];
  readonly rows: readonly TableRow[];
  /** The sheet's name; null for CSV. */
  readonly sheet: string | null;
  /** Rows that the sheet hides; they are read all the same. */
  readonly hiddenRows: number;
  /** The file's last cell, where the file ends in it and nothing shows that it is whole; null for sheets, which say where they end. */
  readonly lastCell: string | null;
}

/** Which columns to keep, given the headers; the others' cells are left empty, so that a wide file takes little room. */
export type ColumnChoice = (headers: readonly string[]) => ReadonlySet<number>;

/** A cell's text, whatever its kind. */
export function textOf(cell: Cell | undefined): string {
  return typeof cell === 'string' ? cell : (cell?.text ?? '');
}
