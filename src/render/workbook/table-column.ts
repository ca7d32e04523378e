import type { Cell, Row } from '../../../reports/model.ts';
import { formatGrouped, parseAmount } from '../../money/index.ts';

/** `id`: digits that are a name, such as an invoice's number; they stay text. */
export type TableColumnKind = 'text' | 'id' | 'integer' | 'money' | 'date' | 'datetime';

export interface TableColumn {
  readonly name: string;
  readonly title: string;
  readonly kind: TableColumnKind;
  /** In characters; fitted to what the first rows hold where absent. */
  readonly width?: number;
  /** Long sentences, shown on several lines. */
  readonly wrap?: boolean;
}

/** How many rows a column is fitted to. */
export const ROWS_TO_FIT = 500;
const NARROWEST = 8;
const WIDEST = 32;

/** How many lines the longest of a row's wrapped texts takes; not every program fits the height of a row by itself. */
export function linesOf(columns: readonly TableColumn[], row: Row): number {
  let most = 1;
  for (const { name, wrap, width } of columns) {
    if (!wrap || width === undefined) continue;
    const lines = String(row[name] ?? '').split('\n');
    most = Math.max(
      most,
      lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0),
    );
  }
  return most;
}

/** A column's width in characters: its own, or as wide as what the first rows and the heading need. */
export function fittedWidth(column: TableColumn, rows: readonly Row[]): number {
  const { kind, name, title, width } = column;
  if (width !== undefined) return width;
  if (kind === 'date') return 12;
  if (kind === 'datetime') return 18;
  const longest = rows.reduce((most, row) => Math.max(most, shownLength(kind, row[name] ?? null)), 0);
  // A total has more digits than its rows: one more for ten of them, and each third with a comma.
  const growth =
    kind === 'money' ? Math.ceil(1.4 * Math.log10(rows.length < ROWS_TO_FIT ? rows.length + 1 : 100_000)) : 0;
  // A heading may break at its spaces, and needs room for the filter's button.
  const heading = Math.max(...title.split(' ').map((word) => word.length)) + 4;
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, longest + growth + 3, heading)));
}

function shownLength(kind: TableColumnKind, cell: Cell): number {
  if (cell === null) return 0;
  return kind === 'money' ? formatGrouped(parseAmount(String(cell))).length : String(cell).length;
}
