import { LedgerError } from '../../src/base/errors.ts';
import { lastDayOf } from '../../src/base/period.ts';
import type { BalanceBook } from '../../src/checks/facts/balances/book.ts';
import { type EffectMove, sumOpenEffects } from '../../src/ledger/queries/findings/effects.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import { Totals } from '../../src/money/sum.ts';
import { amountOfUnits, formatUnits, type Units } from '../../src/money/units.ts';
import { type Balanced, controlsError, type Way } from '../../src/words/errors/controls.ts';
import { DISPUTED_CODES } from './disputes.ts';
import type { JournalTransaction } from './model.ts';

/** One figure by currency, as each of several ways computes it. */
type Ways = Readonly<Partial<Record<Way, ReadonlyMap<string, Units>>>>;

/**
 * Controls the balance. At the end of each month three figures must be equal: the roll-forward's closing, the sum of
 * the open items, and the journal's courier receivable with its unallocated receipts. And the movements up to today
 * must add up to what the database sums.
 *
 * @param transactions the journal's transactions for invoices and receipts up to the end of the last month
 * @throws LedgerError naming the month, the currency and both figures, if two ways differ
 */
export async function controlBalance(
  book: BalanceBook,
  months: readonly string[],
  transactions: readonly JournalTransaction[],
): Promise<void> {
  const closings = await book.rollForward(months);
  for (const month of months) {
    const ofMonth = closings.filter(({ period }) => period === month);
    requireEqual(
      { what: 'closing', month },
      {
        'roll-forward': new Map(ofMonth.map(({ currency, closing }) => [currency, closing])),
        'open-items': await sumOfItems(book, month),
        journal: balanceIn(transactions, lastDayOf(month)),
      },
    );
  }
  const { moved, summed } = await book.today();
  for (const what of ['stated', 'received', 'differences'] as const) {
    requireEqual({ what, month: months.at(-1)! }, { movements: moved[what], database: summed[what] });
  }
}

/** Controls the amount in dispute: it must be the effect of the unresolved mismatches. @throws LedgerError if not */
export async function controlDisputes(db: LedgerReader, moves: readonly EffectMove[]): Promise<void> {
  const bookings = new Map<string, Units>();
  for (const { currency, moved } of moves) bookings.set(currency, (bookings.get(currency) ?? 0n) + moved);
  const mismatches = await sumOpenEffects(db, DISPUTED_CODES);
  requireEqual({ what: 'in-dispute' }, { bookings, mismatches });
}

async function sumOfItems(book: BalanceBook, month: string): Promise<Map<string, Units>> {
  const totals = new Totals();
  for (const { currency, open } of await book.openItems(month)) totals.add(currency, amountOfUnits(open));
  return new Map(totals.currencies().map((currency) => [currency, totals.unitsOf(currency)]));
}

/** What the courier owes at the end of a day according to the journal, by currency. */
function balanceIn(transactions: readonly JournalTransaction[], day: string): Map<string, Units> {
  const sums = new Map<string, Units>();
  for (const { date, currency, lines } of transactions) {
    if (date > day) continue;
    for (const { account, amount } of lines) {
      if (account !== 'courier_receivable' && account !== 'unallocated_receipts') continue;
      sums.set(currency, (sums.get(currency) ?? 0n) + amount);
    }
  }
  return sums;
}

/** @throws LedgerError naming the first way and one with another figure */
function requireEqual(of: Balanced, ways: Ways): void {
  const [[firstWay, firstFigures], ...others] = Object.entries(ways) as [
    [Way, ReadonlyMap<string, Units>],
    ...[Way, ReadonlyMap<string, Units>][],
  ];
  for (const [way, figures] of others) {
    for (const currency of [...new Set([...firstFigures.keys(), ...figures.keys()])].sort()) {
      const [expected, actual] = [firstFigures.get(currency) ?? 0n, figures.get(currency) ?? 0n];
      if (expected === actual) continue;
      const first = { way: firstWay, amount: formatUnits(expected) };
      const other = { way, amount: formatUnits(actual) };
      throw new LedgerError(controlsError({ id: 'balance-fails', of, currency, first, other }));
    }
  }
}
