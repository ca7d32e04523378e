import type { Units } from '../../money/units.ts';
import type { CheckContext } from '../check.ts';
import { pricedOrders } from '../facts/agreed-fees.ts';
import { billedOrders } from '../facts/billed-orders.ts';
import { cancelledRows } from '../facts/cancelled-fees.ts';
import { codsApart, collectedInstead } from '../facts/exchanges.ts';
import { firstInvoices } from '../facts/first-invoices.ts';
import { bookedCods } from '../facts/own-cod.ts';
import { ourSource } from '../facts/sources.ts';

/** By how much our own side differs from the courier's record of an order, in one currency. */
export interface OwnCorrection {
  readonly order_id: string;
  readonly currency: string;
  readonly cod: Units;
  readonly delivery_fee: Units;
}

/**
 * What our figure of a month takes from our own side instead of the courier's records: the own book's COD of delivered orders, and the
 * agreed fees of orders that the rate card covers, cancelled ones among them; each order in the month of its first live invoice. Where
 * there are no records, our figure is the sum of these alone.
 */
export async function ownCorrections(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  const cancelled = await cancellationFees(context, period);
  if (ourSource(context.sources) === 'own-book') return [...(await ownAmounts(context, period)), ...cancelled];
  return [...(await bookedCodsApart(context, period)), ...(await agreedFeesApart(context, period)), ...cancelled];
}

async function bookedCodsApart(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  if (!context.sources.imported.has('orders')) return [];
  const apart = (await codsApart(context)).filter(({ wasDelivered }) => wasDelivered);
  const ids = apart.map(({ order_id }) => order_id);
  const first = await firstInvoices(context, ids);
  return apart
    .filter(({ order_id }) => first.get(order_id)?.period === period)
    .flatMap(({ order_id, expected, actual }) =>
      [...expected].map(([currency, asked]) => ({
        order_id,
        currency,
        cod: asked - actual.get(currency)!,
        delivery_fee: 0n,
      })),
    );
}

async function agreedFeesApart(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  if (!context.sources.imported.has('tariff')) return [];
  const { apart } = await pricedOrders(context);
  return apart
    .filter((order) => order.period === period)
    .flatMap(({ order_id, differences }) =>
      differences.map(({ currency, agreed, charged }) => ({
        order_id,
        currency,
        cod: 0n,
        delivery_fee: agreed - charged,
      })),
    );
}

/** What was agreed for cancelled orders, whose records count for nothing. */
async function cancellationFees(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  if (!context.sources.imported.has('tariff')) return [];
  return (await cancelledRows(context))
    .filter((row) => row.period === period && row.counts)
    .flatMap(({ order_id, agreed }) =>
      [...(agreed ?? [])].map(([currency, delivery_fee]) => ({ order_id, currency, cod: 0n, delivery_fee })),
    );
}

/**
 * What the own book and the rate card alone say of a month's orders: the COD of what an invoice calls delivered, and the agreed fee of
 * what is not called off. Of an order that the own book does not hold, nothing.
 */
async function ownAmounts(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  const booked = await bookedCods(context);
  const instead = context.sources.imported.has('orders') ? await collectedInstead(context) : new Map<string, never>();
  const { agreed } = context.sources.imported.has('tariff') ? await pricedOrders(context) : { agreed: null };
  const amounts: OwnCorrection[] = [];
  for (const { order_id, isLive, wasDelivered, ...billed } of (await billedOrders(context)).values()) {
    if (!isLive || billed.period !== period) continue;
    for (const [currency, cod] of (wasDelivered && (instead.get(order_id) ?? booked(order_id))) || []) {
      if (cod !== 0n) amounts.push({ order_id, currency, cod, delivery_fee: 0n });
    }
    for (const [currency, delivery_fee] of agreed?.get(order_id) ?? []) {
      if (delivery_fee !== 0n) amounts.push({ order_id, currency, cod: 0n, delivery_fee });
    }
  }
  return amounts;
}
