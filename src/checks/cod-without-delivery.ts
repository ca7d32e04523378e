import { sql } from 'kysely';
import { ExactDecimal } from '../money/index.ts';
import type { Check } from './check.ts';
import { amounts, finding, say, sayOrder, shown } from './finding.ts';
import { population } from './population.ts';
import { rowPlaces } from './row-place.ts';
import { type StatedRow, statedRows } from './stated-rows.ts';
import { BY_RECORD, unseenRecords } from './uncompared.ts';

export const codWithoutDelivery: Check = {
  code: 'cod-without-delivery',
  severity: 'warning',
  requires: [],
  title: 'COD is credited for delivered orders only.',
  claim: 'COD is credited or taken back for an order that was not delivered.',
  async find(context) {
    const rows = await statedRows(context, 'cod', {
      row: sql`(o.delivery_state <> 'DELIVERED')`,
      record: sql`b.delivered_seen_at is null`,
    });
    const placeOf = await rowPlaces(context);
    const { hasOrders } = context.knowledge.book;
    const findings = rows.map((row) => {
      const { place, isOwn } = placeOf(row);
      // Where the order's record says that it was delivered, the state on the row is at fault and not the money.
      const takes = isOwn && (hasOrders ? row.hasRecord && !row.wasDelivered : !row.wasDelivered);
      return finding({
        period: row.period,
        invoice_number: row.number,
        order_id: row.order_id,
        reference_id: row.reference,
        currency: row.currency,
        field: 'cod',
        place,
        ...amounts(new ExactDecimal(0), row.amount),
        effect: takes ? row.amount : null,
        message: `Invoice ${row.number} ${sayCod(row)} for ${sayOrder(row.order_id, row.reference)}, ${sayState(row)}, where 0.00 is expected: ask the delivery company ${row.amount.isNegative() ? 'why' : 'whether the order was delivered, before it takes the money back'}.`,
      });
    });
    return { findings, compared: (await population(context)).rows, notComparable: [] };
  },
  unseen: unseenRecords,
};

function sayCod({ amount, currency }: StatedRow): string {
  return amount.isNegative()
    ? `takes back ${say(amount.abs(), currency)} of COD (it states ${say(amount, currency)})`
    : `credits ${say(amount, currency)} of COD`;
}

function sayState({ state, wasDelivered, recordState, hasRecord }: StatedRow): string {
  if (state === 'DELIVERED') return `${BY_RECORD}${shown(recordState ?? '')}) never shows as delivered`;
  return `which is ${shown(state)} and not DELIVERED${wasDelivered ? `, though ${hasRecord ? 'its own record' : 'another row'} shows a delivery` : ''}`;
}
