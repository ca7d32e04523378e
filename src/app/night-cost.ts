import type { Ledger } from '../ledger/index.ts';
import { countByPayment } from '../ledger/queries/sync/to-fetch.ts';
import { readLastBookWalk } from '../ledger/queries/sync/walks.ts';
import { planOrderBook } from '../sync/order-book.ts';
import { defaultPeriods } from '../sync/plan.ts';
import type { Books } from './books.ts';

/**
 * The average requests of a night: profile, a list per month, invoices that are due, and the order book if it was ever
 * read.
 *
 * @returns them, and what the order book costs (`book`; null if it was never read)
 */
export async function nightCost(ledger: Ledger, { config, now }: Pick<Books, 'config' | 'now'>) {
  const { db } = ledger;
  const months = await defaultPeriods(db, { now, timeZone: config.timeZone });
  const { paid, unpaid } = await countByPayment(db);
  const hasBook = (await readLastBookWalk(db)) !== null;
  const book = hasBook ? await planOrderBook({ ...config, ledger, now }) : null;
  const daysPerWhole = config.ordersFullEvery;
  const bookPerNight = book === null ? 0 : (book.whole + (daysPerWhole - 1) * book.between) / daysPerWhole;
  // `recheckPaidDays` 0: every night fetches all paid invoices again.
  const paidAgain = config.recheckPaidDays === 0 ? paid : paid / config.recheckPaidDays;
  return { requests: Math.ceil(1 + months.length + unpaid + paidAgain + bookPerNight), book };
}
