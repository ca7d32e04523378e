import { tablesError } from '../../words/errors/tables.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { amountStyle, readAmountText } from './amount-text.ts';
import { type CurrencyText, mayMean, readCurrency } from './currency-text.ts';
import { dateReader } from './date-text.ts';
import { FileFault, type TextInFile } from './fault.ts';
import type { FileCell, Table, TableRow } from './table.ts';
import { headerKey } from './text-forms.ts';

/** A column that a file has; `index` counts from 0. */
export interface FileColumn {
  readonly header: string;
  readonly index: number;
}

/** A cell's text. */
export interface Value extends TextInFile {
  /** A number or date of a sheet needs no reading. */
  readonly kind: 'text' | 'number' | 'date';
}

/** The column with a header; null if there is none. @throws FileFault when two columns have it */
export function findColumn(headers: readonly string[], header: string): FileColumn | null {
  const key = headerKey(header);
  const columns = headers.map((text, index) => ({ header: text, index }));
  const [column, ...others] = columns.filter((candidate) => headerKey(candidate.header) === key);
  if (others.length > 0) throw new FileFault(tablesError({ id: 'column-twice', column: header }), { column: header });
  return column ?? null;
}

/** Makes a function that finds the column of a map's field; null for a field to which the map gives none. */
export function columnsByField({ headers }: Pick<Table, 'headers'>, { columns }: ColumnMap<string>) {
  return (field: string) => (columns[field] === undefined ? null : findColumn(headers, columns[field]));
}

/** The indexes of the columns with one of the wanted headers. */
export function placesOf(headers: readonly string[], wanted: readonly string[]): ReadonlySet<number> {
  const keys = new Set(wanted.map(headerKey));
  return new Set(headers.flatMap((header, i) => (keys.has(headerKey(header)) ? [i] : [])));
}

/** The column with the first of the wanted headers that the file has; null if it has none. */
export function firstColumn(headers: readonly string[], wanted: readonly string[]): FileColumn | null {
  for (const header of wanted) {
    const column = findColumn(headers, header);
    if (column) return column;
  }
  return null;
}

/**
 * A row's value in a column; blank if the column is null.
 *
 * @throws FileFault for a cell whose value cannot be taken: an error, a formula without a result
 */
export function valueAt(row: TableRow, column: FileColumn | null): Value {
  const place = { line: row.line, column: column?.header ?? null };
  const cell: FileCell = column === null ? '' : (row.cells[column.index] ?? '');
  if (typeof cell === 'string') return { text: cell.trim(), kind: 'text', ...place };
  if (cell.kind === 'fault') throw new FileFault(tablesError({ id: 'cell-unreadable', cell: cell.text }), place);
  const kind = cell.kind === 'number' || cell.kind === 'date' ? cell.kind : 'text';
  return { text: cell.text.trim(), kind, ...place };
}

export function textValue(row: TableRow, column: FileColumn | null): string | null {
  return valueAt(row, column).text || null;
}

/** A row's value, which must not be blank. @throws FileFault when it is */
export function requireValue(row: TableRow, column: FileColumn | null, what: string): Value {
  const value = valueAt(row, column);
  if (value.text !== '') return value;
  throw new FileFault(tablesError({ id: 'row-lacks', what }), value);
}

/** The values of some columns that are text, for finding out how the file writes its dates or amounts. */
function* textsIn(rows: readonly TableRow[], columns: readonly (FileColumn | null)[]): Generator<Value> {
  for (const column of columns) {
    if (column === null) continue;
    for (const row of rows) {
      const value = valueAt(row, column);
      if (value.kind === 'text' && value.text !== '') yield value;
    }
  }
}

/** Makes a function that reads the dates of some columns, all in one order of day and month. */
export function dateColumns(rows: readonly TableRow[], columns: readonly (FileColumn | null)[], map: ColumnMap) {
  const read = dateReader(textsIn(rows, columns), map.date);
  return (value: Value) => (value.kind === 'date' ? value.text.slice(0, 10) : read(value));
}

/** A row's day in a column, by a reader of {@link dateColumns}; null if it is blank. */
export function dayAt(row: TableRow, column: FileColumn | null, read: (value: Value) => string): string | null {
  const value = valueAt(row, column);
  return value.text === '' ? null : read(value);
}

/** Makes a function that reads the amounts of some columns, all in one style. */
export function amountColumns(rows: readonly TableRow[], columns: readonly (FileColumn | null)[], map: ColumnMap) {
  const style = amountStyle(textsIn(rows, columns), map);
  return (value: Value) => {
    if (value.kind === 'number') return { amount: value.text, currency: null };
    if (value.kind === 'date') throw new FileFault(tablesError({ id: 'cell-is-date', cell: value.text }), value);
    return readAmountText(value.text, style, value);
  };
}

/**
 * A cell such as `1.5 %` or `1,25 kg` as decimal text; null if it is blank. A comma is a decimal comma, whatever the
 * map says of amounts.
 *
 * @throws FileFault for anything else
 */
export function measureAt(row: TableRow, column: FileColumn | null, unit: string): string | null {
  const value = valueAt(row, column);
  if (value.text === '') return null;
  const measure = new RegExp(`^(\\d{1,12})(?:[.,](\\d{1,4}))?\\s*(?:${unit})?$`, 'i');
  const [, whole, decimals = '0'] = measure.exec(value.text) ?? [];
  if (whole === undefined) throw new FileFault(tablesError({ id: 'no-measure', cell: value.text, unit }), value);
  return `${whole}.${decimals}`;
}

/** The currency that a row or the map states, as it is written; null for neither. */
export function statedCurrency(row: TableRow, column: FileColumn | null, { currency }: ColumnMap<string>) {
  return textValue(row, column) ?? currency ?? null;
}

/** The setting that a message proposes, with an example of its value. */
const EXAMPLE = { currency: 'USD' };

/**
 * The currency of an amount: from its column or the map, and from the amount's cell (`USD 12.50`, `$12.50`), which must
 * agree.
 *
 * @param stated see {@link statedCurrency}
 * @param inCell the code in the amount's cell, or a sign that several currencies share
 * @param column the currency column; null if there is none
 * @throws FileFault when the currency is stated nowhere, or differently
 */
export function currencyOf(stated: string | null, inCell: CurrencyText, amount: Value, column: FileColumn | null) {
  const place = { line: amount.line, column: column?.header ?? null };
  const currency = stated === null ? null : readCurrency(stated, place);
  if (inCell === null) {
    if (currency !== null) return currency;
    throw new FileFault(tablesError({ id: 'currency-unsaid', amount: amount.text }), amount, EXAMPLE);
  }
  if ('code' in inCell) {
    const { code } = inCell;
    if (currency === null || currency === code) return code;
    const why = tablesError({ id: 'currency-contradicted', amount: amount.text, currency: code, stated: currency });
    throw new FileFault(why, amount);
  }
  if (currency !== null && mayMean(inCell.shared, currency)) return currency;
  const why = tablesError({ id: 'currency-shared', amount: amount.text, sign: inCell.shared, stated: currency });
  throw new FileFault(why, amount, currency === null ? EXAMPLE : null);
}
