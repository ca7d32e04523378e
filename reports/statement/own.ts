import type { CheckContext } from '../../src/checks/check.ts';
import { hasRecordAlone } from '../../src/checks/facts/stated-rows.ts';
import {
  type LineBesideRecord,
  type OwnAmounts,
  readLinesBesideRecords,
} from '../../src/ledger/queries/rows/beside-records.ts';
import type { Units } from '../../src/money/units.ts';
import { type Correction, countingRows, type OwnSide } from './own-side.ts';

/** An invoice row in one currency, with what our records say of its order. */
export interface LineWithOwn {
  /** As the ledger has it, with nothing on the invoice's side in a currency that only our side knows. */
  readonly line: LineBesideRecord;
  /** What of the record our figure counts here: nothing where an earlier row counts the order already; null without a record. */
  readonly own: OwnAmounts | null;
  /** What the merchant's own book asks for; null where it does not hold the order, and where an earlier row counts it. */
  readonly booked: Units | null;
  /** The agreed fee; null where no price covers the order, and where an earlier row counts it. */
  readonly agreed: Units | null;
  /** Of the order's record; of the own book where that alone is ours. */
  readonly district: string | null;
  /**
   * What our figure counts here: the record, corrected by the own book and the agreed fee; null without a record. Where no record was
   * ever read the own book stands for it.
   */
  readonly ours: OwnAmounts | null;
}

const NOTHING: OwnAmounts = { cod: 0n, delivery_fee: 0n };
const NO_RECORD = { district: null, own: null, booked: null, agreed: null, ours: null };

/**
 * A month's invoice rows, by invoice, position and currency, each beside its order's own record and what our own side says of it, a
 * page at a time. A currency that only those know has a line too, with nothing on the invoice's side, so that the column comes to our
 * figure.
 */
export async function* readPagesWithOwn(
  context: Pick<CheckContext, 'db' | 'periods' | 'facts'>,
  month: string,
  side: OwnSide,
): AsyncGenerator<Iterable<LineWithOwn>> {
  const isCounted = await countingRows(context);
  const hasRest = await hasRecordAlone(context, month);
  for await (const page of readLinesBesideRecords(context.db, month, hasRest)) {
    yield withOwn(page, side, isCounted);
  }
}

/**
 * Lines come row by row, a currency each; with the last of a row (`endsRow`) come the currencies that its record alone has (`rest`).
 *
 * @param isCounted tells whether no earlier row counts the order
 */
function* withOwn(
  page: Iterable<LineBesideRecord>,
  ownSide: OwnSide,
  isCounted: (row: LineBesideRecord) => boolean,
): Generator<LineWithOwn> {
  let rowCurrencies: string[] = [];
  for (const line of page) {
    const { currency, rest, order_id } = line;
    if (currency !== null) rowCurrencies.push(currency);
    const isOurs = line.hasRecord || standsForRecord(ownSide, order_id);
    const countingSide = isOurs && isCounted(line) ? ownSide : null;
    const corrections = countingSide?.corrections.get(order_id);
    // The line without a currency says nothing beside one that has one.
    if (currency !== null || (rest === null && corrections === undefined)) {
      yield isOurs ? beside(line, ownSide, countingSide, corrections) : { ...NO_RECORD, line };
    }
    if (!line.endsRow) continue;
    const ownCurrencies = new Set([...(rest?.keys() ?? []), ...(corrections?.keys() ?? [])]);
    const missing = [...ownCurrencies].filter((each) => !rowCurrencies.includes(each)).sort();
    for (const each of missing) {
      const ownLine = { ...line, ...NOTHING, currency: each, own: rest?.get(each) ?? NOTHING };
      yield beside(ownLine, ownSide, countingSide, corrections);
    }
    rowCurrencies = [];
  }
}

/** Whether the own book stands for the record of an order: it holds it, and no record was ever read. */
function standsForRecord({ booked, districtOf }: OwnSide, orderId: string): boolean {
  return districtOf !== null && booked(orderId) !== undefined;
}

/** @param countingSide null where an earlier row counts the order */
function beside(
  line: LineBesideRecord,
  { districtOf }: OwnSide,
  countingSide: OwnSide | null,
  corrections: ReadonlyMap<string, Correction> | undefined,
): LineWithOwn {
  const { currency, order_id, hasRecord } = line;
  const district = hasRecord ? line.district : (districtOf?.(order_id) ?? null);
  if (!countingSide || currency === null) {
    return { line, district, own: hasRecord ? NOTHING : null, booked: null, agreed: null, ours: NOTHING };
  }
  const { own } = line;
  const correction = corrections?.get(currency);
  return {
    line,
    district,
    own: hasRecord ? own : null,
    booked: amountIn(countingSide.booked(order_id), currency),
    agreed: amountIn(countingSide.agreed(order_id), currency),
    ours: correction
      ? { cod: own.cod + correction.cod, delivery_fee: own.delivery_fee + correction.delivery_fee }
      : own,
  };
}

/** What a side says in a currency: nothing of one that it does not name; null where it does not speak at all. */
function amountIn(side: ReadonlyMap<string, Units> | undefined, currency: string): Units | null {
  return side === undefined ? null : (side.get(currency) ?? 0n);
}
