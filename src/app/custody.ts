import { dayIn, dayNumber } from '../base/day.ts';
import { BalanceBook } from '../checks/facts/balances/book.ts';
import { custodyFigures, EVER, sumCustody, tieCustody } from '../checks/facts/custody.ts';
import { readReturns } from '../checks/facts/returns/convention.ts';
import { formatUnits } from '../money/units.ts';
import type { Books } from './books.ts';
import { readEachCourier } from './each-courier.ts';

/** Where a courier's money is today in one currency, by all that is known: plain decimals. */
export interface CourierCash {
  readonly courier: string;
  readonly currency: string;
  /** The balance: what the courier owes on its invoices, less receipts that no invoice explains yet. */
  readonly owed: string;
  /** What of it is open on invoices that are older than `overdue_days`. */
  readonly overdue: string;
  /**
   * COD that was collected and that the company does not say is paid: with the driver, at the company, ready, or not
   * known where.
   */
  readonly in_hands: string;
  /** COD of delivered orders that are on no invoice, as in `report not-invoiced`. */
  readonly not_invoiced: string;
  /** COD by place, as in `report custody`. */
  readonly driver: string;
  readonly company: string;
  readonly ready: string;
  readonly paid: string;
  readonly unknown: string;
  /** `ready` and `paid` together. */
  readonly receivable: string;
}

/** Where the money of each courier is today, by courier and currency; none for a courier without any. */
export async function readCourierCash(books: Books): Promise<CourierCash[]> {
  const couriers = await readEachCourier(books, {}, async (db, { name: courier, config }): Promise<CourierCash[]> => {
    const { timeZone, overdueDays } = config;
    const book = await BalanceBook.read(db, config);
    const { signs: returns } = await readReturns(db, config.returns);
    // At the end of `EVER` all that is known has happened. What was received is no longer with the courier.
    const lines = await sumCustody(db, book, { month: EVER, returns, timeZone, withoutReceived: true });
    const today = dayNumber(dayIn(books.now(), timeZone));
    const overdueItems = (await book.openToday()).filter(
      ({ kind, issued_on, openToday }) =>
        kind === 'invoice' && openToday > 0n && today - dayNumber(issued_on) > overdueDays,
    );
    return (await tieCustody(book, EVER, lines)).map((tie) => {
      const { currency, driver, company, ready, paid, unknown, closing } = tie;
      const overdue = overdueItems.reduce((sum, one) => (one.currency === currency ? sum + one.openToday : sum), 0n);
      const { receivable, uninvoiced } = custodyFigures(tie);
      const inHands = driver + company + ready + unknown;
      const places = { driver, company, ready, paid, unknown, receivable };
      const units = { owed: closing, overdue, in_hands: inHands, not_invoiced: uninvoiced, ...places };
      const figures = Object.entries(units).map(([name, amount]) => [name, formatUnits(amount)]);
      return { courier, currency, ...(Object.fromEntries(figures) as Record<keyof typeof units, string>) };
    });
  });
  return couriers.flatMap(({ value }) => value);
}
