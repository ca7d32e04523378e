import type { Units } from '../../money/index.ts';
import { pricedOrders } from '../agreed-fees.ts';
import { billedOrders } from '../billed-orders.ts';
import type { CheckContext } from '../check.ts';
import { firstInvoices } from '../first-invoices.ts';
import { ourSource } from '../knowledge.ts';
import { bookedCods, codsApart } from '../own-cod.ts';

/** What our own side says otherwise than the courier's record of an order, in one currency: added to the record's amounts. */
export interface OwnCorrection {
  readonly order_id: string;
  readonly currency: string;
  readonly cod: Units;
  readonly delivery_fee: Units;
}

/**
 * What makes our figure of a month more than the courier's records: the own book's COD of delivered orders, and the agreed fees of those
 * that the rate card covers; each order in the month of its first live invoice. At most one of COD and fee is not zero in each. Where
 * there are no records, our figure is nothing else.
 */
export async function ownCorrections(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  if (ourSource(context.knowledge) === 'own-book') return ownAmounts(context, period);
  const { imported } = context.knowledge;
  const corrections: OwnCorrection[] = [];
  if (imported.has('orders')) {
    const apart = (await codsApart(context)).filter(({ wasDelivered }) => wasDelivered);
    const first = await firstInvoices(
      context,
      apart.map(({ order_id }) => order_id),
    );
    for (const { order_id, expected, actual } of apart.filter((each) => first.get(each.order_id)?.period === period)) {
      for (const [currency, asked] of expected) {
        corrections.push({ order_id, currency, cod: asked - actual.get(currency)!, delivery_fee: 0n });
      }
    }
  }
  if (imported.has('tariff')) {
    const { apart } = await pricedOrders(context);
    for (const { order_id, differences } of apart.filter((each) => each.period === period)) {
      for (const { currency, agreed, charged } of differences) {
        corrections.push({ order_id, currency, cod: 0n, delivery_fee: agreed - charged });
      }
    }
  }
  return corrections;
}

/**
 * What the own book and the rate card alone say of a month's orders: the COD of what an invoice calls delivered, and the agreed fee of
 * what is not called off. Of an order that the own book does not hold, nothing.
 */
async function ownAmounts(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  const booked = await bookedCods(context);
  const { agreed } = context.knowledge.imported.has('tariff') ? await pricedOrders(context) : { agreed: null };
  const amounts: OwnCorrection[] = [];
  for (const { order_id, isLive, wasDelivered, ...billed } of (await billedOrders(context)).values()) {
    if (!isLive || billed.period !== period) continue;
    for (const [currency, cod] of (wasDelivered && booked(order_id)) || []) {
      if (cod !== 0n) amounts.push({ order_id, currency, cod, delivery_fee: 0n });
    }
    for (const [currency, delivery_fee] of agreed?.get(order_id) ?? []) {
      if (delivery_fee !== 0n) amounts.push({ order_id, currency, cod: 0n, delivery_fee });
    }
  }
  return amounts;
}
