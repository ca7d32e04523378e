import type { RowUnits } from '../../money/returns.ts';
import type { CheckContext } from '../check.ts';
import { pricedOrders } from '../facts/agreed-fees.ts';
import { billedOrders, firstInvoices, isCalledOff, withheldTaxes } from '../facts/billed-orders.ts';
import { cancelledRows } from '../facts/cancelled-fees.ts';
import { bookedCods } from '../facts/compared-cods.ts';
import { codsOfSameWorth, differingCods } from '../facts/exchanges.ts';
import { ourSource } from '../facts/sources.ts';

/** What is added to an order's record to make our figure, in one currency. Without a record it is our figure. */
export interface OwnCorrection extends RowUnits {
  readonly order_id: string;
  readonly currency: string;
}

/**
 * Our figure of a month goes by the merchant's own files before the courier's records: the own order book says the COD
 * of delivered orders, the rate card the fees that it covers, also of cancelled orders. These are the differences, each
 * order in the month of its first live invoice. Without the courier's records our figure is their sum.
 */
export async function ownCorrections(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  const cancelled = await agreedCancellationFees(context, period);
  if (ourSource(context.sources) === 'own-book') return [...(await ownAmounts(context, period)), ...cancelled];
  return [...(await codCorrections(context, period)), ...(await feeCorrections(context, period)), ...cancelled];
}

/** The COD in the own book less the COD in the record, of delivered orders. */
async function codCorrections(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  if (!context.sources.imported.has('orders')) return [];
  const delivered = (await differingCods(context)).filter(({ wasDelivered }) => wasDelivered);
  const orderIds = delivered.map(({ order_id }) => order_id);
  const firstInvoice = await firstInvoices(context, orderIds);
  return delivered
    .filter(({ order_id }) => firstInvoice.get(order_id)?.period === period)
    .flatMap(({ order_id, differences }) =>
      differences.map(({ currency, expected, actual }) => {
        return { order_id, currency, cod: expected - actual, delivery_fee: 0n };
      }),
    );
}

/** The agreed fee less the charged fee. */
async function feeCorrections(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  if (!context.sources.imported.has('tariff')) return [];
  return (await pricedOrders(context)).differing
    .filter((order) => order.period === period)
    .flatMap(({ order_id, differences }) =>
      differences.map(({ currency, agreed, charged }) => {
        return { order_id, currency, cod: 0n, delivery_fee: agreed - charged };
      }),
    );
}

/** The agreed fees of cancelled orders, whose records count for nothing. */
async function agreedCancellationFees(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  if (!context.sources.imported.has('tariff')) return [];
  return (await cancelledRows(context))
    .filter((row) => row.period === period && row.isInOurFigure)
    .flatMap(({ order_id, agreed }) =>
      [...(agreed ?? [])].map(([currency, delivery_fee]) => ({ order_id, currency, cod: 0n, delivery_fee })),
    );
}

/**
 * A month's orders by the own book and the rate card alone: the COD of orders that an invoice calls delivered, and of
 * those that are not called off the agreed fees and the taxes withheld, which no price can say: they count as stated.
 * An order that the own book lacks adds nothing.
 */
async function ownAmounts(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  const { imported } = context.sources;
  const bookedCodOf = await bookedCods(context);
  // Where the customer paid in another currency at the imported rate, that is what counts.
  const codsInOtherCurrency = imported.has('orders') ? await codsOfSameWorth(context) : null;
  const { agreed } = imported.has('tariff') ? await pricedOrders(context) : { agreed: null };
  const taxesOf = await withheldTaxes(context);
  const amounts: OwnCorrection[] = [];
  for (const billed of (await billedOrders(context)).values()) {
    const { order_id, isLive, wasDelivered } = billed;
    if (!isLive || billed.period !== period) continue;
    const booked = bookedCodOf(order_id);
    const cods = wasDelivered ? (codsInOtherCurrency?.get(order_id) ?? booked) : undefined;
    for (const [currency, cod] of cods ?? []) {
      if (cod !== 0n) amounts.push({ order_id, currency, cod, delivery_fee: 0n });
    }
    const taxes = booked === undefined || isCalledOff(billed) ? [] : taxesOf(billed);
    for (const [currency, delivery_fee] of [...(agreed?.get(order_id) ?? []), ...taxes]) {
      if (delivery_fee !== 0n) amounts.push({ order_id, currency, cod: 0n, delivery_fee });
    }
  }
  return amounts;
}
