import { dayIn } from '../../base/day.ts';
import { exchangeOf, judgeExchange, parseFraction, type RateFinding, RateTable } from '../../imports/rates.ts';
import { chunks } from '../../ledger/chunks.ts';
import { readDeliveryDays } from '../../ledger/queries/orders/records.ts';
import type { CheckContext } from '../check.ts';
import type { Cod } from './billed-orders.ts';
import { firstInvoices } from './first-invoices.ts';
import { type CodApart, compareCods } from './own-cod.ts';
import { readRateLines } from './rate-lines.ts';

/** A delivered order whose COD was collected in another currency than the own book asked for, beside the imported rates. */
export interface ExchangedCod extends CodApart, RateFinding {
  /** The invoice that bills it first; null where none does. */
  readonly invoice_number: number | null;
}

/** An order that is not delivered yet, whose record asks for another currency than the own book, worth the same at today's rate. */
export interface AskedInstead extends CodApart {
  readonly asks: RateFinding['exchange']['asked'];
  readonly has: RateFinding['exchange']['collected'];
}

/** The orders that are not delivered yet and of which either side asks for the same worth in another currency, by order. */
export function askedInstead(context: CheckContext): Promise<ReadonlyMap<string, AskedInstead>> {
  return context.facts.once('asked-instead', async () => {
    const swapped = (await compareCods(context)).apart.flatMap((order) => {
      const exchange = order.wasDelivered ? null : exchangeOf(order.asked, order.collected);
      return exchange === null ? [] : [{ order, exchange }];
    });
    if (swapped.length === 0) return new Map();
    const table = new RateTable(await readRateLines(context.db));
    const tolerance = parseFraction(context.settings.rateTolerance);
    const today = dayIn(context.now, context.settings.timeZone);
    const judged = swapped.map(({ order, exchange }) => ({
      order,
      ...judgeExchange(exchange, today, table, tolerance),
    }));
    return new Map(
      judged
        .filter(({ outcome }) => outcome === 'within')
        .map(({ order, exchange: { asked: asks, collected: has } }) => [order.order_id, { ...order, asks, has }]),
    );
  });
}

/** The orders whose COD was collected in another currency, whatever their rates. */
export function exchangedCods(context: CheckContext): Promise<readonly ExchangedCod[]> {
  return context.facts.once('exchanged-cods', async () => {
    const swapped = (await compareCods(context)).apart.flatMap((order) => {
      const exchange = order.wasDelivered ? exchangeOf(order.asked, order.collected) : null;
      return exchange === null ? [] : [{ order, exchange }];
    });
    if (swapped.length === 0) return [];
    const table = new RateTable(await readRateLines(context.db));
    const tolerance = parseFraction(context.settings.rateTolerance);
    const ids = swapped.map(({ order }) => order.order_id);
    const invoices = await firstInvoices(context, ids);
    const days = await deliveryDays(context, ids);
    return swapped.flatMap(({ order, exchange }) => {
      const invoice = invoices.get(order.order_id);
      // Without the courier's record of the order nobody knows the day of its delivery: the invoice's date counts.
      const day = days.get(order.order_id) ?? (invoice && dayIn(invoice.issued_at, context.settings.timeZone));
      if (day === undefined) return [];
      return [{ ...order, ...judgeExchange(exchange, day, table, tolerance), invoice_number: invoice?.number ?? null }];
    });
  });
}

/** What was collected of the orders that were paid in another currency, worth the same at the imported rate within `rate_tolerance`. */
export async function collectedInstead(context: CheckContext): Promise<ReadonlyMap<string, Cod>> {
  const exchanged = await exchangedCods(context);
  return new Map(
    exchanged.filter(({ outcome }) => outcome === 'within').map(({ order_id, collected }) => [order_id, collected]),
  );
}

/**
 * The linked orders whose COD is not what the own book expects. One that was collected in another currency, worth the same at the imported
 * rate within `rate_tolerance`, is not among them: it is what the book expects.
 */
export function codsApart(context: CheckContext): Promise<readonly CodApart[]> {
  return context.facts.once('cods-apart', async () => {
    const instead = await collectedInstead(context);
    return (await compareCods(context)).apart.filter(({ order_id }) => !instead.has(order_id));
  });
}

async function deliveryDays({ db, settings }: CheckContext, orderIds: readonly string[]): Promise<Map<string, string>> {
  const days = new Map<string, string>();
  for (const page of chunks(orderIds))
    for (const [id, day] of await readDeliveryDays(db, page, settings.timeZone)) days.set(id, day);
  return days;
}
