/**
 * Calls payouts by the numbers that their courier gave them (`ES-902`). The ledger counts them by integers
 * (`900000001`): see `base/number-texts.ts`. JSON has both, the courier's in a column that ends in `_text`; for people
 * and sheets the courier's number takes the integer's place.
 */

import { inNumberTexts, type NumberTexts, textInNumberTexts } from '../src/base/number-texts.ts';
import type { Cell, Column, LongReport, Report, Row } from './model.ts';

/** Columns that name invoices: one as a number, or some in a text (a list of them, or what a mismatch is about). */
const NUMBER_COLUMNS: ReadonlySet<string> = new Set(['number', 'invoice_number']);
const TEXT_COLUMNS: ReadonlySet<string> = new Set(['invoices', 'subject']);

export function invoiceColumns(columns: readonly Column[]): readonly string[] {
  const namesInvoices = ({ name, type }: Column) =>
    (type === 'number' && NUMBER_COLUMNS.has(name)) || (type === 'text' && TEXT_COLUMNS.has(name));
  return columns.filter(namesInvoices).map(({ name }) => name);
}

const textName = (name: string) => `${name}_text`;

/** The columns, each that names invoices followed by one with the courier's numbers: `number`, then `number_text`. */
export function withTextColumns(columns: readonly Column[]): Column[] {
  const ofInvoices = new Set(invoiceColumns(columns));
  return columns.flatMap((column) =>
    ofInvoices.has(column.name)
      ? [column, { name: textName(column.name), type: 'text', textOf: column.name }]
      : [column],
  );
}

/** A courier's row with the cells of the `_text` columns; its sentences have the courier's numbers too. */
export function rowWithTexts(row: Row, columns: readonly string[], texts: NumberTexts): Row {
  const withTexts: Record<string, Cell> = { ...row };
  for (const name of columns) withTexts[textName(name)] = cellText(row[name] ?? null, texts);
  if (texts.size > 0) renumberSentences(withTexts, texts);
  return withTexts;
}

function cellText(cell: Cell, texts: NumberTexts): string | null {
  return cell === null ? null : textInNumberTexts(String(cell), texts);
}

function renumberSentences(row: Record<string, Cell>, texts: NumberTexts): void {
  for (const [name, cell] of Object.entries(row)) {
    if (typeof cell === 'object' && cell !== null) row[name] = inNumberTexts(cell, texts);
  }
}

/** One courier's rows for people and sheets: its numbers replace the ledger's. */
export function renumberedRows<R extends Row>(
  rows: readonly R[],
  columns: readonly Column[],
  texts: NumberTexts,
): readonly R[] {
  if (texts.size === 0) return rows;
  const numberColumns = invoiceColumns(columns);
  return rows.map((row) => {
    const renumbered: Record<string, Cell> = { ...row };
    for (const name of numberColumns) renumbered[name] = cellText(row[name] ?? null, texts);
    renumberSentences(renumbered, texts);
    return renumbered as R;
  });
}

/** {@link renumberedRows} for a whole report: rows in an array or read one by one, of a `LongReport` in pages too. */
export function renumberedReport<R extends Report | LongReport>(report: R, texts: NumberTexts): R {
  if (texts.size === 0) return report;
  const { columns, rows } = report;
  const renumber = <T extends Row>(page: readonly T[]) => renumberedRows(page, columns, texts);
  const notes = () => inNumberTexts(report.notes(), texts);
  if (!('pages' in report)) {
    return { ...report, notes, rows: Symbol.asyncIterator in rows ? mapRows(rows, renumber) : renumber([...rows]) };
  }
  async function* pages() {
    for await (const page of (report as LongReport).pages()) yield renumber(page);
  }
  return { ...report, notes, rows: mapRows(rows as LongReport['rows'], renumber), pages };
}

/** Changes rows that are read one by one. */
async function* mapRows<T extends Row>(
  rows: AsyncIterable<T>,
  change: (rows: readonly T[]) => readonly T[],
): AsyncGenerator<T> {
  for await (const row of rows) yield* change([row]);
}

/** A report as people and sheets read it: each `_text` column takes the place of the one that it goes with. */
export function textsInPlaceOfNumbers<R extends Report>(report: R): R {
  const pairs = report.columns.flatMap(({ name, textOf }) => (textOf === undefined ? [] : [[textOf, name] as const]));
  if (pairs.length === 0) return report;
  const replaced = (row: Row): Row => ({
    ...row,
    ...Object.fromEntries(pairs.map(([name, nameOfText]) => [name, row[nameOfText] ?? null])),
  });
  const { rows } = report;
  return {
    ...report,
    columns: report.columns.filter(({ textOf }) => textOf === undefined),
    rows: Symbol.asyncIterator in rows ? mapRows(rows, (page) => page.map(replaced)) : [...rows].map(replaced),
  };
}
