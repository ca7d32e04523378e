import type { CheckContext } from '../../src/checks/check.ts';
import { type OwnLine, type RowLine, readOwnLines, readRowPages } from '../../src/ledger/read/index.ts';
import type { Units } from '../../src/money/index.ts';
import { countingRows, type OwnSide } from './own-side.ts';

interface Amounts {
  readonly cod: Units;
  readonly delivery_fee: Units;
}

/** An invoice row in one currency, with what our records say of its order. */
export interface LineWithOwn {
  readonly line: RowLine;
  /** Of the order's record; null where the ledger holds none. The district is the own book's where that alone is ours. */
  readonly delivered_at: string | null;
  readonly district: string | null;
  /** What of the record our figure counts here: nothing where an earlier row counts the order already; null without a record. */
  readonly own: Amounts | null;
  /** What the merchant's own book asks for; null where it does not hold the order, and where an earlier row counts it. */
  readonly booked: Units | null;
  /** The agreed fee; null where no price covers the order, and where an earlier row counts it. */
  readonly agreed: Units | null;
  /**
   * What our figure counts here: the record, corrected by the own book and the agreed fee; null without a record. Where no record was
   * ever read the own book stands for it.
   */
  readonly ours: Amounts | null;
}

export const NOTHING: Amounts = { cod: 0n, delivery_fee: 0n };
const NO_RECORD = { delivered_at: null, district: null, own: null, booked: null, agreed: null, ours: null };

/**
 * A month's invoice rows, by invoice, position and currency, each beside its order's own record and what our own side says of it, a
 * page at a time. A currency that only those know has a line too, with nothing on the invoice's side, so that the column comes to our
 * figure.
 */
export async function* readPagesWithOwn(
  context: Pick<CheckContext, 'db' | 'periods' | 'memo'>,
  month: string,
  side: OwnSide,
): AsyncGenerator<Iterable<LineWithOwn>> {
  const counts = await countingRows(context);
  for await (const { window, lines } of readRowPages(context.db, month)) {
    const records = await readOwnLines(context.db, window);
    yield besideRecords(lines, records, side, counts);
  }
}

/** @param counts tells whether no earlier row counts the order */
function* besideRecords(
  lines: readonly RowLine[],
  records: readonly OwnLine[],
  side: OwnSide,
  counts: (row: RowLine) => boolean,
): Generator<LineWithOwn> {
  let record = 0;
  for (let at = 0; at < lines.length; ) {
    const first = lines[at]!;
    const end = endOfRow(lines, at, first);
    const recordEnd = endOfRow(records, record, first);
    yield* withOwn(lines.slice(at, end), records.slice(record, recordEnd), side, counts(first));
    [at, record] = [end, recordEnd];
  }
}

type Place = Pick<RowLine, 'invoice_number' | 'position'>;

/** Where the lines of a row end, from a place on; both lists go by invoice and position. */
function endOfRow(lines: readonly Place[], from: number, row: Place): number {
  let end = from;
  while (
    end < lines.length &&
    lines[end]!.position === row.position &&
    lines[end]!.invoice_number === row.invoice_number
  ) {
    end += 1;
  }
  return end;
}

/** The lines of one row. */
function withOwn(row: readonly RowLine[], record: readonly OwnLine[], own: OwnSide, isCounted: boolean): LineWithOwn[] {
  const { order_id } = row[0]!;
  const first = record[0] ?? bookedRecord(own, order_id);
  if (!first) return row.map((line) => ({ line, ...NO_RECORD }));
  const side = isCounted ? own : null;
  const corrections = side?.corrections.get(order_id);
  const booked = side?.booked(order_id);
  const agreed = side?.agreed(order_id);
  const known = record.flatMap(({ currency }) => currency ?? []);
  for (const currency of corrections?.keys() ?? []) if (!known.includes(currency)) known.push(currency);
  const beside = (line: RowLine): LineWithOwn => {
    const { currency } = line;
    const recorded = (side && currency !== null && record.find((each) => each.currency === currency)) || NOTHING;
    const correction = currency === null ? undefined : corrections?.get(currency);
    return {
      line,
      delivered_at: first.first_delivered_at,
      district: first.district,
      own: record.length > 0 ? recorded : null,
      booked: amountIn(booked, currency),
      agreed: amountIn(agreed, currency),
      ours: correction
        ? { cod: recorded.cod + correction.cod, delivery_fee: recorded.delivery_fee + correction.delivery_fee }
        : recorded,
    };
  };
  // The line without a currency says nothing beside one that has one.
  const lines = row.filter(({ currency }) => currency !== null || known.length === 0).map(beside);
  const missing = known.filter((currency) => !row.some((line) => line.currency === currency));
  for (const currency of missing.sort()) lines.push(beside({ ...row[0]!, currency, ...NOTHING }));
  return lines;
}

/** What stands for the record of an order that the own book holds, where no record was ever read. */
function bookedRecord({ booked, districtOf }: OwnSide, orderId: string) {
  if (!districtOf || booked(orderId) === undefined) return undefined;
  return { first_delivered_at: null, district: districtOf(orderId) };
}

/** What a side says in a currency: nothing of one that it does not name; null where it does not speak at all. */
function amountIn(side: ReadonlyMap<string, Units> | undefined, currency: string | null): Units | null {
  return side === undefined || currency === null ? null : (side.get(currency) ?? 0n);
}
