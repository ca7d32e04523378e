import { LedgerError } from '../../base/errors.ts';
import { lastDayOf } from '../../base/period.ts';
import { type Fraction, parseFraction, parseRate, type Rate, RateTable } from '../../imports/rates.ts';
import type { CloseOfMonth } from '../../ledger/queries/balances/movements.ts';
import { readRateRows } from '../../ledger/queries/imports.ts';
import type { HeldMatch } from '../../ledger/queries/receipts/matches.ts';
import { readReceipts } from '../../ledger/queries/receipts/receipts.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { divideByRate } from '../../matching/manual.ts';
import { sizeOf, type Units } from '../../money/units.ts';

/** The imported rates of exchange, each with its file and line for messages, and the evidence id of its import. */
export async function readRateLines(db: LedgerReader): Promise<(Rate & { readonly evidence_id: number })[]> {
  return (await readRateRows(db)).map(({ evidence_id, source, line, date, from_currency, to_currency, rate }) => ({
    evidence_id,
    date,
    from: from_currency,
    to: to_currency,
    place: `${source}:${line}`,
    rate: parseRate(rate),
  }));
}

/** So many units of the base currency are one unit of `currency` on a day: with LBP as the base, 90,000 for USD. */
export type DayRates = (day: string, currency: string) => Fraction;

/**
 * Makes the look-up of the imported rates to one currency: it finds the latest on or before a day. A day of a closed
 * month has the rate that was known at its close, so that its entries stay as exported; a rate that became known later
 * counts only if there was none.
 *
 * @returns a look-up that throws a LedgerError naming the day and the pair if there is no rate
 */
export async function readDayRates(db: LedgerReader, to: string, closed: readonly CloseOfMonth[]): Promise<DayRates> {
  const rows = await readRateLines(db);
  const ratesNow = new RateTable(rows);
  // The closes are in the order of their months. A close's id is that of its evidence: rates of earlier evidence were
  // known then.
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

/** The part of a match between two currencies by which its rate is judged. */
export type ExchangeMatch = Pick<HeldMatch, 'currency' | 'paid_currency' | 'receipts' | 'invoices'>;

/**
 * The matches that pay more of their invoices than their receipts are worth at the imported rate of the day, by more
 * than the tolerance.
 *
 * @param tolerance `rate_tolerance`: a share, as decimal text
 */
export async function readBeyondRate<E extends ExchangeMatch>(
  db: LedgerReader,
  matches: readonly E[],
  tolerance: string,
) {
  const exchanged = matches.filter(({ paid_currency }) => paid_currency !== null);
  if (exchanged.length === 0) return [];
  const table = new RateTable(await readRateLines(db));
  const days = new Map((await readReceipts(db)).map(({ id, date }) => [id, date]));
  // A tolerance of 0.02 is 2 (`above`) / 100 (`below`).
  const share = parseFraction(tolerance);
  return exchanged.flatMap((match) => {
    // A receipt in another currency is the only one of its match.
    const [receipt] = match.receipts;
    const day = receipt && days.get(receipt.id);
    // `worth`, `allowed` and `paid` are in the currency of the invoices.
    const rateOfDay = day === undefined ? null : table.on(day, match.currency, match.paid_currency!);
    const worth = rateOfDay ? divideByRate(receipt!.amount, rateOfDay.rate) : 0n;
    const allowed = sizeOf(worth) + (sizeOf(worth) * share.above) / share.below;
    const paid = match.invoices.reduce((sum, { amount }) => sum + amount, 0n);
    // A debit is negative: with it you paid what you owe.
    if (sizeOf(paid) <= allowed) return [];
    /** All that is paid beyond the worth, also what is within the tolerance; all of it without an imported rate. */
    const amount = paid - worth;
    return [{ match, amount, shares: sharedOut(match.invoices, amount), rateOfDay }];
  });
}

/** Shares an amount out over the invoices of its sign, the last first, each up to what was paid of it. */
function sharedOut(invoices: ExchangeMatch['invoices'], amount: Units) {
  let left = amount;
  const ofSign = invoices.filter(({ amount: paid }) => paid > 0n === amount > 0n);
  return ofSign.reverse().flatMap(({ number, amount: paid }) => {
    const share = sizeOf(left) < sizeOf(paid) ? left : paid;
    left -= share;
    return share === 0n ? [] : [{ number, amount: share }];
  });
}
