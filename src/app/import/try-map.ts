import type { ReadFile } from '../../derive/imports.ts';
import { type FileSource, readSafely } from '../../imports/formats/read-safely.ts';
import { type ColumnMap, MAP_FIELDS } from '../../imports/maps/column-map.ts';
import type { Books } from '../books.ts';
import { readableMap } from './column-map.ts';
import { totalsOf } from './summary.ts';

/** What a map makes of a file, before it is saved. Each row has the text of each column that has one. */
export interface TriedMap {
  /** The first rows: days in ISO, amounts as decimal text. */
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** The sums of the whole file, a row for each currency. */
  readonly totals: readonly Readonly<Record<string, string>>[];
}

const SHOWN_ROWS = 5;

/** @throws UsageError for an incomplete map; ImportFileError where it does not read the file */
export async function tryMap(map: ColumnMap, file: FileSource, { signal }: Pick<Books, 'signal'>): Promise<TriedMap> {
  const parsed = readableMap(map);
  const read = { kind: map.kind, file: await readSafely(map.kind, file, { map: parsed, signal }) } as ReadFile;
  const columns = [...new Set([...MAP_FIELDS[map.kind].all, ...Object.keys(parsed.columns)])];
  return {
    rows: rowsOf(read)
      .slice(0, SHOWN_ROWS)
      .map((row) => textsOf(row, columns)),
    totals: totalsOf(read).map((row) => textsOf(row, Object.keys(row))),
  };
}

/** A file's rows, one for each amount, by the fields of its map. */
function rowsOf(read: ReadFile): readonly object[] {
  if (read.kind === 'receipts') {
    // A map's field `invoice` is a line's reference.
    return read.file.statements.flatMap(({ lines }) => lines.map((line) => ({ ...line, invoice: line.reference })));
  }
  if (read.kind === 'orders') {
    return read.file.orders.flatMap((order) =>
      order.amounts.length === 0 ? [order] : order.amounts.map((amount) => ({ ...order, ...amount })),
    );
  }
  if (read.kind !== 'settlement') return read.file.rows;
  return read.file.settlements.flatMap((payout) =>
    payout.rows.flatMap((row) =>
      row.amounts.map(({ charges, taxes, ...amount }) => ({
        ...payout,
        ...row,
        ...amount,
        ...named('charges', charges),
        ...named('taxes', taxes),
      })),
    ),
  );
}

function named(group: string, amounts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).map(([kind, amount]) => [`${group}.${kind}`, amount]));
}

function textsOf(row: object, columns: readonly string[]): Record<string, string> {
  const values = row as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    columns.flatMap((column) => {
      const value = values[column] ?? null;
      return value === null || value === '' ? [] : [[column, String(value)]];
    }),
  );
}
