import type { CheckContext } from '../../src/checks/check.ts';
import { type OwnLine, type RowLine, readOwnLines, readRowPages } from '../../src/ledger/read/index.ts';
import { amountOfUnits, ExactDecimal, type Units } from '../../src/money/index.ts';
import { countingRows, type OwnSide } from './own-side.ts';

interface Amounts {
  readonly cod: ExactDecimal;
  readonly delivery_fee: ExactDecimal;
}

/** An invoice row in one currency, with what our records say of its order. */
export interface LineWithOwn {
  readonly line: RowLine;
  /** Of the order's record; null where the ledger holds none. */
  readonly delivered_at: string | null;
  readonly district: string | null;
  /** What of the record our figure counts here: nothing where an earlier row counts the order already; null without a record. */
  readonly own: Amounts | null;
  /** What the merchant's own book asks for; null where it does not hold the order, and where an earlier row counts it. */
  readonly booked: ExactDecimal | null;
  /** The agreed fee; null where no price covers the order, and where an earlier row counts it. */
  readonly agreed: ExactDecimal | null;
  /** What our figure counts here: the record, corrected by the own book and the agreed fee; null without a record. */
  readonly ours: Amounts | null;
}

const ZERO = new ExactDecimal(0);
const NOTHING: Amounts = { cod: ZERO, delivery_fee: ZERO };

/**
 * A month's invoice rows, by invoice, position and currency, each beside its order's own record and what our own side says of it. A
 * currency that only those know has a line too, with nothing on the invoice's side, so that the column comes to our figure.
 */
export async function* readRowsWithOwn(
  context: Pick<CheckContext, 'db' | 'periods' | 'memo'>,
  month: string,
  side: OwnSide,
): AsyncGenerator<LineWithOwn> {
  const counts = await countingRows(context);
  for await (const { window, lines } of readRowPages(context.db, month)) {
    const records = recordsOf(await readOwnLines(context.db, window));
    for (let at = 0; at < lines.length; ) {
      const first = lines[at]!;
      let end = at + 1;
      while (end < lines.length && isSameRow(lines[end]!, first)) end += 1;
      yield* withOwn(lines.slice(at, end), records.get(keyOf(first)), counts(first) ? side : null);
      at = end;
    }
  }
}

/** @param side null where an earlier row counts the order */
function* withOwn(
  row: readonly RowLine[],
  record: readonly OwnLine[] | undefined,
  side: OwnSide | null,
): Generator<LineWithOwn> {
  if (record === undefined) {
    const nothing = { delivered_at: null, district: null, own: null, booked: null, agreed: null, ours: null };
    for (const line of row) yield { line, ...nothing };
    return;
  }
  const { first_delivered_at: delivered_at, district } = record[0]!;
  const { order_id } = row[0]!;
  const recorded = new Map<string, Amounts>(
    record.flatMap((own) => (own.currency === null ? [] : [[own.currency, own] as const])),
  );
  const corrections = side?.corrections.get(order_id);
  const [booked, agreed] = [side?.booked(order_id), side?.agreed(order_id)];
  const known = new Set([...recorded.keys(), ...(corrections?.keys() ?? [])]);
  const withAmounts = ({ currency }: RowLine): Omit<LineWithOwn, 'line'> => {
    const own = (side && currency !== null && recorded.get(currency)) || NOTHING;
    const correction = currency === null ? undefined : corrections?.get(currency);
    const ours = correction
      ? {
          cod: own.cod.plus(amountOfUnits(correction.cod)),
          delivery_fee: own.delivery_fee.plus(amountOfUnits(correction.delivery_fee)),
        }
      : own;
    return {
      delivered_at,
      district,
      own,
      booked: amountIn(booked, currency),
      agreed: amountIn(agreed, currency),
      ours,
    };
  };
  for (const line of row) {
    // The line without a currency says nothing beside one that has one.
    if (line.currency === null && known.size > 0) continue;
    if (line.currency !== null) known.delete(line.currency);
    yield { line, ...withAmounts(line) };
  }
  for (const currency of [...known].sort()) {
    const line = { ...row[0]!, currency, ...NOTHING };
    yield { line, ...withAmounts(line) };
  }
}

/** What a side says in a currency: nothing of one that it does not name; null where it does not speak at all. */
function amountIn(side: ReadonlyMap<string, Units> | undefined, currency: string | null): ExactDecimal | null {
  return side === undefined || currency === null ? null : amountOfUnits(side.get(currency) ?? 0n);
}

function recordsOf(lines: readonly OwnLine[]): Map<string, OwnLine[]> {
  const records = new Map<string, OwnLine[]>();
  for (const line of lines) {
    const key = keyOf(line);
    const known = records.get(key);
    if (known) known.push(line);
    else records.set(key, [line]);
  }
  return records;
}

function isSameRow(a: RowLine, b: RowLine): boolean {
  return a.position === b.position && a.invoice_number === b.invoice_number;
}

function keyOf({ invoice_number, position }: Pick<RowLine, 'invoice_number' | 'position'>): string {
  return `${invoice_number} ${position}`;
}
