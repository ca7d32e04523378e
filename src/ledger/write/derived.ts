/** Compares the derived rows of two ledgers, and puts right those that are wrong. */
import type { Place } from '../../base/place.ts';
import { insertAll } from '../copy-rows.ts';
import { dialectOf } from '../dialect/index.ts';
import { type Columns, keyOf, pagesOf, readColumns, type Value } from '../dump.ts';
import type { LedgerDb } from '../schema.ts';
import { DERIVED_TABLES, type DerivedTable, type TableShape } from '../tables.ts';

/** A row that differs between two ledgers. */
export interface RowDifference {
  readonly table: DerivedTable;
  readonly key: string;
  /** In words: how they differ. */
  readonly what: string;
}

/**
 * Compares the derived tables of two ledgers, row by row.
 *
 * @param tested the ledger under test
 * @param expected the ledger that it should equal
 * @returns how many rows were compared
 */
export async function compareDerived(
  tested: LedgerDb,
  expected: LedgerDb,
  onDifference: (difference: RowDifference) => void,
): Promise<number> {
  let count = 0;
  const testedColumns = await readColumns(tested);
  const expectedColumns = await readColumns(expected);
  for (const [name, shape] of Object.entries(DERIVED_TABLES)) {
    const table = name as DerivedTable;
    const testedRows = dumpTable(tested, testedColumns, table, shape);
    const expectedRows = dumpTable(expected, expectedColumns, table, shape);
    // Both come in the order of their keys: if these differ, the row with the smaller key has no counterpart.
    let [row, expectedRow] = [await next(testedRows), await next(expectedRows)];
    while (row || expectedRow) {
      count += 1;
      const order = orderOf(row, expectedRow);
      const key = keyText((order <= 0 ? row : expectedRow)!.key);
      if (order < 0) onDifference({ table, key, what: 'the row follows from no evidence' });
      else if (order > 0) onDifference({ table, key, what: 'the row is missing: the evidence gives it' });
      else for (const what of differences(row!, expectedRow!)) onDifference({ table, key, what });
      if (order <= 0) row = await next(testedRows);
      if (order >= 0) expectedRow = await next(expectedRows);
    }
  }
  return count;
}

/**
 * Replaces a ledger's derived rows with those of another ledger, in append-only tables too. Call it in a transaction
 * that holds the chain's head, so that no evidence comes in between.
 *
 * @param expected the ledger with the right rows, derived anew
 * @returns how many rows there are, and how many of them differed, were missing or did not belong there
 */
export async function replaceDerived(
  { db, place }: { readonly db: LedgerDb; readonly place: Place },
  expected: LedgerDb,
): Promise<{ rows: number; changed: number }> {
  const wrongRows = new Set<string>();
  const rows = await compareDerived(db, expected, ({ table, key }) => wrongRows.add(`${table} ${key}`));
  if (wrongRows.size === 0) return { rows, changed: 0 };
  const tables = Object.keys(DERIVED_TABLES) as DerivedTable[];
  const dialect = await dialectOf(place);
  return dialect.withoutTriggers(db, tables, async () => {
    // Children before their parents.
    for (const table of tables.toReversed()) await db.deleteFrom(table).execute();
    return { rows: await insertAll(expected, db, DERIVED_TABLES), changed: wrongRows.size };
  });
}

interface DumpedRow {
  /** The primary key's values, in the order of its columns. */
  readonly key: readonly Value[];
  /** Column to value as text; bytes as hexadecimal. */
  readonly columns: Readonly<Record<string, string | null>>;
}

/** Every row of a table as text, in the order of its key. */
async function* dumpTable(db: LedgerDb, columnsByTable: Columns, table: string, shape: TableShape) {
  for await (const rows of pagesOf(db, columnsByTable, table, shape)) {
    for (const row of rows) {
      const columns = Object.fromEntries(Object.entries(row).map(([column, value]) => [column, textOf(value)]));
      yield { key: keyOf(row, shape), columns };
    }
  }
}

/** Negative if the row comes first or is the only one, zero for equal keys, positive if the expected row does. */
function orderOf(row: DumpedRow | null, expectedRow: DumpedRow | null): number {
  if (!row) return 1;
  return expectedRow ? compareKeys(row.key, expectedRow.key) : -1;
}

async function next(rows: AsyncGenerator<DumpedRow>): Promise<DumpedRow | null> {
  const result = await rows.next();
  return result.done ? null : result.value;
}

function differences(row: DumpedRow, expectedRow: DumpedRow): string[] {
  return Object.keys({ ...row.columns, ...expectedRow.columns }).flatMap((column) => {
    const [value, expected] = [row.columns[column] ?? null, expectedRow.columns[column] ?? null];
    return value === expected ? [] : [`${column} is ${quote(value)}, and the evidence gives ${quote(expected)}`];
  });
}

function quote(value: string | null): string {
  return value === null ? 'nothing' : JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}

/** Two rows of one table in the order of their keys, as the databases sort: texts by their UTF-8 bytes. */
function compareKeys(a: readonly Value[], b: readonly Value[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] as Value;
    const order =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : Buffer.compare(bytesOf(left), bytesOf(right));
    if (order !== 0) return order;
  }
  return 0;
}

function bytesOf(value: Value): Buffer {
  return value !== null && typeof value === 'object' ? Buffer.from(value) : Buffer.from(String(value), 'utf8');
}

/** A key as messages show it: `10009, 3, USD`. */
function keyText(key: readonly Value[]): string {
  return key.map((value) => textOf(value) ?? 'null').join(', ');
}

function textOf(value: Value): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? Buffer.from(value).toString('hex') : String(value);
}
