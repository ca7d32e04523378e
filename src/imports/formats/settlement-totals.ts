import { recordsError } from '../../words/errors/records.ts';
import { FileFault } from './fault.ts';
import type { SettledRow, StatedAmounts, StatedTotal } from './settlement-file.ts';
import { headerKey } from './text-forms.ts';

/** A row with the number of its payout. */
export interface RowOfPayout {
  readonly invoice: string;
  readonly row: SettledRow;
}

/** Makes the function that says whether a row has an amount in a currency. */
const isIn = (currency: string) => (entry: RowOfPayout) =>
  entry.row.amounts.some((amount) => amount.currency === currency);

/** A totals row, with the number of the payout if it names one. */
export interface TotalsRow {
  readonly line: number;
  readonly invoice: string | null;
  readonly amounts: readonly StatedAmounts[];
  /** Its zeros in currencies in which it states nothing else, each in a column of that currency alone. */
  readonly zeros: readonly StatedAmounts[];
}

/** A totals row's label as it is in the row, with the currency that follows it (`Total USD`), if one does. */
export interface TotalsLabel {
  readonly currency: string | null;
}

/** Finds the label of totals in a row; null if no cell is the label. */
export function findTotalsLabel(cells: readonly string[], label: string): TotalsLabel | null {
  const wanted = headerKey(label).replace(/[\s:]+$/, '');
  for (const cell of cells) {
    const key = headerKey(cell);
    if (!key.startsWith(wanted)) continue;
    const currencyPart = /^[\s:]*\(?([a-z]{3})?\)?[\s:]*$/.exec(key.slice(wanted.length));
    if (currencyPart) return { currency: currencyPart[1]?.toUpperCase() ?? null };
  }
  return null;
}

/**
 * The totals of each payout, by its number. A totals row that names no payout is about the payout whose rows are above
 * it. Each of its currencies is looked at alone: the rows since the totals row that last stated that currency.
 *
 * @throws FileFault for a second total of one payout and currency, a total of several payouts or of no rows, and rows
 *   of a payout below its total
 */
export function totalsOf(rows: readonly RowOfPayout[], totals: readonly TotalsRow[]): Map<string, StatedTotal[]> {
  const stated = new Map<string, StatedTotal[]>();
  /** By currency, the line of the last totals row that states it. */
  const lastTotalLine = new Map<string, number>();
  for (const { line, invoice, amounts } of totals) {
    for (const amount of amounts) {
      const { currency } = amount;
      const from = lastTotalLine.get(currency) ?? 0;
      const payout = invoice ?? onlyPayout(rows, { line, from, currency });
      lastTotalLine.set(currency, line);
      const ofPayout = stated.get(payout) ?? [];
      const before = ofPayout.find((total) => total.currency === currency);
      if (before)
        throw new FileFault(recordsError({ id: 'second-total', payout, currency, line: before.line }), { line });
      stated.set(payout, [...ofPayout, { ...amount, line }]);
    }
  }
  refuseRowsBelow(rows, stated);
  addZeroTotals(rows, totals, stated);
  return stated;
}

/**
 * Adds the zeros that are totals. A totals row `Total | 120.00 USD | 0 LBP` states a total of 0 LBP if the rows above
 * are in LBP too, such as one of 50,000 and one of -50,000. Without such rows its zero only fills the column.
 */
function addZeroTotals(rows: readonly RowOfPayout[], totals: readonly TotalsRow[], stated: Map<string, StatedTotal[]>) {
  for (const [index, { line, invoice, zeros }] of totals.entries()) {
    // A totals row that names no payout is about the rows since the totals row before it.
    const from = invoice === null ? (totals[index - 1]?.line ?? 0) : 0;
    for (const zero of zeros) {
      const inCurrency = rows.filter(isIn(zero.currency));
      const above = inCurrency.filter(({ row }) => row.line > from && row.line < line);
      const summed = invoice === null ? above : above.filter((entry) => entry.invoice === invoice);
      const [payout, ...otherPayouts] = new Set(summed.map((entry) => entry.invoice));
      if (payout === undefined || otherPayouts.length > 0) continue;
      const ofPayout = stated.get(payout) ?? [];
      const hasOtherTotal = ofPayout.some(({ currency }) => currency === zero.currency);
      const hasRowsBelow = inCurrency.some((entry) => entry.invoice === payout && entry.row.line > line);
      if (!hasOtherTotal && !hasRowsBelow) stated.set(payout, [...ofPayout, { ...zero, line }]);
    }
  }
}

/** The payout whose rows are above a total. @throws FileFault if they are of several payouts, or there are none */
function onlyPayout(
  rows: readonly RowOfPayout[],
  { line, from, currency }: { readonly line: number; readonly from: number; readonly currency: string },
): string {
  const above = rows.filter(({ row }) => row.line < line && row.line > from);
  const payouts = [...new Set(above.filter(isIn(currency)).map(({ invoice }) => invoice))];
  if (payouts.length > 1) {
    const [count, first] = [payouts.length, payouts.slice(0, 5)];
    throw new FileFault(recordsError({ id: 'total-of-several', currency, count, payouts: first }), { line });
  }
  // A total of a currency that no row has is wrong, and its payout's: the checks say so.
  const only = payouts[0] ?? above.at(-1)?.invoice;
  if (only !== undefined) return only;
  throw new FileFault(recordsError({ id: 'total-without-rows', currency, from }), { line });
}

function refuseRowsBelow(rows: readonly RowOfPayout[], stated: ReadonlyMap<string, readonly StatedTotal[]>): void {
  for (const entry of rows) {
    const { invoice, row } = entry;
    const total = stated.get(invoice)?.find(({ line, currency }) => line < row.line && isIn(currency)(entry));
    if (!total) continue;
    const why = recordsError({ id: 'row-below-total', payout: invoice, currency: total.currency, line: total.line });
    throw new FileFault(why, { line: row.line });
  }
}
