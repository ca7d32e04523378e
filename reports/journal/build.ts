import { lastDayOf } from '../../src/base/period.ts';
import { type AccountingSettings, NO_ACCOUNTING_SETTINGS } from '../../src/base/settings.ts';
import type { CheckSettings } from '../../src/checks/check.ts';
import { AccrualBook } from '../../src/checks/facts/accruals.ts';
import { BalanceBook } from '../../src/checks/facts/balances/book.ts';
import { type KnownMoney, readKnownAt } from '../../src/checks/facts/closes/known-at-close.ts';
import { readDayRates } from '../../src/checks/facts/rates.ts';
import { receivedMoney } from '../../src/checks/facts/receipts/flows.ts';
import type { SettlementSettings, Settlements } from '../../src/checks/facts/receipts/settlements.ts';
import { readReturns } from '../../src/checks/facts/returns/convention.ts';
import { type Movement, movementsOf } from '../../src/ledger/queries/balances/movements.ts';
import { readClosedSettings, readClosesInForce } from '../../src/ledger/queries/closes/closes.ts';
import type { EffectMove } from '../../src/ledger/queries/findings/effects.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import type { PeriodCloseTable } from '../../src/ledger/schema.ts';
import { postAccruals } from './accruals.ts';
import { inBaseCurrency } from './base-currency.ts';
import { FeeBook, withFeeTax } from './charges.ts';
import { ClosedBook } from './closed-book.ts';
import { controlBalance, controlDisputes } from './control.ts';
import { postDisputes, readDisputes } from './disputes.ts';
import { journalOf } from './journal.ts';
import type { DeliveredBy, Journal, JournalTransaction } from './model.ts';
import { postInvoiced, postSeenPaid } from './post.ts';
import { postReceipts } from './receipts.ts';

/**
 * The journal of some months: deliveries, invoices and their restatements, disputes, receipts, and payments that only
 * the Paid flag shows.
 *
 * @param periods the months, in order, at least one; what lies between them is in the journal too
 * @throws LedgerError if a balance is not the same by every way of computing it: see control.ts
 */
export async function buildJournal(
  db: LedgerReader,
  request: {
    settings: SettlementSettings & Pick<CheckSettings, 'returns'>;
    periods: readonly string[];
    /** The months as they are printed: `2026-10`, `2026-Q4`. */
    period: string;
    deliveredBy: DeliveredBy;
    /** The balances, if they were read already. */
    book?: BalanceBook | undefined;
  },
): Promise<Journal> {
  const { settings, periods, period } = request;
  const [from, to] = [`${periods[0]}-01`, lastDayOf(periods.at(-1)!)];
  const closed = await readClosesInForce(db);
  const booked = await readControlled(db, closed, request);
  const base = settings.accounting?.baseCurrency ?? null;
  return journalOf({ period, from, to }, await withTaxAndBase(db, booked, closed, to, settings.accounting), base);
}

/**
 * Makes sure that a month's balance is the same by every way of computing it, and that its journal has all rates.
 *
 * @throws LedgerError: see control.ts; or naming the day and the pair of a rate that is missing
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
  // Accruals and disputes are no part of the balance.
  await readControlled(db, await readClosesInForce(db), { settings, periods: [month], deliveredBy: null });
}

/**
 * All transactions up to the end of the last month, for a closed month as they were known at its close, once their
 * balance is controlled.
 *
 * @param closed the closes in force, by month
 */
async function readControlled(
  db: LedgerReader,
  closed: readonly PeriodCloseTable[],
  request: {
    settings: SettlementSettings & Pick<CheckSettings, 'returns'>;
    periods: readonly string[];
    /** Null to leave out accruals and disputes. */
    deliveredBy: DeliveredBy | null;
    book?: BalanceBook | undefined;
  },
): Promise<JournalTransaction[]> {
  const { settings, periods, deliveredBy } = request;
  const balanceBook = request.book ?? (await BalanceBook.read(db, settings, { closed }));
  const { settlements } = balanceBook;
  const zone = settlements.books.timeZone;
  const convention = deliveredBy === null ? null : await readReturns(db, settings.returns);
  const states = await readKnownStates(db, settlements, lastDayOf(periods.at(-1)!), closed);
  const accrualBooks = states.map(
    ({ histories, earlier, close }) => new AccrualBook(histories, earlier, close?.id ?? null),
  );
  let accruals: JournalTransaction[][] = [];
  let disputes: EffectMove[] = [];
  if (deliveredBy !== null) {
    accruals = await postAccruals(db, zone, accrualBooks, deliveredBy, convention?.signs ?? null);
    disputes = await readDisputes(db, zone);
    await controlDisputes(db, disputes);
  }
  const fees = await FeeBook.read(db, convention?.returns ?? null);
  const closedBook = new ClosedBook();
  states.forEach((state, index) => {
    const disputed = postDisputes(disputes, state.earlier, state.close?.id ?? null);
    // A copy, because each state books all fees from the beginning.
    const known = [...(accruals[index] ?? []), ...postMoney(state, fees.unbookedCopy()), ...disputed];
    if (state.close) closedBook.close(known, state.close);
    else closedBook.add(known);
  });
  await controlBalance(balanceBook, periods, closedBook.transactions);
  return closedBook.transactions;
}

/** The money of invoices and receipts as it was known at a close, or is known now (`close` is null). */
interface KnownState extends KnownMoney {
  readonly close: PeriodCloseTable | null;
  /** The closes before it. */
  readonly earlier: readonly PeriodCloseTable[];
}

/**
 * The states from which a journal up to the day `to` is booked, in the order in which they were known: at each close of
 * a month before that day, then at the close that covers the day, or as known now if none does. Months are closed in
 * order and opened again from the last back, so the closes by month are also in the order of their ids.
 *
 * @param closed the closes in force, by month
 */
async function readKnownStates(
  db: LedgerReader,
  settlements: Settlements,
  to: string,
  closed: readonly PeriodCloseTable[],
): Promise<KnownState[]> {
  // An invoice of a closed month may have moved to a later month.
  const lastMonth = closed.length > 0 ? '9999-12' : to.slice(0, 7);
  const histories = settlements.histories.filter(({ period }) => period <= lastMonth);
  // A month before the first close is booked as it was known at that close: September, if the books begin with a close
  // of October. So is its balance.
  const coveringClose = closed.find(({ period }) => lastDayOf(period) >= to);
  const closes = closed.filter((close) => lastDayOf(close.period) < to || close === coveringClose);
  const states: KnownState[] = [];
  for (const close of closes) {
    const earlier = closed.filter(({ id }) => id < close.id);
    states.push({ ...(await readKnownAt(db, histories, close)), close, earlier });
  }
  if (!coveringClose) states.push({ histories, settlements, close: null, earlier: closed });
  return states;
}

function postMoney({ histories, settlements, earlier }: KnownState, fees: FeeBook): JournalTransaction[] {
  const received = receivedMoney(settlements);
  const invoiceTransactions = histories
    // A restatement of rows alone moves no amount, but it may split the fee in another way.
    .flatMap((history) => movementsOf(history, received, earlier, { ofRows: true }))
    .map((movement) => postMovement(movement, fees));
  return [...invoiceTransactions, ...postReceipts(settlements, earlier)].filter((transaction) => transaction !== null);
}

/** The letter in a transaction's id (`RES-7-R12-USD`) for each way in which a booked invoice changes. */
const MARKS = { restated: 'R', vanished: 'V', back: 'B' } as const;

function postMovement(movement: Movement, fees: FeeBook): JournalTransaction | null {
  const { kind, number, date, currency, money, amount, evidence_id } = movement;
  // Receipts are booked one by one (`postReceipts`), whatever they pay.
  if (kind === 'received' || kind === 'difference') return null;
  if (kind === 'paid' || kind === 'already-paid') {
    const isPaid = !movement.isUnmarked;
    // The movement is that of the balance, which a payment reduces.
    return postSeenPaid({ number, date, currency, amount: -amount, isPaid, mark: String(evidence_id) });
  }
  const row = { number, date, currency, ...money, ...fees.book(movement) };
  return kind === 'invoiced' ? postInvoiced(row) : postInvoiced(row, `${MARKS[kind]}${evidence_id}`);
}

/**
 * Splits the tax off the fees, and states everything in the base currency if the books have one. For closed months tax
 * and revaluation are as the settings were at the close, so that entries stay as they were exported; the base currency
 * is the same for the whole journal.
 *
 * @param closed the closes in force, by month
 * @param to the last day
 */
async function withTaxAndBase(
  db: LedgerReader,
  booked: readonly JournalTransaction[],
  closed: readonly PeriodCloseTable[],
  to: string,
  accounting: AccountingSettings = NO_ACCOUNTING_SETTINGS,
): Promise<readonly JournalTransaction[]> {
  const atCloses: { to: string; accounting: AccountingSettings }[] = [];
  for (const { id, period } of closed)
    atCloses.push({ to: lastDayOf(period), accounting: (await readClosedSettings(db, id)).accounting });
  const accountingOn = (day: string) => atCloses.find((close) => day <= close.to)?.accounting ?? accounting;
  // A transaction that only moves refunds within the fees has no line, unless tax gives it one.
  const taxed = withFeeTax(booked, (day) => accountingOn(day).feeVat).filter(({ lines }) => lines.length > 0);
  const { baseCurrency, revalue } = accounting;
  if (baseCurrency === null) return taxed;
  const revaluesIn = (month: string) => {
    const ofMonth = accountingOn(lastDayOf(month));
    return ofMonth.baseCurrency === baseCurrency ? ofMonth.revalue : revalue;
  };
  const rateOn = await readDayRates(db, baseCurrency, closed);
  return inBaseCurrency(taxed, { currency: baseCurrency, revaluesIn, rateOn }, to);
}
