import type { InvoiceVersion } from '../../src/ledger/queries/invoices/changes.ts';
import { parseAmount } from '../../src/money/decimal.ts';
import { MONEY_FIELDS, ROW_SUM_FIELDS } from '../../src/money/fields.ts';
import { formatAmount } from '../../src/money/format.ts';

/** A figure before and after, as plain decimals (counts as integers). Null currency: a count. */
export interface Moved {
  readonly field: string;
  readonly currency: string | null;
  readonly before: string;
  readonly after: string;
  readonly difference: string;
}

const VERSION_FIELDS = [...MONEY_FIELDS, ...ROW_SUM_FIELDS];

/** The figures in which two versions of an invoice differ, by currency and field. */
export function movedFigures(before: InvoiceVersion, after: InvoiceVersion): Moved[] {
  const currencies = [...new Set([...before.amounts, ...after.amounts].map(({ currency }) => currency))].sort();
  const figures: Moved[] = [];
  for (const currency of currencies) {
    for (const field of VERSION_FIELDS) {
      const statedIn = (version: InvoiceVersion) =>
        version.amounts.find((row) => row.currency === currency)?.[field] ?? '0.00';
      const figure = movedFigure(field, currency, statedIn(before), statedIn(after));
      if (figure) figures.push(figure);
    }
  }
  const [rowsBefore, rowsAfter] = [before.row_count, after.row_count];
  if (rowsBefore !== rowsAfter) {
    const difference = String(rowsAfter - rowsBefore);
    figures.push({ field: 'orders', currency: null, before: String(rowsBefore), after: String(rowsAfter), difference });
  }
  return figures;
}

/** How an amount moved; null if it did not. */
export function movedFigure(field: string, currency: string, before: string, after: string): Moved | null {
  if (before === after) return null;
  return { field, currency, before, after, difference: formatAmount(parseAmount(after).minus(parseAmount(before))) };
}
