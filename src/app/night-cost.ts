import type { Ledger } from '../ledger/index.ts';
import { countByPayment } from '../ledger/queries/sync/held.ts';
import { readLastBookWalk } from '../ledger/queries/sync/walks.ts';
import { planOrderBook } from '../sync/order-book.ts';
import { defaultPeriods } from '../sync/plan.ts';
import type { Books } from './books.ts';

/** What a night costs on average, as far as the ledger tells: the profile, a list a month, the invoices that are due, and the order book where it was ever read. */
export async function nightCost(ledger: Ledger, { config, now }: Pick<Books, 'config' | 'now'>) {
  const { db } = ledger;
  const months = await defaultPeriods(db, { now, timeZone: config.timeZone });
  const { paid, unpaid } = await countByPayment(db);
  const hasBook = (await readLastBookWalk(db)) !== null;
  const book = hasBook ? await planOrderBook({ ...config, ledger, now }) : null;
  const days = config.ordersFullEvery;
  const perNight = book === null ? 0 : (book.whole + (days - 1) * book.between) / days;
  const paidAgain = config.recheckPaidDays === 0 ? paid : paid / config.recheckPaidDays;
  return { requests: Math.ceil(1 + months.length + unpaid + paidAgain + perNight), book };
}
