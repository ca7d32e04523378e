/**
 * Calls payouts by the numbers that their courier gave them (`ES-902`). The ledger counts them by integers
 * (`900000001`): see `base/number-texts.ts`. JSON has both, the courier's in a column that ends in `_text`; for people
 * and sheets the courier's number takes the integer's place.
 */

import { inNumberTexts, type NumberTexts, textInNumberTexts } from '../src/base/number-texts.ts';
import type { Cell, Column, LongReport, Report, Row } from './model.ts';
import { mapRows } from './rows.ts';

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

/** Makes a function that renumbers one courier's rows for people and sheets: its numbers replace the ledger's. */
export function renumberer(columns: readonly Column[], texts: NumberTexts): <R extends Row>(row: R) => R {
  const numberColumns = invoiceColumns(columns);
  return <R extends Row>(row: R) => {
    const renumbered: Record<string, Cell> = { ...row };
    for (const name of numberColumns) renumbered[name] = cellText(row[name] ?? null, texts);
    renumberSentences(renumbered, texts);
    return renumbered as R;
  };
}

/** One courier's report with its numbers in the place of the ledger's: rows, pages of a `LongReport`, and notes. */
export function renumberedReport<R extends Report | LongReport>(report: R, texts: NumberTexts): R {
  if (texts.size === 0) return report;
  const renumber = renumberer(report.columns, texts);
  const renumbered = {
    ...report,
    notes: () => inNumberTexts(report.notes(), texts),
    rows: mapRows<Row, Row>(report.rows, renumber),
  };
  if (!('pages' in report)) return renumbered;
  const { pages } = report;
  return { ...renumbered, pages: () => mapRows(pages(), (page) => page.map(renumber)) };
}

/** A report as people and sheets read it: each `_text` column takes the place of the one that it goes with. */
export function textsInPlaceOfNumbers<R extends Report>(report: R): R {
  const pairs = report.columns.flatMap(({ name, textOf }) => (textOf === undefined ? [] : [[textOf, name] as const]));
  if (pairs.length === 0) return report;
  const replaced = (row: Row): Row => ({
    ...row,
    ...Object.fromEntries(pairs.map(([name, nameOfText]) => [name, row[nameOfText] ?? null])),
  });
  const columns = report.columns.filter(({ textOf }) => textOf === undefined);
  return { ...report, columns, rows: mapRows<Row, Row>(report.rows, replaced) };
}
