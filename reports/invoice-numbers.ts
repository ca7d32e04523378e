/**
 * Calls payouts by the numbers that their courier gave them (`ES-902`). The ledger counts them by integers (`900000001`): see
 * `base/number-texts.ts`. JSON has both, the courier's in a column that ends in `_text`.
 */

import { inNumberTexts, type NumberTexts, textInNumberTexts } from '../src/base/number-texts.ts';
import type { Cell, Column, LongReport, Report, Row } from './model.ts';

/** Columns that name invoices, besides those of the type `number`: a list of them, and what a mismatch is about. */
const NAMES: ReadonlySet<string> = new Set(['number', 'invoice_number']);
const LISTS: ReadonlySet<string> = new Set(['invoices', 'subject']);

export function invoiceColumns(columns: readonly Column[]): readonly string[] {
  return columns
    .filter(({ name, type }) => (type === 'number' ? NAMES.has(name) : type === 'text' && LISTS.has(name)))
    .map(({ name }) => name);
}

const textName = (name: string) => `${name}_text`;

/** A report's columns, each that names invoices with the one that calls them by the numbers that both sides know. */
export function withTextColumns(columns: readonly Column[]): Column[] {
  const numberColumns = new Set(invoiceColumns(columns));
  return columns.flatMap((column) =>
    numberColumns.has(column.name)
      ? [column, { name: textName(column.name), type: 'text', textOf: column.name }]
      : [column],
  );
}

/** A courier's row with the cells of such columns; its sentences call payouts by their own numbers too. */
export function rowInNumberTexts(row: Row, columns: readonly string[], texts: NumberTexts): Row {
  const named: Record<string, Cell> = { ...row };
  for (const name of columns) named[textName(name)] = textOf(row[name] ?? null, texts);
  if (texts.size > 0) nameSentences(named, texts);
  return named;
}

function textOf(cell: Cell, texts: NumberTexts): string | null {
  return cell === null ? null : textInNumberTexts(String(cell), texts);
}

function nameSentences(row: Record<string, Cell>, texts: NumberTexts): void {
  for (const [name, cell] of Object.entries(row)) {
    if (typeof cell === 'object' && cell !== null) row[name] = inNumberTexts(cell, texts);
  }
}

/** Rows of one courier of which no JSON is made: they call payouts by their own numbers alone. */
export function rowsInNumberTexts<R extends Row>(
  rows: readonly R[],
  columns: readonly Column[],
  texts: NumberTexts,
): readonly R[] {
  if (texts.size === 0) return rows;
  const numberColumns = invoiceColumns(columns);
  return rows.map((row) => {
    const named: Record<string, Cell> = { ...row };
    for (const name of numberColumns) named[name] = textOf(row[name] ?? null, texts);
    nameSentences(named, texts);
    return named as R;
  });
}

/** As {@link rowsInNumberTexts}, of a whole report, whether its rows are held or read one by one. */
export function reportInNumberTexts<R extends Report | LongReport>(report: R, texts: NumberTexts): R {
  if (texts.size === 0) return report;
  const { columns, rows } = report;
  const named = <T extends Row>(page: readonly T[]) => rowsInNumberTexts(page, columns, texts);
  const notes = () => inNumberTexts(report.notes(), texts);
  if (!('pages' in report)) {
    return { ...report, notes, rows: Symbol.asyncIterator in rows ? eachNamed(rows, named) : named([...rows]) };
  }
  async function* pages() {
    for await (const page of (report as LongReport).pages()) yield named(page);
  }
  return { ...report, notes, rows: eachNamed(rows as LongReport['rows'], named), pages };
}

async function* eachNamed<T extends Row>(
  rows: AsyncIterable<T>,
  named: (rows: readonly T[]) => readonly T[],
): AsyncGenerator<T> {
  for await (const row of rows) yield* named([row]);
}

/** A report as people and sheets read it: its invoices by the numbers that both sides know. */
export function withNumberTexts<R extends Report>(report: R): R {
  const pairs = report.columns.flatMap(({ name, textOf }) => (textOf === undefined ? [] : [[textOf, name] as const]));
  if (pairs.length === 0) return report;
  const shown = (row: Row): Row => ({
    ...row,
    ...Object.fromEntries(pairs.map(([of, name]) => [of, row[name] ?? null])),
  });
  const { rows } = report;
  return {
    ...report,
    columns: report.columns.filter(({ textOf }) => textOf === undefined),
    rows: Symbol.asyncIterator in rows ? eachShown(rows, shown) : [...rows].map(shown),
  };
}

async function* eachShown(rows: AsyncIterable<Row>, shown: (row: Row) => Row): AsyncGenerator<Row> {
  for await (const row of rows) yield shown(row);
}
