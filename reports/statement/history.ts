import { addMonths } from '../../src/base/period.ts';
import { readClosedFigures, readClosesInForce } from '../../src/ledger/queries/closes/closes.ts';
import { type HeaderTotals, readMonthHeaders } from '../../src/ledger/queries/invoices/totals.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import { readMonthWalks } from '../../src/ledger/queries/sync/fetched.ts';
import { parseAmount, ZERO } from '../../src/money/decimal.ts';
import { eachField, MONEY_FIELDS } from '../../src/money/fields.ts';
import { keepCurrency, type OnlyCurrency } from '../filters.ts';
import type { HistoryMonth } from './model.ts';

const MONTHS = 12;

/** The last twelve months, without those before the first with an invoice; closed ones as they were closed. */
export async function historyOf(db: LedgerReader, month: string): Promise<HistoryMonth[]> {
  const periods = Array.from({ length: MONTHS }, (_, i) => addMonths(month, i + 1 - MONTHS));
  const synced = new Set((await readMonthWalks(db, periods)).map(({ period }) => period));
  const closes = new Map((await readClosesInForce(db)).map(({ period, id }) => [period, id]));
  const history: HistoryMonth[] = [];
  for (const period of periods) {
    history.push({ period, currencies: synced.has(period) ? await readHeaders(db, period, closes.get(period)) : null });
  }
  return fromFirstInvoice(history);
}

/** The history of one currency, from its first month with an invoice. */
export function historyIn(onlyCurrency: OnlyCurrency, history: readonly HistoryMonth[]): readonly HistoryMonth[] {
  if (onlyCurrency === null) return history;
  const inCurrency = history.map(({ period, currencies }) => ({
    period,
    currencies: currencies && keepCurrency(onlyCurrency, currencies),
  }));
  return fromFirstInvoice(inCurrency);
}

function fromFirstInvoice(history: readonly HistoryMonth[]): HistoryMonth[] {
  const first = history.findIndex(({ currencies }) => currencies !== null && currencies.length > 0);
  return first === -1 ? [] : history.slice(first);
}

/** The sums of a month's invoices, as its close froze them if it has one. @param close the id of the close */
async function readHeaders(db: LedgerReader, period: string, close?: number): Promise<readonly HeaderTotals[]> {
  if (close === undefined) return (await readMonthHeaders(db, period)).currencies;
  const frozen = (await readClosedFigures(db, close)).filter(({ section }) => section === 'totals');
  const currencies = [...new Set(frozen.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const amountOf = (name: string) => {
      const figure = frozen.find((row) => row.currency === currency && row.figure === name);
      return figure ? parseAmount(figure.value) : ZERO;
    };
    const paid = amountOf('paid');
    const unpaid = amountOf('net_due_to_merchant').minus(paid);
    return { currency, ...eachField(MONEY_FIELDS, amountOf), paid, unpaid };
  });
}
