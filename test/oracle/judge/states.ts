import type { KnownOrder } from '../history/orders.ts';
import type { Ledger } from './ledger.ts';
import { inPeriod } from './orders.ts';
import type { Sheet } from './sheet.ts';

const WAY = [
  'CREATED PICKUP_REQUESTED PICKUP_ASSIGNED SCANNED_FOR_PICKUP PICKED_UP AT_WAREHOUSE DELIVERY_ASSIGNED',
  'SCANNED_FOR_DELIVERY PICKED_UP_FOR_DELIVERY IN_TRANSIT DELIVERED',
].flatMap((line) => line.split(' '));
const PAYMENT = 'UNPAID PENDING_PAYMENT_BY_DRIVER PAID_BY_DRIVER PENDING_PAYMENT_TO_MERCHANT PAID_TO_MERCHANT'.split(
  ' ',
);

/** `state-regressed`: rule 36. */
export function judgeStates(ledger: Ledger, { order_id, records }: KnownOrder, sheet: Sheet): void {
  for (const [field, way] of [
    ['delivery_state', WAY],
    ['payment_state', PAYMENT],
  ] as const) {
    const ranks = records.map(({ document }) => way.indexOf(document[field]));
    const now = ranks.at(-1);
    if (now === undefined || ranks.every((rank) => rank === now)) continue;
    const base = { code: 'state-regressed', severity: 'warning' as const, order_id, field, effect: null };
    if (ranks.includes(-1)) sheet.add({ ...base, times: 'may' });
    else if (now < Math.max(...ranks) && isAnotherTry(field, now, Math.max(...ranks)))
      sheet.add({ ...base, times: 'may' });
    else if (now < Math.max(...ranks)) sheet.add({ ...base, times: 'one', ...inPeriod(ledger, order_id) });
  }
}

/** A parcel goes back to the warehouse after each failed attempt. */
const isAnotherTry = (field: string, now: number, furthest: number): boolean =>
  field === 'delivery_state' && now >= WAY.indexOf('AT_WAREHOUSE') && furthest <= WAY.indexOf('IN_TRANSIT');
