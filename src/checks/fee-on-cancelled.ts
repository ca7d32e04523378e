import { sql } from 'kysely';
import type { Check } from './check.ts';
import { say, sayOrder } from './finding.ts';
import { findRowAmounts } from './row-amounts.ts';

export const feeOnCancelled: Check = {
  code: 'fee-on-cancelled',
  severity: 'warning',
  needs: 'invoices',
  title: 'No fee is charged for a cancelled order.',
  find(context) {
    return findRowAmounts(
      context,
      'delivery_fee',
      sql`o.delivery_state = 'CANCELLED'`,
      ({ number, amount, currency, order_id, reference }) =>
        `Invoice ${number} charges a fee of ${say(amount, currency)} for the cancelled ${sayOrder(order_id, reference)}, where 0.00 is expected: ask for it back unless your agreement has fees for cancelled orders.`,
    );
  },
};
