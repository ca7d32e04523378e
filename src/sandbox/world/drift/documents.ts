import { dateText } from '../../calendar.ts';
import { planted } from '../planted.ts';
import { dayOfMade, makeInvoice, makeOrder } from '../plants/made.ts';
import { type Drift, need } from './drift.ts';

/** Answers that can no longer be read, or no longer be trusted to be all there is. */
export const DOCUMENT_DRIFT: readonly Drift[] = [
  {
    code: 'document-malformed',
    prepare(targets) {
      const day = dayOfMade(targets);
      const order = makeOrder(targets, { name: 'malformed', day, outcome: 'delivered', cod: 290_000n });
      return { invoice: makeInvoice(targets, [order], { day, paid: true }) };
    },
    strike(store, { invoice }) {
      // The list says something new too, so that a reader who fetches what has changed fetches it.
      store.run(
        `update invoice set malformed = 1, list_status_display = 'Paid (under review)' where number = ?`,
        need(invoice),
      );
      return [planted('document-malformed', { invoice_number: need(invoice) })];
    },
  },
  {
    // The first month, where no other change strikes: a list that is not all there proves nothing gone.
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
