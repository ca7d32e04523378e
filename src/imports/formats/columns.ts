import { because } from '../../words/errors/tables.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { amountStyle, readAmountText } from './amount-text.ts';
import { headerKey } from './characters.ts';
import { type CurrencyText, mayMean, readCurrency } from './currency-text.ts';
import { dateReader } from './date-text.ts';
import { FileFault, type Place } from './fault.ts';
import type { Cell, Table, TableRow } from './table.ts';

export interface Column {
  readonly header: string;
  readonly index: number;
}

export interface Value extends Place {
  readonly text: string;
  /** A sheet holds numbers and dates as such, which then need no reading. */
  readonly kind: 'text' | 'number' | 'date';
}

/** The column of a header. @throws FileFault when two columns have it */
export function findColumn(headers: readonly string[], header: string): Column | null {
  const key = headerKey(header);
  const columns = headers.map((each, index) => ({ header: each, index }));
  const [column, ...others] = columns.filter((each) => headerKey(each.header) === key);
  if (others.length > 0) throw new FileFault(because({ id: 'column-twice', column: header }), { column: header });
  return column ?? null;
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
    throw new FileFault(because({ id: 'cell-unreadable', cell: cell.text }), place);
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
  throw new FileFault(because({ id: 'row-lacks', what }), value);
}

/** The values of some columns that are written as text, by which dates and amounts show how they are written. */
function* textsIn(rows: readonly TableRow[], columns: readonly (Column | null)[]): Generator<Value> {
  for (const column of columns) {
    if (column === null) continue;
    for (const row of rows) {
      const value = valueAt(row, column);
      if (value.kind === 'text' && value.text !== '') yield value;
    }
  }
}

/** Reads the dates of some columns, all in one way. */
export function dateColumns(
  rows: readonly TableRow[],
  columns: readonly (Column | null)[],
  map: ColumnMap,
): (value: Value) => string {
  const read = dateReader(textsIn(rows, columns), map.date);
  return (value) => (value.kind === 'date' ? value.text.slice(0, 10) : read(value));
}

/** Reads the amounts of some columns, all in one style. */
export function amountColumns(
  rows: readonly TableRow[],
  columns: readonly (Column | null)[],
  map: ColumnMap,
): (value: Value) => { amount: string; currency: CurrencyText } {
  const style = amountStyle(textsIn(rows, columns), map);
  return (value) => {
    if (value.kind === 'number') return { amount: value.text, currency: null };
    if (value.kind === 'date') {
      throw new FileFault(because({ id: 'cell-is-date', cell: value.text }), value);
    }
    return readAmountText(value.text, style, value);
  };
}

/** A plain number with its unit, such as `1.5 %` or `1,25 kg`, as decimal text; null where the cell is blank. @throws FileFault for anything else */
export function measureAt(row: TableRow, column: Column | null, unit: string): string | null {
  const value = valueAt(row, column);
  if (value.text === '') return null;
  const [, whole, part = '0'] =
    new RegExp(`^(\\d{1,12})(?:[.,](\\d{1,4}))?\\s*(?:${unit})?$`, 'i').exec(value.text) ?? [];
  if (whole === undefined) throw new FileFault(because({ id: 'no-measure', cell: value.text, unit }), value);
  return `${whole}.${part}`;
}

/**
 * The currency of an amount: from its column or the map, and from the text beside the amount (`USD 12.50`, `$12.50`), which must agree.
 *
 * @param stated the text of the row's currency column, else the map's; null where neither says
 * @param beside the code, or the sign that several currencies share
 * @param column that column; null where there is none
 * @throws FileFault when nothing says it, or two things do differently
 */
export function currencyOf(stated: string | null, beside: CurrencyText, amount: Value, column: Column | null): string {
  const place = { line: amount.line, column: column?.header ?? null };
  const currency = stated === null ? null : readCurrency(stated, place);
  if (beside === null) {
    if (currency !== null) return currency;
    throw new FileFault(because({ id: 'currency-unsaid', amount: amount.text }), amount, { currency: 'USD' });
  }
  if ('code' in beside) {
    if (currency === null || currency === beside.code) return beside.code;
    throw new FileFault(
      because({ id: 'currency-contradicted', amount: amount.text, currency: beside.code, stated: currency }),
      amount,
    );
  }
  if (currency !== null && mayMean(beside.shared, currency)) return currency;
  throw new FileFault(
    because({ id: 'currency-shared', amount: amount.text, sign: beside.shared, stated: currency }),
    amount,
    currency === null ? { currency: 'USD' } : null,
  );
}
