import { ownCorrections } from '../../src/checks/bridge/index.ts';
import type { CheckContext } from '../../src/checks/check.ts';
import { pricedOrders } from '../../src/checks/facts/agreed-fees.ts';
import { billedTwice } from '../../src/checks/facts/billed-orders.ts';
import { bookedCods } from '../../src/checks/facts/compared-cods.ts';
import { ownLinks } from '../../src/checks/facts/own-links.ts';
import { ourSource } from '../../src/checks/facts/sources.ts';
import { hasRecordAlone } from '../../src/checks/facts/stated-rows.ts';
import {
  type LineBesideRecord,
  NO_UNITS,
  type OwnAmounts,
  readLinesBesideRecords,
} from '../../src/ledger/queries/rows/rows.ts';
import type { Units } from '../../src/money/units.ts';

type ByCurrency<T> = ReadonlyMap<string, T>;

/** The amounts of a month's orders in the merchant's own book and by the agreed prices, by the courier's order id. */
export interface OwnSide {
  /** The COD in the own book; undefined if the order is not in it. */
  readonly booked: (orderId: string) => ByCurrency<Units> | undefined;
  /** The agreed fee; undefined if the rate card has none. */
  readonly agreed: (orderId: string) => ByCurrency<Units> | undefined;
  /** The own book's district of an order; null if the courier's order book was read, which has districts itself. */
  readonly districtOf: ((orderId: string) => string | null) | null;
  /** What own book and prices add to an order's record (or to zero, without one), by order, then by currency. */
  readonly corrections: ReadonlyMap<string, ByCurrency<OwnAmounts>>;
}

const NOTHING_IMPORTED = () => undefined;

/** Reads the own side of a month; it is empty if neither own orders nor prices are imported. */
export async function readOwnSide(context: CheckContext, month: string): Promise<OwnSide> {
  const { imported } = context.sources;
  const corrections = new Map<string, Map<string, OwnAmounts>>();
  for (const { order_id, currency, cod, delivery_fee } of await ownCorrections(context, month)) {
    const ofOrder = corrections.get(order_id) ?? new Map<string, OwnAmounts>();
    const before = ofOrder.get(currency) ?? NO_UNITS;
    ofOrder.set(currency, { cod: before.cod + cod, delivery_fee: before.delivery_fee + delivery_fee });
    corrections.set(order_id, ofOrder);
  }
  const prices = imported.has('tariff') ? await pricedOrders(context) : null;
  return {
    booked: imported.has('orders') ? await bookedCods(context) : NOTHING_IMPORTED,
    agreed: prices ? (orderId) => prices.agreed.get(orderId) : NOTHING_IMPORTED,
    districtOf: ourSource(context.sources) === 'own-book' ? await ownDistricts(context) : null,
    corrections,
  };
}

async function ownDistricts(context: CheckContext) {
  const { linked } = await ownLinks(context);
  return (orderId: string) => linked.get(orderId)?.own.district ?? null;
}

/** Makes a function: whether an order counts on a row. One billed twice counts on its first row on a live invoice. */
async function readCountingRows(context: Pick<CheckContext, 'db' | 'periods' | 'facts'>) {
  const ordersBilledTwice = await billedTwice(context);
  if (ordersBilledTwice.size === 0) return () => true;
  return ({ order_id, invoice_number, position }: LineBesideRecord): boolean => {
    const first = ordersBilledTwice.get(order_id)?.live[0]?.[0];
    return first === undefined || (first.number === invoice_number && first.position === position);
  };
}

/**
 * An invoice row in one currency, with our amounts for its order. An order that is billed twice counts once: on a later
 * row `record` and `counted` are zero, `booked` and `agreed` null.
 */
export interface LineWithOwn {
  /** The invoice row; its amounts are zero in a currency that only our side has. */
  readonly line: LineBesideRecord;
  /** The amounts of the courier's record of the order; null without a record. */
  readonly record: OwnAmounts | null;
  /** The COD in the merchant's own book; null if the order is not in it. */
  readonly booked: Units | null;
  /** The agreed fee; null if no price covers the order. */
  readonly agreed: Units | null;
  /** From the order's record, or from the own book if that is all we have. */
  readonly district: string | null;
  /**
   * The amounts that our figure counts: the record, corrected by the own book and the agreed fee; null without a
   * record. If the courier's order book was never read, the own book takes the record's place.
   */
  readonly counted: OwnAmounts | null;
}

const NO_RECORD = { district: null, record: null, booked: null, agreed: null, counted: null };

/**
 * A month's invoice rows by invoice, position and currency, each with our amounts for its order, a page at a time. A
 * currency that only our side has is a line too, so that the column adds up to our figure.
 */
export async function* readPagesWithOwn(
  context: Pick<CheckContext, 'db' | 'periods' | 'facts'>,
  month: string,
  side: OwnSide,
): AsyncGenerator<Iterable<LineWithOwn>> {
  const isCounted = await readCountingRows(context);
  const hasCurrenciesOfRecordAlone = await hasRecordAlone(context, month);
  for await (const page of readLinesBesideRecords(context.db, month, hasCurrenciesOfRecordAlone)) {
    yield linesWithOwn(page, side, isCounted);
  }
}

/**
 * A row has a line per currency, and a page holds whole rows. After a row's last line (`endsRow`) come lines in the
 * currencies that our side alone has: those that `recordAmounts` has beyond the row's, and those of what corrects them.
 *
 * @param isCounted whether the order counts on this row
 */
function* linesWithOwn(
  page: Iterable<LineBesideRecord>,
  ownSide: OwnSide,
  isCounted: (row: LineBesideRecord) => boolean,
): Generator<LineWithOwn> {
  let rowCurrencies: string[] = [];
  for (const line of page) {
    const { currency, recordAmounts, order_id } = line;
    if (currency !== null) rowCurrencies.push(currency);
    const hasOurAmounts = line.hasRecord || standsForRecord(ownSide, order_id);
    const isCountedHere = hasOurAmounts && isCounted(line);
    const corrections = isCountedHere ? ownSide.corrections.get(order_id) : undefined;
    // A line without a currency is left out if our side gives the row a currency.
    if (currency !== null || (recordAmounts === null && corrections === undefined)) {
      yield hasOurAmounts ? lineWithOwn(line, ownSide, isCountedHere, corrections) : { ...NO_RECORD, line };
    }
    if (!line.endsRow) continue;
    const ownCurrencies = new Set([...(recordAmounts?.keys() ?? []), ...(corrections?.keys() ?? [])]);
    const missing = [...ownCurrencies].filter((ownCurrency) => !rowCurrencies.includes(ownCurrency)).sort();
    for (const ownCurrency of missing) {
      const record = recordAmounts?.get(ownCurrency) ?? NO_UNITS;
      const ownLine = { ...line, ...NO_UNITS, currency: ownCurrency, record };
      yield lineWithOwn(ownLine, ownSide, isCountedHere, corrections);
    }
    rowCurrencies = [];
  }
}

/** Whether the own book takes the place of an order's record: the order is in it, and no order book was ever read. */
function standsForRecord({ booked, districtOf }: OwnSide, orderId: string): boolean {
  // `districtOf` is null if the courier's order book, which has the records, was read.
  return districtOf !== null && booked(orderId) !== undefined;
}

/** @param isCountedHere false if our figure counts the order on another row: then the line has no amounts of ours */
function lineWithOwn(
  line: LineBesideRecord,
  { districtOf, booked, agreed }: OwnSide,
  isCountedHere: boolean,
  corrections: ReadonlyMap<string, OwnAmounts> | undefined,
): LineWithOwn {
  const { currency, order_id, hasRecord } = line;
  const district = hasRecord ? line.district : (districtOf?.(order_id) ?? null);
  if (!isCountedHere || currency === null) {
    return { line, district, record: hasRecord ? NO_UNITS : null, booked: null, agreed: null, counted: NO_UNITS };
  }
  const { record } = line;
  const correction = corrections?.get(currency);
  return {
    line,
    district,
    record: hasRecord ? record : null,
    booked: amountIn(booked(order_id), currency),
    agreed: amountIn(agreed(order_id), currency),
    counted: correction
      ? { cod: record.cod + correction.cod, delivery_fee: record.delivery_fee + correction.delivery_fee }
      : record,
  };
}

/** Zero in a currency that the amounts lack; null without any amounts. */
function amountIn(amounts: ReadonlyMap<string, Units> | undefined, currency: string): Units | null {
  return amounts === undefined ? null : (amounts.get(currency) ?? 0n);
}
