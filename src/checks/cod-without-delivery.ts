import { sql } from 'kysely';
import type { Check } from './check.ts';
import { say, sayOrder, shown } from './finding.ts';
import { findRowAmounts } from './row-amounts.ts';

export const codWithoutDelivery: Check = {
  code: 'cod-without-delivery',
  severity: 'warning',
  needs: 'invoices',
  title: 'COD is credited for delivered orders only.',
  find(context) {
    return findRowAmounts(
      context,
      'cod',
      sql`o.delivery_state <> 'DELIVERED'`,
      ({ number, amount, currency, order_id, reference, state }) =>
        `Invoice ${number} credits ${say(amount, currency)} of COD for ${sayOrder(order_id, reference)}, which is ${shown(state)} and not DELIVERED, where 0.00 is expected: ask the delivery company whether the order was delivered, before it takes the money back.`,
    );
  },
};
