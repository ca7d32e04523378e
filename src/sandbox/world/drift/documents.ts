import { dateText } from '../../calendar.ts';
import { planted } from '../planted.ts';
import { dayOfMade, makeInvoice, makeOrder } from '../plants/made.ts';
import { type Drift, need } from './drift.ts';

/** A document that can no longer be read, and a list that is no longer complete. */
export const DOCUMENT_DRIFT: readonly Drift[] = [
  {
    code: 'document-malformed',
    prepare(targets) {
      const day = dayOfMade(targets);
      const order = makeOrder(targets, { name: 'malformed', day, outcome: 'delivered', cod: 290_000n });
      return { invoice: makeInvoice(targets, [order], { day, paid: true }) };
    },
    strike(store, { invoice }) {
      // The list changes too, so that a sync which fetches only what changed fetches the invoice.
      store.run(
        `update invoice set malformed = 1, list_status_display = 'Paid (under review)' where number = ?`,
        need(invoice),
      );
      return [planted('document-malformed', { invoice_number: need(invoice) })];
    },
  },
  {
    // The first month, in which no other drift is planted: an incomplete list cannot show that an invoice vanished.
    code: 'listing-incomplete',
    prepare: ({ frame }) => ({ month: dateText(frame.start).slice(0, 7) }),
    strike(store, { month }) {
      store.run(
        'insert into listing_lie (merchant_id, month, surplus) values ((select min(id) from merchant), ?, 1)',
        need(month),
      );
      return [planted('listing-incomplete', { period: need(month) })];
    },
  },
];
