import { quoted } from '../../text.ts';
import { headerKey } from './characters.ts';
import { FileFault, type Place } from './fault.ts';
import type { Cell, Table, TableRow } from './table.ts';

/** One column of a table. */
export interface Column {
  readonly header: string;
  readonly index: number;
}

/** A value of a row, with where it stands. */
export interface Value extends Place {
  readonly text: string;
  /** Whether a sheet holds it as a number or a date, which then need no reading. */
  readonly kind: 'text' | 'number' | 'date';
}

/** The column of a header. @throws FileFault when two columns have it */
export function findColumn(headers: readonly string[], header: string): Column | null {
  const key = headerKey(header);
  const found = headers.flatMap((one, index) => (headerKey(one) === key ? [{ header: one, index }] : []));
  if (found.length > 1) {
    throw new FileFault(`two of its columns are named ${quoted(header)}`, 'Rename or remove one of them.', {
      column: header,
    });
  }
  return found[0] ?? null;
}

/** The first of several headers that a table has. */
export function firstColumn(table: Pick<Table, 'headers'>, headers: readonly string[]): Column | null {
  for (const header of headers) {
    const column = findColumn(table.headers, header);
    if (column) return column;
  }
  return null;
}

/**
 * A row's value in a column; blank where there is no such column.
 *
 * @throws FileFault for a cell whose value cannot be taken: an error, a formula without a result
 */
export function valueAt(row: TableRow, column: Column | null): Value {
  const place = { line: row.line, column: column?.header ?? null };
  const cell: Cell = column === null ? '' : (row.cells[column.index] ?? '');
  if (typeof cell === 'string') return { text: cell.trim(), kind: 'text', ...place };
  if (cell.kind === 'fault') {
    throw new FileFault(`the cell ${cell.text}`, 'Correct the cell, or write its value as text.', place);
  }
  return {
    text: cell.text.trim(),
    kind: cell.kind === 'number' || cell.kind === 'date' ? cell.kind : 'text',
    ...place,
  };
}

/** A value as text; null where it is blank. */
export function textValue(row: TableRow, column: Column | null): string | null {
  return valueAt(row, column).text || null;
}

/** A value that must be there. @throws FileFault when it is blank */
export function needed(row: TableRow, column: Column | null, what: string): Value {
  const value = valueAt(row, column);
  if (value.text !== '') return value;
  throw new FileFault(`the row has no ${what}`, 'Fill it in, or remove the row.', value);
}
