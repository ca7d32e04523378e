import { dayIn } from '../../base/day.ts';
import {
  exchangeOf,
  judgeExchange,
  parseFraction,
  type RateFinding,
  RateTable,
  sayFraction,
} from '../../imports/rates.ts';
import { inChunks } from '../../ledger/chunks.ts';
import { readDeliveryDays } from '../../ledger/queries/orders/records.ts';
import { formatUnits } from '../../money/units.ts';
import type { CheckContext } from '../check.ts';
import type { OrderNames } from '../finding.ts';
import { type Cod, firstInvoices } from './billed-orders.ts';
import { compareCods, type DifferingCod } from './compared-cods.ts';
import { readRateLines } from './rates.ts';

/**
 * A delivered order whose COD came in another currency than the own book asked for, judged by the imported rates:
 * `within` the tolerance (worth the same), `outside`, or `no-rate`.
 */
export interface ExchangedCod extends DifferingCod, RateFinding {
  /** The first invoice that bills it; null if none does. */
  readonly invoice_number: number | null;
}

/** The COD of an order in the currency that the own book asks for, and in the courier's. */
type Exchange = RateFinding['exchange'];

/** `implied`: how much was collected for one unit of the currency asked for, a plain decimal. */
export type ExchangeWords = OrderNames & { asked: MoneyText; collected: MoneyText; implied: string };

/** The parameters of a sentence about an order whose COD came in another currency. */
export function sayExchange({ order_id: order, courier, exchange }: ExchangedCod): ExchangeWords {
  const [asked, collected] = [sayMoney(exchange.asked), sayMoney(exchange.collected)];
  return { order, reference: courier.reference, asked, collected, implied: sayFraction(exchange.implied) };
}

/** An amount in a sentence. */
export type MoneyText = { amount: string; currency: string };

export function sayMoney({ amount, currency }: Exchange['asked']): MoneyText {
  return { amount: formatUnits(amount), currency };
}

/**
 * The undelivered orders whose COD in the courier's record is in another currency than in the own book and worth the
 * same at today's rate, by order id.
 */
export function undeliveredOfSameWorth(context: CheckContext): Promise<ReadonlyMap<string, Exchange>> {
  return context.facts.once('undelivered-of-same-worth', async () => {
    const swapped = await swappedCods(context, { wasDelivered: false });
    if (swapped.length === 0) return new Map();
    const judge = await exchangeJudge(context);
    const today = dayIn(context.now, context.settings.timeZone);
    return new Map(
      swapped
        .filter(({ exchange }) => judge(exchange, today).outcome === 'within')
        .map(({ order, exchange }) => [order.order_id, exchange]),
    );
  });
}

/** The delivered orders whose COD was collected in another currency, at whatever rate. */
export function exchangedCods(context: CheckContext): Promise<readonly ExchangedCod[]> {
  return context.facts.once('exchanged-cods', async () => {
    const swapped = await swappedCods(context, { wasDelivered: true });
    if (swapped.length === 0) return [];
    const judge = await exchangeJudge(context);
    const ids = swapped.map(({ order }) => order.order_id);
    const invoices = await firstInvoices(context, ids);
    const { timeZone } = context.settings;
    const days = new Map(
      await inChunks(ids, async (chunk) => [...(await readDeliveryDays(context.db, chunk, timeZone))]),
    );
    return swapped.flatMap(({ order, exchange }) => {
      const invoice = invoices.get(order.order_id);
      // Without the courier's record of the order nobody knows the day of its delivery: the invoice's date counts.
      const day = days.get(order.order_id) ?? (invoice && dayIn(invoice.issued_at, timeZone));
      if (day === undefined) return [];
      return [{ ...order, ...judge(exchange, day), invoice_number: invoice?.number ?? null }];
    });
  });
}

/** Makes the function that judges an exchange by the rate that was imported for a day. */
async function exchangeJudge({ db, settings }: CheckContext) {
  const table = new RateTable(await readRateLines(db));
  const tolerance = parseFraction(settings.rateTolerance);
  return (exchange: Exchange, day: string) => judgeExchange(exchange, day, table, tolerance);
}

/**
 * The orders, all delivered or all not, whose COD is in another currency with the courier than in the own book: less of
 * one currency and more of one other.
 */
async function swappedCods(context: CheckContext, { wasDelivered }: Pick<DifferingCod, 'wasDelivered'>) {
  return (await compareCods(context)).differing.flatMap((order) => {
    const exchange = order.wasDelivered === wasDelivered ? exchangeOf(order.asked, order.collected) : null;
    return exchange === null ? [] : [{ order, exchange }];
  });
}

/** The collected COD of orders paid in another currency that is worth the same, within `rate_tolerance`. */
export async function codsOfSameWorth(context: CheckContext): Promise<ReadonlyMap<string, Cod>> {
  const exchanged = await exchangedCods(context);
  return new Map(
    exchanged.filter(({ outcome }) => outcome === 'within').map(({ order_id, collected }) => [order_id, collected]),
  );
}

/**
 * The linked orders whose COD is not what the own book expects. COD that was collected in another currency, and is
 * worth the same within `rate_tolerance`, is what the book expects.
 */
export function differingCods(context: CheckContext): Promise<readonly DifferingCod[]> {
  return context.facts.once('differing-cods', async () => {
    const ofSameWorth = await codsOfSameWorth(context);
    return (await compareCods(context)).differing.filter(({ order_id }) => !ofSameWorth.has(order_id));
  });
}
