import { isAskedOrPaid, type Settlements } from '../src/checks/facts/receipts/settlements.ts';
import { type InvoiceLine, readVanishedLines } from '../src/ledger/queries/invoices/invoices.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';
import { ExactDecimal } from '../src/money/decimal.ts';
import { eachField, MONEY_FIELDS } from '../src/money/fields.ts';

/** The header of what no document states. */
export const NOTHING_STATED = eachField(MONEY_FIELDS, () => new ExactDecimal(0));

/**
 * What came of money that the months' invoices do not state: a line for a currency in which alone money of an invoice moved, and for an
 * invoice that vanished after money of it moved. They ask for nothing, and what they have open is part of the balance.
 *
 * @param stated every line of the months' invoices that is shown already
 */
export async function readUnstatedLines(
  db: LedgerReader,
  months: readonly string[],
  { invoices }: Settlements,
  stated: readonly InvoiceLine[],
): Promise<InvoiceLine[]> {
  const moved = invoices.filter(isAskedOrPaid);
  const byNumber = new Map(stated.map((line) => [line.number, line]));
  for (const period of months) {
    for (const { number, issued_at } of await readVanishedLines(db, period)) {
      const status = moved.find((one) => one.number === number)?.status;
      if (status === undefined) continue;
      byNumber.set(number, { number, period, status, issued_at, orders: 0, currency: null, ...NOTHING_STATED });
    }
  }
  const shown = new Set(stated.map(({ number, currency }) => `${number} ${currency}`));
  return moved.flatMap(({ number, currency }) => {
    const line = byNumber.get(number);
    return !line || shown.has(`${number} ${currency}`) ? [] : [{ ...line, currency, ...NOTHING_STATED }];
  });
}

/** By number, and in each by currency. */
export function byNumberAndCurrency(a: InvoiceLine, b: InvoiceLine): number {
  return a.number - b.number || ((a.currency ?? '') < (b.currency ?? '') ? -1 : 1);
}
