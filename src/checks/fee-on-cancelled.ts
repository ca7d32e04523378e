import { sql } from 'kysely';
import { ExactDecimal } from '../money/index.ts';
import type { Check } from './check.ts';
import { amounts, finding, say, sayOrder, shown } from './finding.ts';
import { population } from './population.ts';
import { rowPlaces } from './row-place.ts';
import { type StatedRow, statedRows } from './stated-rows.ts';
import { BY_RECORD, unseenRecords } from './uncompared.ts';

export const feeOnCancelled: Check = {
  code: 'fee-on-cancelled',
  severity: 'warning',
  requires: [],
  title: 'No fee is charged for a cancelled order.',
  claim: 'A delivery fee is charged for a cancelled order.',
  async find(context) {
    const rows = await statedRows(context, 'delivery_fee', {
      row: sql`(o.delivery_state = 'CANCELLED')`,
      record: sql`b.delivered_seen_at is null and b.delivery_state = 'CANCELLED'`,
    });
    const placeOf = await rowPlaces(context);
    const { hasOrders } = context.knowledge.book;
    const findings = rows.map((row) => {
      const { number, period, order_id, reference, currency, amount, recordState, wasDelivered } = row;
      const { place, isOwn } = placeOf(row);
      // An order that was delivered before it was cancelled owes its fee.
      const takes = isOwn && (!hasOrders || recordState === 'CANCELLED') && !wasDelivered;
      return finding({
        period,
        invoice_number: number,
        order_id,
        reference_id: reference,
        currency,
        field: 'delivery_fee',
        place,
        ...amounts(new ExactDecimal(0), amount),
        effect: takes ? amount.negated() : null,
        message: `Invoice ${number} charges a fee of ${say(amount, currency)} for ${sayCancelled(row)}, where 0.00 is expected: ask for it back unless your agreement has fees for cancelled orders.`,
      });
    });
    return { findings, compared: (await population(context)).rows, notComparable: [] };
  },
  unseen: unseenRecords,
};

function sayCancelled({ state, recordState, order_id, reference }: StatedRow): string {
  if (state === 'CANCELLED') return `the cancelled ${sayOrder(order_id, reference)}`;
  return `${sayOrder(order_id, reference)}, ${BY_RECORD}${shown(recordState ?? '')}) shows as cancelled`;
}
