import { PaperBooks } from './books.ts';

/** The months that are synced and checked; both are over by then. */
export const MONTHS = ['2026-10', '2026-11'];

/** When the first sync is made; each further one is a day later. */
export const FIRST_NIGHT = new Date('2026-12-02T02:00:00Z');

/** When the checks are run. */
export const CHECKED_AT = new Date('2026-12-08T08:00:00Z');

/**
 * Two months of business in which everything agrees: paid and unpaid invoices in two currencies, an order that came back, one that was
 * cancelled, one on its way, and three that were delivered and wait for their invoice.
 */
export function cleanBooks(): PaperBooks {
  const books = new PaperBooks();
  books.place('A1', '2026-10-05');
  books.place('A2', '2026-10-06', { USD: ['40.50', '3.25'], LBP: ['900000', '50000'] });
  books.place('A3', '2026-10-07');
  books.bill(1001, '2026-10-20', ['A1', 'A2', 'A3']);
  books.place('B1', '2026-11-03');
  books.place('B2', '2026-11-04', { LBP: ['450000', '50000'] });
  books.place('B3', null, { USD: ['0.00', '0.00'] }).delivery_state = 'CANCELLED';
  books.bill(1002, '2026-11-20', ['B1', 'B2', 'B3']);
  books.place('B4', '2026-11-10');
  books.place('B5', '2026-11-11');
  books.bill(1003, '2026-11-24', ['B4', 'B5'], 'PENDING_PAYMENT');
  // Delivered so late that nobody misses them on an invoice yet.
  books.place('C1', '2026-11-27');
  books.place('C2', '2026-11-28');
  books.place('C3', '2026-11-28', { USD: ['10.00', '2.50'], LBP: ['180000', '20000'] });
  books.place('D1', null);
  return books;
}
