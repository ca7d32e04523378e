import { LedgerError } from '../../src/base/errors.ts';
import { lastDayOf } from '../../src/base/period.ts';
import type { BalanceBook } from '../../src/checks/facts/balances/book.ts';
import { type EffectMove, type LedgerReader, sumOpenEffects } from '../../src/ledger/queries/index.ts';
import { amountOfUnits, formatUnits, Totals, type Units } from '../../src/money/index.ts';
import { DISPUTED_CODES } from './disputes.ts';
import type { JournalTransaction } from './model.ts';

/** A figure by each of several ways, a currency; the names are those that the error says. */
type Ways = Readonly<Record<string, ReadonlyMap<string, Units>>>;

/**
 * The control of the balance: at the end of each month the closing of the roll-forward, the sum of the open items, and the journal's
 * courier receivable with its unallocated receipts are one figure; and what the movements come to today is what the database sums.
 *
 * @param transactions all that the journal books of invoices and receipts up to the last of the months
 * @throws LedgerError naming the month, the currency and both figures where two ways differ
 */
export async function controlBalance(
  book: BalanceBook,
  months: readonly string[],
  transactions: readonly JournalTransaction[],
): Promise<void> {
  const closings = await book.rollForward(months);
  for (const month of months) {
    const own = closings.filter(({ period }) => period === month);
    requireEqual(`the balance at the end of ${month}`, {
      'the roll-forward': new Map(own.map(({ currency, closing }) => [currency, closing])),
      'its open items': await sumOfItems(book, month),
      'the journal': balanceIn(transactions, lastDayOf(month)),
    });
  }
  const { moved, summed } = await book.today();
  for (const [part, name] of PARTS) {
    requireEqual(`${name} as known with ${months.at(-1)}`, {
      'their movements': moved[part],
      'the database': summed[part],
    });
  }
}

/** What is in dispute today is what the mismatches come to that are not resolved. @throws LedgerError where the two differ */
export async function controlDisputes(db: LedgerReader, moves: readonly EffectMove[]): Promise<void> {
  const moved = new Map<string, Units>();
  for (const move of moves) moved.set(move.currency, (moved.get(move.currency) ?? 0n) + move.moved);
  requireEqual('what is in dispute', {
    'its bookings': moved,
    'the mismatches that are not resolved': await sumOpenEffects(db, DISPUTED_CODES),
  });
}

const PARTS = [
  ['stated', 'the net due of all listed invoices'],
  ['received', 'all money of the courier'],
  ['differences', 'all agreed differences'],
] as const;

async function sumOfItems(book: BalanceBook, month: string): Promise<Map<string, Units>> {
  const totals = new Totals();
  for (const { currency, open } of await book.openItems(month)) totals.add(currency, amountOfUnits(open));
  return new Map(totals.currencies().map((currency) => [currency, totals.unitsOf(currency)]));
}

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

function requireEqual(what: string, ways: Ways): void {
  const [[first, figures], ...others] = Object.entries(ways) as [
    [string, ReadonlyMap<string, Units>],
    ...[string, ReadonlyMap<string, Units>][],
  ];
  for (const [other, theirs] of others) {
    for (const currency of [...new Set([...figures.keys(), ...theirs.keys()])].sort()) {
      const [one, two] = [figures.get(currency) ?? 0n, theirs.get(currency) ?? 0n];
      if (one === two) continue;
      throw new LedgerError(
        `the control of the balance fails: ${what} is ${formatUnits(one)} ${currency} by ${first} and ${formatUnits(two)} ${currency} by ${other}`,
        'Nothing was written. Run `remit verify`; if it finds nothing, keep a copy of the ledger and report this.',
      );
    }
  }
}
