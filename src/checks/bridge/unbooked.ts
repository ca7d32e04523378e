import { readBilledFees } from '../../ledger/queries/rows/billed-rows.ts';
import { amountOfUnits, type Units } from '../../money/units.ts';
import type { CheckContext } from '../check.ts';
import { type NoFeeSentence, pricedOrders } from '../facts/agreed-fees.ts';
import { type BilledOrder, billedOrders, isCalledOff } from '../facts/billed-orders.ts';
import { bookedCods } from '../facts/compared-cods.ts';
import { countsFee, orderWorth } from '../facts/returns/convention.ts';
import type { RowNotCompared } from '../facts/uncompared.ts';
import { netWorth } from '../finding.ts';
import type { Lacking } from '../remedy.ts';
import { tariff } from '../requirement.ts';

/** Which of an order's amounts the own book and the rate card do not decide, and why. */
interface UndecidedAmounts {
  readonly cod: boolean;
  readonly fee: boolean;
  /** The part of the fee that was compared, by currency. */
  readonly covered: ReadonlyMap<string, Units> | undefined;
  readonly lacking: Lacking;
}

/**
 * The money of invoices' rows that neither the own book nor the rate card decides, if there is no order book of the
 * courier's: COD of orders that the own book lacks, and fees without an agreed price. COD of undelivered orders and
 * fees of cancelled ones are left to `cod-without-delivery` and `fee-on-cancelled`.
 */
export async function unbookedMoney(context: CheckContext): Promise<RowNotCompared[]> {
  const billed = await billedOrders(context);
  const undecidedOf = await undecidedAmounts(context);
  const worthOfOrder = await orderWorth(context);
  const lines = await readBilledFees(context.db, context.periods);
  return lines.flatMap(({ order_id, number, position, period, currency, ...line }) => {
    const order = billed.get(order_id)!;
    if (currency === null || order.number !== number || order.position !== position) return [];
    const { lacking, covered, ...undecided } = undecidedOf(order);
    const worth = worthOfOrder(order_id);
    const uncoveredFee = BigInt(line.fee ?? 0) - (covered?.get(currency) ?? 0n);
    const cod = amountOfUnits(undecided.cod ? BigInt(line.cod ?? 0) : 0n);
    const fee = amountOfUnits(undecided.fee && countsFee(worth) ? uncoveredFee : 0n);
    if (cod.isZero() && fee.isZero()) return [];
    const effect = netWorth({ cod, delivery_fee: fee }, worth);
    return { row: `${number} ${position}`, period, currency, effect, amount: cod.abs().plus(fee.abs()), lacking };
  });
}

async function undecidedAmounts(context: CheckContext) {
  const bookedCodOf = await bookedCods(context);
  const { agreed, covered, differing } = context.sources.imported.has('tariff')
    ? await pricedOrders(context)
    : { agreed: null, covered: null, differing: [] };
  const unpriced = new Set(differing.filter(({ fee }) => fee.kind !== 'agreed').map(({ order_id }) => order_id));
  const lackingOf = ({ order_id }: Pick<BilledOrder, 'order_id'>): Lacking => {
    if (bookedCodOf(order_id) === undefined)
      return lacks('own-book-lacks-order-or-has-several', 'remit import orders FILE');
    if (agreed === null) return tariff.unmet(context.sources)!;
    if (unpriced.has(order_id)) return lacks('no-price-agreed', 'remit import tariff FILE');
    return lacks('price-needs-order-book');
  };
  return (order: Pick<BilledOrder, 'order_id' | 'state' | 'wasDelivered'>): UndecidedAmounts => ({
    cod: order.wasDelivered && bookedCodOf(order.order_id) === undefined,
    fee: !isCalledOff(order),
    covered: covered?.get(order.order_id),
    lacking: lackingOf(order),
  });
}

function lacks(id: NoFeeSentence['id'], ...commands: string[]): Lacking {
  return { why: { id } satisfies NoFeeSentence, commands };
}
