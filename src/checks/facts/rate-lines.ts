import { LedgerError } from '../../base/errors.ts';
import { lastDayOf } from '../../base/period.ts';
import { type Fraction, parseRate, type Rate, RateTable } from '../../imports/rates.ts';
import type { CloseOfMonth } from '../../ledger/queries/balances/movements.ts';
import { readRateRows } from '../../ledger/queries/imports.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';

/** The imported rates of exchange, each with its file and line for messages, and the evidence id of its import. */
export async function readRateLines(db: LedgerReader): Promise<(Rate & { readonly evidence_id: number })[]> {
  return (await readRateRows(db)).map(({ evidence_id, source, line, date, from_currency, to_currency, rate }) => ({
    ...{ evidence_id, date, from: from_currency, to: to_currency },
    ...{ place: `${source}:${line}`, rate: parseRate(rate) },
  }));
}

/** So many units of the base currency are one unit of `currency` on a day: with LBP as the base, 90,000 for USD. */
export type DayRates = (day: string, currency: string) => Fraction;

/**
 * Gives a look-up of the imported rates to one currency: the latest on or before a day. A day of a closed month has the
 * rate that was known at its close, so that its entries stay as exported; a later one counts only if there was none.
 *
 * @returns a look-up that throws a LedgerError naming the day and the pair if there is no rate
 */
export async function readDayRates(db: LedgerReader, to: string, closed: readonly CloseOfMonth[]): Promise<DayRates> {
  const rows = await readRateLines(db);
  const ratesNow = new RateTable(rows);
  const atCloses = closed.map(({ id, period }) => ({
    to: lastDayOf(period),
    table: new RateTable(rows.filter(({ evidence_id }) => evidence_id < id)),
  }));
  return (day, currency) => {
    const atClose = atCloses.find((close) => day <= close.to)?.table.on(day, currency, to);
    const rate = atClose ?? ratesNow.on(day, currency, to);
    if (rate) return rate.rate;
    throw new LedgerError(
      `no rate of ${currency} to ${to} is imported for ${day} or before, and the books are kept in ${to}`,
      'Import one with `remit import rates FILE`.',
    );
  };
}
