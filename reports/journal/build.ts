import { type AccountingSettings, NO_ACCOUNTING_SETTINGS } from '../../src/base/accounting-settings.ts';
import { lastDayOf } from '../../src/base/period.ts';
import type { ReturnsSetting } from '../../src/base/returns.ts';
import type { CheckSettings } from '../../src/checks/check.ts';
import { AccrualBook } from '../../src/checks/facts/accruals.ts';
import { BalanceBook } from '../../src/checks/facts/balances/book.ts';
import { type KnownMoney, readKnownAt } from '../../src/checks/facts/closes/places.ts';
import { readDayRates } from '../../src/checks/facts/rate-lines.ts';
import { receivedMoney } from '../../src/checks/facts/receipts/flows.ts';
import type { SettlementSettings, Settlements } from '../../src/checks/facts/receipts/settlements.ts';
import { readReturns } from '../../src/checks/facts/returns/standing.ts';
import { type Movement, movementsOf } from '../../src/ledger/queries/balances/movements.ts';
import { readClosedSettings, readClosesInForce } from '../../src/ledger/queries/closes/closes.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import type { PeriodCloseTable } from '../../src/ledger/schema.ts';
import { postAccruals } from './accruals.ts';
import { inBaseCurrency } from './base-currency.ts';
import { FeeBook } from './charges.ts';
import { ClosedBook } from './closed-book.ts';
import { controlBalance, controlDisputes } from './control.ts';
import { postDisputes, readDisputes } from './disputes.ts';
import { withFeeTax } from './fee-tax.ts';
import { journalOf } from './journal.ts';
import type { DeliveredBy, Journal, JournalTransaction } from './model.ts';
import { postInvoiced, postSeenPaid } from './post.ts';
import { postReceipts } from './receipts.ts';

export type { DeliveredBy };

/**
 * The bookings of some months, from the ledger: delivered, invoiced with its restatements, in dispute, received, and, where no receipts
 * settle an invoice, seen paid.
 *
 * @param periods the months, in order, at least one; what lies between them is in the journal too
 * @throws LedgerError where the balance of one of them is not one figure: see control.ts
 */
export async function buildJournal(
  db: LedgerReader,
  {
    settings,
    periods,
    period,
    deliveredBy,
    book: read,
  }: {
    settings: SettlementSettings & Pick<CheckSettings, 'returns'>;
    periods: readonly string[];
    period: string;
    deliveredBy: DeliveredBy;
    /** The balances, where they were read already. */
    book?: BalanceBook | undefined;
  },
): Promise<Journal> {
  const [from, to] = [`${periods[0]}-01`, lastDayOf(periods.at(-1)!)];
  const closed = await readClosesInForce(db);
  const book = read ?? (await BalanceBook.read(db, settings, { closed }));
  const { settlements } = book;
  const booked = await readBooked(db, { settlements, to, closed, deliveredBy, returns: settings.returns });
  await controlBalance(book, periods, booked);
  const base = settings.accounting?.baseCurrency ?? null;
  return journalOf(
    { period, from, to },
    await asKept(db, booked, { accounting: settings.accounting, closed, to }),
    base,
  );
}

/**
 * Stops where the balance of a month is not one figure, or its journal cannot be stated in the base currency.
 *
 * @throws LedgerError: see control.ts; naming the day and the pair of a rate that is missing
 */
export async function controlMonth(
  db: LedgerReader,
  settings: SettlementSettings & Pick<CheckSettings, 'returns'>,
  month: string,
): Promise<void> {
  if (settings.accounting?.baseCurrency) {
    await buildJournal(db, { settings, periods: [month], period: month, deliveredBy: 'day' });
    return;
  }
  const closed = await readClosesInForce(db);
  const book = await BalanceBook.read(db, settings, { closed });
  const { settlements } = book;
  const to = lastDayOf(month);
  // What is on no invoice yet, and what is in dispute, is no part of the balance.
  const booked = await readBooked(db, { settlements, to, closed, deliveredBy: null, returns: null });
  await controlBalance(book, [month], booked);
}

/** All that is booked. A closed month has it as it was known at the close. */
async function readBooked(
  db: LedgerReader,
  {
    settlements,
    to,
    closed,
    deliveredBy,
    returns,
  }: {
    settlements: Settlements;
    to: string;
    closed: readonly PeriodCloseTable[];
    /** Null to leave out what is accrued, and what is in dispute. */
    deliveredBy: DeliveredBy | null;
    /** How the courier's invoices show RETURN orders; null where nothing is accrued. */
    returns: ReturnsSetting | null;
  },
): Promise<JournalTransaction[]> {
  const zone = settlements.books.timeZone;
  // One that stood in a closed month may have moved to a later one.
  const last = closed.length > 0 ? '9999-12' : to.slice(0, 7);
  const histories = settlements.histories.filter(({ period }) => period <= last);
  const convention = returns === null ? null : await readReturns(db, returns);
  // A month before a close is as it was known at that close, as its balance is.
  const covering = closed.find(({ period }) => lastDayOf(period) >= to);
  const closes = closed.filter((close) => lastDayOf(close.period) < to || close === covering);
  const states: State[] = [];
  for (const then of covering ? closes : [...closes, null]) {
    const known = then ? await readKnownAt(db, histories, then) : { histories, settlements };
    states.push({ ...known, then, earlier: then ? closed.filter(({ id }) => id < then.id) : closed });
  }
  const books = states.map(({ histories, earlier, then }) => new AccrualBook(histories, earlier, then?.id ?? null));
  const accruals =
    deliveredBy === null ? [] : await postAccruals(db, zone, books, deliveredBy, convention?.worth ?? null);
  const disputes = deliveredBy === null ? [] : await readDisputes(db, zone);
  if (deliveredBy !== null) await controlDisputes(db, disputes);
  const fees = await FeeBook.read(db, convention?.returns ?? null);
  const book = new ClosedBook();
  states.forEach((state, at) => {
    const disputed = postDisputes(disputes, state.earlier, state.then?.id ?? null);
    const known = [...(accruals[at] ?? []), ...postMoney(state, fees.afresh()), ...disputed];
    if (state.then) book.close(known, state.then);
    else book.add(known);
  });
  return book.transactions;
}

/** The money of invoices and receipts as it was known at a close; or now, where `then` is null. */
interface State extends KnownMoney {
  readonly then: PeriodCloseTable | null;
  /** The months that were closed before. */
  readonly earlier: readonly PeriodCloseTable[];
}

function postMoney({ histories, settlements, earlier }: State, fees: FeeBook): JournalTransaction[] {
  const received = receivedMoney(settlements);
  const moved = histories
    .flatMap((history) => movementsOf(history, received, earlier, { ofRows: true }))
    .map((one) => postMovement(one, fees));
  return [...moved, ...postReceipts(settlements, earlier)].filter((one) => one !== null);
}

/** A letter for each way in which an invoice changes after it was booked, for the transaction's id. */
const MARKS = { restated: 'R', vanished: 'V', back: 'B' } as const;

function postMovement(movement: Movement, fees: FeeBook): JournalTransaction | null {
  const { kind, number, date, currency, money, amount, evidence_id } = movement;
  // Money of receipts is booked receipt by receipt, whatever it pays.
  if (kind === 'received' || kind === 'difference') return null;
  if (kind === 'paid' || kind === 'already-paid') {
    return postSeenPaid({ number, date, currency, amount: -amount, mark: String(evidence_id) });
  }
  const row = { number, date, currency, ...money, ...fees.partsOf(movement) };
  return kind === 'invoiced' ? postInvoiced(row) : postInvoiced(row, `${MARKS[kind]}${evidence_id}`);
}

/**
 * What is booked, as the books are kept: with the tax of fees apart, and in the base currency. Up to a closed month tax and revaluation are
 * as they were at its close, so that its entries stay as they were exported; the base currency is one for the whole journal.
 *
 * @param closed the closes in force, by month
 * @param to the last day
 */
async function asKept(
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
