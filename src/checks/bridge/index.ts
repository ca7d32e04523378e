import { groupBy } from '../../base/group.ts';
import { chunks } from '../../ledger/chunks.ts';
import { sumStatedNets } from '../../ledger/queries/invoices/headers.ts';
import { type Due, sumRecordsOf, sumRecordsOfMonth } from '../../ledger/queries/orders/record-sums.ts';
import { type ExactDecimal, formatAmount, ZERO } from '../../money/decimal.ts';
import { netUnits, type RowUnits } from '../../money/returns.ts';
import { Totals } from '../../money/sum.ts';
import type { Check, CheckContext, Finding } from '../check.ts';
import { pricedOrders } from '../facts/agreed-fees.ts';
import { billedOrders, billedTwice, firstInvoices, isCalledOff, withheldTaxes } from '../facts/billed-orders.ts';
import { cancelledRows } from '../facts/cancelled-fees.ts';
import { bookedCods } from '../facts/compared-cods.ts';
import { codsOfSameWorth, differingCods } from '../facts/exchanges.ts';
import { orderSigns, returnsOf } from '../facts/returns/convention.ts';
import { ourSource } from '../facts/sources.ts';
import { NOT_COMPARED, notComparedRows } from './not-compared.ts';

/** The effects of the findings of one check together, in one month and currency. */
export type BridgeStep = { readonly code: string; readonly count: number; readonly effect: string };

/**
 * The steps from the courier's figure to ours, in one month and currency. Amounts are decimal text. For example 90.00
 * by the courier and 100.00 by us, with a step of -10.00 for a fee that is 10.00 too high, leave 0.00 unexplained.
 */
export interface Bridge {
  readonly period: string;
  readonly currency: string;
  /** The nets that the month's invoices state. */
  readonly courier: string;
  /**
   * The net by the courier's records of the orders, corrected by your own files where you imported them; without
   * records, by your own files alone (`ownCorrections`). Null without either, or if nobody knows how returns count.
   */
  readonly ours: string | null;
  readonly steps: readonly BridgeStep[];
  /** `courier - ours - steps`: `0.00` if every difference is found; null if `ours` is. */
  readonly unexplained: string | null;
  /** Money outside the month's invoices, never netted with the steps. */
  readonly outside: readonly BridgeStep[];
  /** The effects, steps and outside together, of the findings that a person resolved: no part of `short`. */
  readonly resolved: string;
  /** What you are short (negative) or ahead: the effects, steps and outside together, of the other findings. */
  readonly short: string;
}

/** The part of a finding that the bridge is built from. */
export interface BridgeFinding extends Pick<Finding, 'currency' | 'parts'> {
  readonly code: string;
  /** Whether a person resolved it: it stays a step, and is no part of `short`. */
  readonly isResolved: boolean;
}

/** Builds a bridge for each month and currency. */
export async function buildBridge(
  context: CheckContext,
  checks: readonly Pick<Check, 'code' | 'outsideInvoices'>[],
  findings: readonly BridgeFinding[],
): Promise<Bridge[]> {
  const outsideCodes = new Set(checks.filter((check) => check.outsideInvoices).map(({ code }) => code));
  const hasRecords = ourSource(context.sources) !== null;
  // Invoices with RETURN orders, while nobody knows how the courier counts those.
  const undecidedInvoices = (await returnsOf(context)).uncompared.filter(({ vanished_at }) => vanished_at === null);
  const undecidedMonths = new Set(undecidedInvoices.map(({ period }) => period));
  const rowsNotCompared = await notComparedRows(context);
  const bridges: Bridge[] = [];
  for (const period of context.periods) {
    const courier = totalsOf(await sumStatedNets(context.db, period));
    const isKnown = hasRecords && !undecidedMonths.has(period);
    const ours = isKnown ? await ourFigure(context, period) : new Totals();
    const { steps, outside, resolved, short } = sumEffects(findings, period, outsideCodes);
    // A step, and part of neither `resolved` nor `short`: nobody found that it is wrong.
    for (const { currency, effect } of rowsNotCompared.filter((row) => row.period === period)) {
      steps.push({ code: NOT_COMPARED, currency, effect });
    }
    const ofEffects = [...steps, ...outside].map(({ currency }) => currency);
    for (const currency of [...new Set([...courier.currencies(), ...ours.currencies(), ...ofEffects])].sort()) {
      const difference = courier.of(currency).minus(ours.of(currency));
      const unexplained = difference.minus(sumOf(steps.filter((step) => step.currency === currency)));
      bridges.push({
        period,
        currency,
        courier: formatAmount(courier.of(currency)),
        ours: isKnown ? formatAmount(ours.of(currency)) : null,
        steps: stepsIn(currency, steps),
        unexplained: isKnown ? formatAmount(unexplained) : null,
        outside: stepsIn(currency, outside),
        resolved: formatAmount(resolved.of(currency)),
        short: formatAmount(short.of(currency)),
      });
    }
  }
  return bridges;
}

/** Adds up the findings' effects in one month. @param outsideCodes the checks whose effects are outside its invoices */
function sumEffects(findings: readonly BridgeFinding[], period: string, outsideCodes: ReadonlySet<string>) {
  const steps: Effect[] = [];
  const outside: Effect[] = [];
  const [resolved, short] = [new Totals(), new Totals()];
  for (const { code, currency, parts, isResolved } of findings) {
    for (const { period: month, effect } of parts) {
      if (month !== period || currency === null) continue;
      (outsideCodes.has(code) ? outside : steps).push({ code, currency, effect });
      (isResolved ? resolved : short).add(currency, effect);
    }
  }
  return { steps, outside, resolved, short };
}

type Effect = { readonly code: string; readonly currency: string; readonly effect: ExactDecimal };

function sumOf(effects: readonly Effect[]): ExactDecimal {
  return effects.reduce((sum, { effect }) => sum.plus(effect), ZERO);
}

/** The effects in one currency as steps, one step per code. */
function stepsIn(currency: string, effects: readonly Effect[]): BridgeStep[] {
  const inCurrency = effects.filter((each) => each.currency === currency);
  return [...groupBy(inCurrency, ({ code }) => code)]
    .sort(([a], [b]) => placeInBridge(a) - placeInBridge(b))
    .map(([code, alike]) => ({ code, count: alike.length, effect: formatAmount(sumOf(alike)) }));
}

/**
 * The net by our records of the orders, by currency: each order counts once, in the month of the first live invoice
 * that lists it. A delivered order counts with its COD less its fee, a cancelled one with an agreed fee alone. The
 * bridge compares two independent sides: no amount of an invoice is read here. The one exception are withheld taxes if
 * there are no records: nothing else states them.
 */
async function ourFigure(context: CheckContext, period: string): Promise<Totals> {
  const { signs } = await returnsOf(context);
  const signsOfOrder = await orderSigns(context);
  const dues = await sumRecordsOfMonth(context.db, period, signs);
  // That sum has all orders on the month's invoices: those that count in another month are taken off again.
  for (const chunk of chunks(await ordersOfEarlierMonths(context, period))) {
    for (const { currency, net } of await sumRecordsOf(context.db, chunk, signs)) dues.push({ currency, net: -net });
  }
  for (const { order_id, currency, ...units } of await ownCorrections(context, period)) {
    // Null for a return that nobody knows how to count.
    const rowSigns = signsOfOrder(order_id);
    if (rowSigns) dues.push({ currency, net: netUnits(units, rowSigns) });
  }
  return totalsOf(dues);
}

/** The orders on a month's live invoices that count in another month, whose invoice listed them first. */
async function ordersOfEarlierMonths(context: CheckContext, period: string): Promise<string[]> {
  const orders = [...(await billedTwice(context)).values()];
  return orders
    .filter(({ live }) => live.some(([row]) => row.period === period) && live[0]![0].period !== period)
    .map(({ order_id }) => order_id);
}

/** What is added to an order's record to make our figure, in one currency. Without a record it is our figure. */
interface OwnCorrection extends RowUnits {
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
 * A month's orders by the own book and the rate card alone: the COD of orders that an invoice calls delivered, and the
 * agreed fees and withheld taxes of orders that are not called off (cancelled, and never delivered). Taxes count as
 * stated, because no price says them. An order that the own book lacks adds nothing.
 */
async function ownAmounts(context: CheckContext, period: string): Promise<OwnCorrection[]> {
  const { imported } = context.sources;
  const bookedCodOf = await bookedCods(context);
  // Where the customer paid in another currency at the imported rate, the amount in that currency counts.
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

function totalsOf(dues: readonly Due[]): Totals {
  const totals = new Totals();
  for (const { currency, net } of dues) totals.add(currency, net);
  return totals;
}

/** The order of the steps, from the invoice's stated net down to the order's record; other codes follow. */
const STEP_ORDER = [
  'invoice-net',
  'invoice-cod-total',
  'invoice-fee-total',
  'order-repeated',
  'order-on-two-invoices',
  'order-unknown',
  'cod-without-delivery',
  'fee-on-cancelled',
  NOT_COMPARED,
  'order-amount-differs',
  'order-restated',
  'book-cod-differs',
  'fee-off-tariff',
];

export function placeInBridge(code: string): number {
  return STEP_ORDER.includes(code) ? STEP_ORDER.indexOf(code) : STEP_ORDER.length;
}
