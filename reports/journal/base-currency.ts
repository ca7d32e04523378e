import { addMonths, lastDayOf } from '../../src/base/period.ts';
import { compareText } from '../../src/base/text.ts';
import type { DayRates } from '../../src/checks/facts/rates.ts';
import { inWholeCoins, smallestCoin, type Units } from '../../src/money/units.ts';
import { CarryingBook, hasSameSign, type WorthIn } from './carrying.ts';
import type { JournalLine, JournalTransaction } from './model.ts';

/** The currency in which the books are stated, its rates, and the months with a revaluation. */
export interface BaseCurrency {
  readonly currency: string;
  /** Whether open balances are revalued at a month's end, and taken back on the first of the next month. */
  readonly revaluesIn: (month: string) => boolean;
  readonly rateOn: DayRates;
}

/**
 * States each line in the base currency too: at the rate of its day, rounded to the base currency's smallest coin. What
 * settles a balance is booked at the base amount that the balance has; the difference to the day's rate goes to
 * `exchange_differences`, as a line with a base amount alone. A payment in another currency is converted at the
 * receipt's worth. The lines of each transaction add up to zero in the base.
 *
 * An invoice of 100 USD at 90,000 is carried at 9,000,000 LBP. When 100 USD come in at 89,500, the bank gets 8,950,000,
 * the receivable loses 9,000,000, and 50,000 are debited to `exchange_differences`.
 *
 * @param transactions all that is booked up to the last day, in any order
 * @param to the last day; months are revalued up to it
 */
export function inBaseCurrency(
  transactions: readonly JournalTransaction[],
  base: BaseCurrency,
  to: string,
): JournalTransaction[] {
  const sorted = transactions.filter(({ date }) => date <= to).sort(byDateAndRank);
  const book = new CarryingBook(smallestCoin(base.currency));
  const stated: JournalTransaction[] = [];
  let month = sorted[0]?.date.slice(0, 7) ?? to.slice(0, 7);
  const revalueTo = (end: string) => {
    while (lastDayOf(month) <= end) {
      if (base.revaluesIn(month)) stated.push(...revaluations(book, base, month));
      month = addMonths(month, 1);
    }
  };
  for (const transaction of sorted) {
    revalueTo(lastDayOf(addMonths(transaction.date.slice(0, 7), -1)));
    stated.push(stateInBase(transaction, base, book));
  }
  revalueTo(to);
  return stated;
}

function stateInBase(transaction: JournalTransaction, base: BaseCurrency, book: CarryingBook): JournalTransaction {
  const coin = smallestCoin(base.currency);
  const worthIn: WorthIn = (currency) => {
    if (currency === base.currency) return (amount: Units) => amount;
    // A fraction: `above / below` units of the base currency are one unit of this one.
    const rate = base.rateOn(transaction.date, currency);
    return (amount: Units) => inWholeCoins(coin, amount * rate.above, rate.below);
  };
  if (transaction.currency === base.currency) return convertInBase(transaction, book, worthIn);
  const atRate = transaction.lines.map(({ amount }) => worthIn(transaction.currency)(amount));
  // The last line takes the remainder of rounding, unless that would turn its sign: a price is never negative.
  const remainder = -sum(atRate);
  const last = transaction.lines.at(-1)!;
  const lastAtRate = atRate.at(-1)! + remainder;
  if (lastAtRate === 0n || hasSameSign(lastAtRate, last.amount)) atRate[atRate.length - 1] = lastAtRate;
  const lines = transaction.lines.map((line, at) => {
    return { ...line, base: book.bookLine(transaction, line, atRate[at]!, worthIn) };
  });
  const difference = -sum(lines.map(({ base: inBase }) => inBase));
  if (difference === 0n) return { ...transaction, lines };
  return { ...transaction, lines: [...lines, { account: 'exchange_differences', amount: 0n, base: difference }] };
}

/** States a transaction in the base currency itself: its amounts, but for what was converted from another currency. */
function convertInBase(transaction: JournalTransaction, book: CarryingBook, worthIn: WorthIn): JournalTransaction {
  let difference = 0n;
  const lines = transaction.lines.map((line): JournalLine => {
    const { account, amount } = line;
    const inBase = account === 'currency_conversion' ? book.bookLine(transaction, line, amount, worthIn) : amount;
    difference += amount - inBase;
    return { account, amount: inBase, base: inBase };
  });
  const realised: JournalLine = { account: 'exchange_differences', amount: difference, base: difference };
  return { ...transaction, lines: [...lines, realised].filter(({ amount }) => amount !== 0n) };
}

/** The accounts whose balances in other currencies are revalued. */
const REVALUED = ['courier_receivable', 'uninvoiced_cod', 'unallocated_receipts'] as const;

/**
 * A month's revaluations and their reversals, one of each per currency. A reversal is booked in the next month; if that
 * is after the last day, `journalOf` leaves it out.
 */
function revaluations(book: CarryingBook, base: BaseCurrency, month: string): JournalTransaction[] {
  const date = lastDayOf(month);
  const coin = smallestCoin(base.currency);
  return book.currencies().flatMap((currency) => {
    const balances = REVALUED.map((account) => ({ account, ...book.balance(account, currency) }));
    if (balances.every(({ amount }) => amount === 0n)) return [];
    const rate = base.rateOn(date, currency);
    const changes = balances
      .map(({ account, amount, base: carried }): JournalLine => {
        return { account, amount: 0n, base: inWholeCoins(coin, amount * rate.above, rate.below) - carried };
      })
      .filter((line) => line.base !== 0n);
    if (changes.length === 0) return [];
    const result = -sum(changes.map((line) => line.base!));
    const lines =
      result === 0n ? changes : [...changes, { account: 'unrealised_differences', amount: 0n, base: result } as const];
    const revaluation = (isReversed: boolean): JournalTransaction => ({
      id: `REV-${month}-${currency}${isReversed ? '-R' : ''}`,
      date: isReversed ? `${addMonths(month, 1)}-01` : date,
      currency,
      narration: { id: 'booked-revaluation', currency, isReversed },
      references: {},
      lines: isReversed ? lines.map((line) => ({ ...line, base: -line.base! })) : lines,
    });
    return [revaluation(false), revaluation(true)];
  });
}

/** Transactions that open a balance, by the start of their ids. On one day they come before those that settle it. */
const OPENING_IDS = ['DEL', 'INV', 'REC'];

function byDateAndRank(a: JournalTransaction, b: JournalTransaction): number {
  return compareText(a.date, b.date) || rankOf(a) - rankOf(b) || compareText(a.id, b.id);
}

function rankOf({ id }: JournalTransaction): number {
  const rank = OPENING_IDS.indexOf(id.slice(0, 3));
  return rank === -1 ? OPENING_IDS.length : rank;
}

function sum(amounts: readonly Units[]): Units {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
