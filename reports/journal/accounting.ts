import { type AccountingSettings, NO_ACCOUNTING_SETTINGS } from '../../src/base/accounting-settings.ts';
import { lastDayOf } from '../../src/base/period.ts';
import { readDayRates } from '../../src/checks/facts/day-rates.ts';
import { readClosedSettings } from '../../src/ledger/queries/closes/closes.ts';
import type { LedgerReader } from '../../src/ledger/queries/index.ts';
import type { PeriodCloseTable } from '../../src/ledger/schema.ts';
import { inBaseCurrency } from './base-currency.ts';
import { withFeeTax } from './fee-tax.ts';
import type { JournalTransaction } from './model.ts';

/**
 * What is booked, as the books are kept: with the tax of fees apart, and in the base currency. Up to a closed month tax and revaluation are
 * as they were at its close, so that its entries stay as they were exported; the base currency is one for the whole journal.
 *
 * @param closed the closes in force, by month
 * @param to the last day
 */
export async function asKept(
  db: LedgerReader,
  booked: readonly JournalTransaction[],
  {
    accounting = NO_ACCOUNTING_SETTINGS,
    closed,
    to,
  }: { accounting: AccountingSettings | undefined; closed: readonly PeriodCloseTable[]; to: string },
): Promise<readonly JournalTransaction[]> {
  const atCloses: { to: string; accounting: AccountingSettings }[] = [];
  for (const { id, period } of closed)
    atCloses.push({ to: lastDayOf(period), accounting: (await readClosedSettings(db, id)).accounting });
  const on = (day: string) => atCloses.find((close) => day <= close.to)?.accounting ?? accounting;

  // What only moves fees and refunds against each other books tax, or nothing.
  const taxed = withFeeTax(booked, (day) => on(day).feeVat).filter(({ lines }) => lines.length > 0);
  const { baseCurrency, revalue } = accounting;
  if (baseCurrency === null) return taxed;
  const revaluesIn = (month: string) => {
    const then = on(lastDayOf(month));
    return then.baseCurrency === baseCurrency ? then.revalue : revalue;
  };
  const rateOn = await readDayRates(db, baseCurrency, closed);
  return inBaseCurrency(taxed, { currency: baseCurrency, revaluesIn, rateOn }, to);
}
