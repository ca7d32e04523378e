import { groupBy } from '../../base/group.ts';
import { isDelivered } from '../../base/states.ts';
import { inChunks } from '../../ledger/chunks.ts';
import { readBilledFees } from '../../ledger/queries/rows/billed-rows.ts';
import {
  type RowMoneyBesideRecord,
  readRecordMoney,
  readRowMoney,
  readUnstatedFees,
} from '../../ledger/queries/rows/money.ts';
import type { UncomparedRow } from '../../ledger/queries/rows/row-differences.ts';
import type { ExactDecimal } from '../../money/decimal.ts';
import type { RowSigns } from '../../money/returns.ts';
import { amountOfUnits } from '../../money/units.ts';
import type { CheckContext, UncomparedSentence } from '../check.ts';
import { orderFactsLacking, pricedOrders } from '../facts/agreed-fees.ts';
import {
  billedOrders,
  isCalledOff,
  moneyOfLines,
  type RowMoney,
  rowKey,
  rowPlaces,
  withheldTaxes,
} from '../facts/billed-orders.ts';
import { bookedCods } from '../facts/compared-cods.ts';
import { countsFee, orderSigns } from '../facts/returns/convention.ts';
import { ourSource } from '../facts/sources.ts';
import { uncomparedRows, WHY_UNCOMPARED } from '../facts/stated-rows.ts';
import { amountOf, type NetAmounts, NO_AMOUNTS, netAmount } from '../finding.ts';
import { type Lacking, tariff, type UnmetSentence } from '../requirement.ts';

/** The money of an invoice's row, in one currency, that could not be compared with our records. */
interface UncomparedAmount {
  /** The row, by invoice and position. */
  readonly row: string;
  readonly period: string;
  readonly currency: string;
  /** Its part of the bridge's step, from the courier's figure to ours. */
  readonly effect: ExactDecimal;
  /** Its COD and its fee added up, without their signs. */
  readonly amount: ExactDecimal;
  readonly lacking: Lacking<UncomparedSentence | UnmetSentence>;
}

/** The step's name in the bridge. There is no check with this code. */
export const NOT_COMPARED = 'not-compared';

/**
 * The money of invoices' rows that could not be compared with our records (the courier's order book, or else the own
 * book and the rate card): the bridge has a step for it.
 */
export function notComparedRows(context: CheckContext): Promise<readonly UncomparedAmount[]> {
  return context.facts.once('rows-not-compared', async () => {
    const source = ourSource(context.sources);
    if (source === null) return [];
    return source === 'own-book' ? unbookedMoney(context) : recordlessMoney(context);
  });
}

/** The rows whose order's record is older than the invoice, absent or unreadable, or states no fee. */
async function recordlessMoney(context: CheckContext): Promise<UncomparedAmount[]> {
  const placeOf = await rowPlaces(context);
  const countedRows = (await uncomparedRows(context)).filter((row) => placeOf(row).isCounted);
  const money = await inChunks(countedRows, (rows) => readMoney(context, rows));
  return [...money, ...(await unstatedFees(context))];
}

/** The rows' money, less what their orders' records have nevertheless. */
async function readMoney(context: CheckContext, rows: readonly UncomparedRow[]): Promise<UncomparedAmount[]> {
  const { db } = context;
  const wanted = new Map(rows.map((row) => [rowKey(row), row]));
  const signsOfOrder = await orderSigns(context);
  const ids = [...new Set(rows.map(({ order_id }) => order_id))];
  const records = await recordMoney(db, ids);
  // Their orders may be on other rows too.
  const wantedLines = (await readRowMoney(db, ids)).filter((line) => wanted.has(rowKey(line)));
  return [...groupBy(wantedLines, rowKey)].flatMap(([key, lines]) => {
    const row = wanted.get(key)!;
    const { period } = row;
    const lacking = WHY_UNCOMPARED[row.why];
    const [first] = lines as [RowMoneyBesideRecord, ...RowMoneyBesideRecord[]];
    const stated = moneyOfLines(lines);
    const record = records.get(first.order_id) ?? moneyOfLines([]);
    const currencies = [...new Set([...stated.keys(), ...record.keys()])].sort();
    return currencies.flatMap((currency) => {
      const rowAmounts = stated.get(currency) ?? NO_AMOUNTS;
      const recordAmounts = record.get(currency) ?? NO_AMOUNTS;
      const effect = uncomparedEffect(first, rowAmounts, recordAmounts, signsOfOrder(first.order_id));
      const stake = rowAmounts.cod.abs().plus(rowAmounts.delivery_fee.abs());
      // The row states nothing in a currency that the record alone has.
      const amount = stake.isZero() ? effect.abs() : stake;
      return amount.isZero() ? [] : [{ row: key, period, currency, effect, amount, lacking }];
    });
  });
}

/** The COD and fee of the orders' records, by order and currency. */
async function recordMoney(db: CheckContext['db'], ids: readonly string[]): Promise<ReadonlyMap<string, RowMoney>> {
  const linesByOrder = groupBy(await readRecordMoney(db, ids), ({ order_id }) => order_id);
  return new Map([...linesByOrder].map(([id, lines]) => [id, moneyOfLines(lines)]));
}

/**
 * The row's net less its record's: a row of 100.00 less 5.00 whose delivered order's record has 90.00 less 5.00 gives
 * 10.00. Without a record it is the row's net. The COD of a row whose order was never delivered is left out, because
 * `cod-without-delivery` finds it; so is the fee of a cancelled row, which `fee-on-cancelled` finds.
 */
function uncomparedEffect(
  { state, record_state, delivered_seen_at }: RowMoneyBesideRecord,
  row: NetAmounts,
  record: NetAmounts,
  signs: RowSigns | null,
): ExactDecimal {
  if (record_state === null) return netAmount(row, signs);
  const wasDelivered = delivered_seen_at !== null;
  const isCancelled = !wasDelivered && record_state === 'CANCELLED';
  const isCodFoundByCheck = !isDelivered(state) && !wasDelivered;
  const isFeeFoundByCheck = state === 'CANCELLED' && isCancelled;
  // Our figure counts a record's COD if the order was delivered, and its fee if it was not cancelled.
  const dueCod = wasDelivered ? record.cod : NO_AMOUNTS.cod;
  const dueFee = isCancelled ? NO_AMOUNTS.delivery_fee : record.delivery_fee;
  const cod = isCodFoundByCheck ? NO_AMOUNTS.cod : row.cod.minus(dueCod);
  const delivery_fee = isFeeFoundByCheck ? NO_AMOUNTS.delivery_fee : row.delivery_fee.minus(dueFee);
  return netAmount({ cod, delivery_fee }, signs);
}

/** The fees of rows whose order's record can be compared, but states no fee. */
async function unstatedFees(context: CheckContext): Promise<UncomparedAmount[]> {
  const { db, periods, sources } = context;
  const fees = await readUnstatedFees(db, periods, sources.book.lastWholeWalk);
  const placeOf = await rowPlaces(context);
  const signsOfOrder = await orderSigns(context);
  const lacking: UncomparedAmount['lacking'] = { why: { id: 'record-without-fee' }, commands: [] };
  return fees
    .filter((row) => placeOf(row).isCounted && countsFee(signsOfOrder(row.order_id)))
    .map((row) => {
      const { period, currency } = row;
      // The row takes the fee off, our figure takes off nothing.
      const effect = amountOf(row.fee).negated();
      return { row: rowKey(row), period, currency, effect, amount: effect.abs(), lacking };
    });
}

/**
 * The money of invoices' rows that neither the own book nor the rate card decides, if there is no order book of the
 * courier's: COD and taxes of orders that the own book lacks, and fees without an agreed price. COD of undelivered
 * orders and fees of cancelled ones are left to `cod-without-delivery` and `fee-on-cancelled`.
 */
async function unbookedMoney(context: CheckContext): Promise<UncomparedAmount[]> {
  const billed = await billedOrders(context);
  const bookedCodOf = await bookedCods(context);
  const { agreed, covered, differing } = context.sources.imported.has('tariff')
    ? await pricedOrders(context)
    : { agreed: null, covered: null, differing: [] };
  const unpriced = new Set(differing.filter(({ fee }) => fee.kind !== 'agreed').map(({ order_id }) => order_id));
  const lackingOf = (orderId: string): UncomparedAmount['lacking'] => {
    if (bookedCodOf(orderId) === undefined) {
      return { why: { id: 'own-book-lacks-order-or-has-several' }, commands: ['remit import orders FILE'] };
    }
    if (agreed === null) return tariff.unmet(context.sources)!;
    if (unpriced.has(orderId)) return { why: { id: 'no-price-agreed' }, commands: ['remit import tariff FILE'] };
    return orderFactsLacking(context.sources);
  };
  const signsOfOrder = await orderSigns(context);
  const taxesOf = await withheldTaxes(context);
  const lines = await readBilledFees(context.db, context.periods);
  return lines.flatMap((line) => {
    const { order_id, period, currency } = line;
    const row = rowKey(line);
    const order = billed.get(order_id)!;
    // An order counts on one row alone.
    if (currency === null || rowKey(order) !== row) return [];
    const signs = signsOfOrder(order_id);
    const isBooked = bookedCodOf(order_id) !== undefined;
    // Our figure has the taxes of an order as the sheet states them, if the own book holds the order.
    const tax = isBooked ? (taxesOf(order).get(currency) ?? 0n) : 0n;
    // Of a fee of 5.00 with a tax of 0.50 and an agreed price of 4.00, 0.50 is not covered.
    const uncoveredFee = BigInt(line.fee ?? 0) - tax - (covered?.get(order_id)?.get(currency) ?? 0n);
    const isCodUndecided = order.wasDelivered && !isBooked;
    const isFeeUndecided = !isCalledOff(order) && countsFee(signs);
    const cod = amountOfUnits(isCodUndecided ? BigInt(line.cod ?? 0) : 0n);
    const fee = amountOfUnits(isFeeUndecided ? uncoveredFee : 0n);
    if (cod.isZero() && fee.isZero()) return [];
    const effect = netAmount({ cod, delivery_fee: fee }, signs);
    return { row, period, currency, effect, amount: cod.abs().plus(fee.abs()), lacking: lackingOf(order_id) };
  });
}
