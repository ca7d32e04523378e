import { billedTwice } from '../../src/checks/billed-twice.ts';
import { Memo } from '../../src/checks/memo.ts';
import {
  type LedgerReader,
  type OwnLine,
  type RowLine,
  readOwnLines,
  readRowPages,
} from '../../src/ledger/read/index.ts';
import { ExactDecimal } from '../../src/money/index.ts';

/** An invoice row in one currency, with what our records say of its order. */
export interface LineWithOwn {
  readonly line: RowLine;
  /** Of the order's record; null where the ledger holds none. */
  readonly delivered_at: string | null;
  readonly district: string | null;
  /** What of the record our figure counts here: nothing where an earlier row counts the order already; null without a record. */
  readonly own: { readonly cod: ExactDecimal; readonly delivery_fee: ExactDecimal } | null;
}

const ZERO = new ExactDecimal(0);
const NOTHING = { cod: ZERO, delivery_fee: ZERO };

/**
 * A month's invoice rows, by invoice, position and currency, each beside its order's own record. A currency that only the record knows
 * has a line too, with nothing on the invoice's side, so that the column comes to our figure.
 */
export async function* readRowsWithOwn(db: LedgerReader, month: string): AsyncGenerator<LineWithOwn> {
  const twice = await billedTwice({ db, periods: [month], memo: new Memo() });
  const counts = ({ order_id, invoice_number, position }: RowLine): boolean => {
    const first = twice.get(order_id)?.live[0]?.[0];
    return first === undefined || (first.number === invoice_number && first.position === position);
  };
  for await (const { window, lines } of readRowPages(db, month)) {
    const records = recordsOf(await readOwnLines(db, window));
    for (let at = 0; at < lines.length; ) {
      const first = lines[at]!;
      let end = at + 1;
      while (end < lines.length && isSameRow(lines[end]!, first)) end += 1;
      yield* withOwn(lines.slice(at, end), records.get(keyOf(first)), counts(first));
      at = end;
    }
  }
}

function* withOwn(
  row: readonly RowLine[],
  record: readonly OwnLine[] | undefined,
  counts: boolean,
): Generator<LineWithOwn> {
  if (record === undefined) {
    for (const line of row) yield { line, delivered_at: null, district: null, own: null };
    return;
  }
  const { first_delivered_at: delivered_at, district } = record[0]!;
  const left = new Map(record.flatMap((own) => (own.currency === null ? [] : [[own.currency, own] as const])));
  const lines = row.filter(({ currency }) => currency !== null || left.size === 0);
  for (const line of lines) {
    const own = line.currency === null ? undefined : left.get(line.currency);
    if (line.currency !== null) left.delete(line.currency);
    yield { line, delivered_at, district, own: counts && own ? own : NOTHING };
  }
  for (const [currency, own] of [...left].sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield { line: { ...row[0]!, currency, ...NOTHING }, delivered_at, district, own: counts ? own : NOTHING };
  }
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
