import { readBilledFees } from '../../ledger/queries/rows/of-orders.ts';
import { amountOfUnits, type Units } from '../../money/units.ts';
import type { CheckContext } from '../check.ts';
import { type NoFeeSentence, pricedOrders } from '../facts/agreed-fees.ts';
import { type BilledSide, billedOrders, isCalledOff } from '../facts/billed-orders.ts';
import { bookedCods } from '../facts/own-cod.ts';
import { orderWorth } from '../facts/returns/standing.ts';
import type { RowNotCompared } from '../facts/uncompared.ts';
import { netWorth } from '../finding.ts';
import type { Lacking } from '../remedy.ts';
import { tariff } from '../requirement.ts';

/** Which of an order's amounts our own side leaves open, and why. */
interface Open {
  readonly cod: boolean;
  readonly fee: boolean;
  /** What of the fee was compared, by currency. */
  readonly covered: ReadonlyMap<string, Units> | undefined;
  readonly lacking: Lacking;
}

/**
 * What the own book alone leaves open on the way from the courier's figure to ours, after `cod-without-delivery` and `fee-on-cancelled`
 * took theirs: COD of orders that it does not hold, and fees for which no price was agreed.
 */
export async function unbookedMoney(context: CheckContext): Promise<RowNotCompared[]> {
  const billed = await billedOrders(context);
  const openOf = await openAmounts(context);
  const worthOf = await orderWorth(context);
  const lines = await readBilledFees(context.db, context.periods);
  return lines.flatMap(({ order_id, number, position, period, currency, ...line }) => {
    const order = billed.get(order_id)!;
    if (currency === null || order.number !== number || order.position !== position) return [];
    const { lacking, covered, ...open } = openOf(order);
    const counts = worthOf(order_id)?.delivery_fee !== 0;
    const fees = open.fee && counts ? BigInt(line.fee ?? 0) - (covered?.get(currency) ?? 0n) : 0n;
    const [cod, fee] = [open.cod ? BigInt(line.cod ?? 0) : 0n, fees].map(amountOfUnits);
    if (cod!.isZero() && fee!.isZero()) return [];
    const effect = netWorth({ cod: cod!, delivery_fee: fee! }, worthOf(order_id));
    return { row: `${number} ${position}`, period, currency, effect, amount: cod!.abs().plus(fee!.abs()), lacking };
  });
}

async function openAmounts(context: CheckContext) {
  const booked = await bookedCods(context);
  const { agreed, covered, apart } = context.sources.imported.has('tariff')
    ? await pricedOrders(context)
    : { agreed: null, covered: null, apart: [] };
  const unpriced = new Set(apart.filter(({ fee }) => fee.kind !== 'agreed').map(({ order_id }) => order_id));
  const lackingOf = ({ order_id }: Pick<BilledSide, 'order_id'>): Lacking => {
    if (booked(order_id) === undefined) return lacks('own-book-lacks-order-or-has-several', 'remit import orders FILE');
    if (agreed === null) return tariff.unmet(context.sources)!;
    if (unpriced.has(order_id)) return lacks('no-price-agreed', 'remit import tariff FILE');
    return lacks('price-needs-order-book');
  };
  return (order: Pick<BilledSide, 'order_id' | 'state' | 'wasDelivered'>): Open => ({
    cod: order.wasDelivered && booked(order.order_id) === undefined,
    fee: !isCalledOff(order),
    covered: covered?.get(order.order_id),
    lacking: lackingOf(order),
  });
}

function lacks(id: NoFeeSentence['id'], ...commands: string[]): Lacking {
  return { why: { id } satisfies NoFeeSentence, commands };
}
