/** A ledger as text that is equal for equal ledgers, whatever database holds them. */
import { createHash } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { wholeLedger } from './courier.ts';
import { type WrittenColumn, type WrittenTable, writtenQuery } from './dialect/written-rows.ts';
import type { LedgerSchema } from './schema.ts';
import { ALL_TABLES, DERIVED_TABLES, type DerivedTable, EVIDENCE_TABLES, type TableShape } from './tables.ts';

/** A table for other programs: money as bigint units of 1/10,000, everything else as it is stored. */
interface ExportedTable {
  readonly name: string;
  readonly columns: readonly ExportedColumn[];
  /** The rows in the order of the key, a page at a time; a cell for each column in its order. Read once. */
  readonly pages: AsyncIterable<readonly (readonly ExportedCell[])[]>;
}

interface ExportedColumn {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'money';
  readonly nullable: boolean;
}

type ExportedCell = string | number | bigint | null;

/** Of use only to remit itself: the bodies of documents, and their index. */
const BODY_TABLES = new Set(['evidence_body', 'evidence_pack', 'evidence_part']);

/** Every table of the ledger but the bodies of documents. Call it in one snapshot, so that all rows belong together. */
export async function exportTables(db: Kysely<LedgerSchema>): Promise<ExportedTable[]> {
  const tables = await db.introspection.getTables();
  const columnsByTable = await readColumns(db);
  const shapes = Object.entries({ ...EVIDENCE_TABLES, ...DERIVED_TABLES }) as [string, TableShape][];
  return shapes
    .filter(([name]) => !BODY_TABLES.has(name))
    .map(([name, shape]) => {
      const columns = (tables.find((table) => table.name === name && !table.isView)?.columns ?? []).map((column) => ({
        name: column.name,
        type: typeOf(column, shape),
        nullable: column.isNullable,
      }));
      return { name, columns, pages: cellsOf(readTable(db, columnsByTable, name, shape), columns) };
    });
}

function typeOf({ name, dataType }: { name: string; dataType: string }, { money }: TableShape): ExportedColumn['type'] {
  if (money.includes(name)) return 'money';
  return /int/i.test(dataType) ? 'integer' : 'text';
}

async function* cellsOf(pages: AsyncIterable<readonly KeptRow[]>, columns: readonly ExportedColumn[]) {
  for await (const page of pages) yield page.map((row) => columns.map(({ name }) => row[name] as ExportedCell));
}

type Value = string | number | null | Buffer;

export interface DumpedRow {
  readonly table: string;
  /** The primary key's values, in the order of its columns. */
  readonly key: readonly Value[];
  /** Column to value as text; bytes as hexadecimal. */
  readonly columns: Readonly<Record<string, string | null>>;
}

const PAGE = 1_000;

/** The columns of each table, by name, so that every database gives them in one order. */
type Columns = ReadonlyMap<string, readonly WrittenColumn[]>;

/** Reads the columns of all tables at once: a database describes its views too, which takes longer than to read a small table. */
async function readColumns(narrow: Kysely<LedgerSchema>): Promise<Columns> {
  const tables = await wholeLedger(narrow).introspection.getTables({ withInternalKyselyTables: false });
  return new Map(
    tables
      .filter(({ isView }) => !isView)
      .map(({ name, columns }) => [
        name,
        columns
          .map((column) => ({ name: column.name, type: writtenType(column.dataType) }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      ]),
  );
}

function writtenType(dataType: string): WrittenColumn['type'] {
  if (/int/i.test(dataType)) return 'integer';
  return /^(?:blob|bytea)$/i.test(dataType) ? 'bytes' : 'text';
}

/**
 * Every table's rows as JSON arrays, in the order of the key, some at a time; memory stays bounded.
 *
 * @param tables those of an earlier schema; this program's when absent
 */
export async function* writtenTables(
  narrow: Kysely<LedgerSchema>,
  tables: Readonly<Record<string, TableShape>> = ALL_TABLES,
): AsyncGenerator<{ readonly table: WrittenTable; readonly rows: AsyncIterable<readonly string[]> }> {
  const db = wholeLedger(narrow);
  const columnsByTable = await readColumns(db);
  for (const [name, { key }] of Object.entries(tables)) {
    const table = { table: name, columns: columnsByTable.get(name) ?? [], key };
    yield { table, rows: writtenRows(db, table) };
  }
}

async function* writtenRows(db: Kysely<LedgerSchema>, table: WrittenTable): AsyncGenerator<readonly string[]> {
  for await (const { rows } of db.getExecutor().stream<string>(writtenQuery(table), 1)) yield rows;
}

/** A row as it is stored: money as bigint, bytes as a Buffer. */
type KeptRow = Readonly<Record<string, Value | bigint>>;

/** Every row of a table, in the order of its key, a page at a time; memory stays bounded. */
async function* readTable(
  db: Kysely<LedgerSchema>,
  columns: Columns,
  table: string,
  shape: TableShape,
): AsyncGenerator<readonly KeptRow[]> {
  for await (const { rows } of pagesOf(db, columns, table, shape)) {
    yield rows.map((row) => ({
      ...row,
      ...Object.fromEntries(
        shape.money.map((column) => [column, row[column] === null ? null : BigInt(row[column] as string)]),
      ),
    }));
  }
}

/** The same, row by row as text. */
async function* dumpTable(
  db: Kysely<LedgerSchema>,
  columnsByTable: Columns,
  table: string,
  shape: TableShape,
): AsyncGenerator<DumpedRow> {
  for await (const { columns, rows } of pagesOf(db, columnsByTable, table, shape)) {
    for (const row of rows) {
      yield {
        table,
        key: shape.key.map((column) => row[column] as Value),
        columns: Object.fromEntries(columns.map((column) => [column, textOf(row[column] as Value)])),
      };
    }
  }
}

async function* pagesOf(narrow: Kysely<LedgerSchema>, columnsByTable: Columns, table: string, shape: TableShape) {
  const db = wholeLedger(narrow);
  const columns = (columnsByTable.get(table) ?? []).map(({ name }) => name);
  const selected = sql.join(
    columns.map((column) =>
      shape.money.includes(column) ? sql`cast(${sql.ref(column)} as text) as ${sql.ref(column)}` : sql.ref(column),
    ),
  );
  const key = sql.join(shape.key.map((column) => sql.ref(column)));
  let after: readonly Value[] | null = null;
  for (;;) {
    const beyond: RawBuilder<unknown> = after === null ? sql`1 = 1` : sql`(${key}) > (${sql.join([...after])})`;
    const { rows }: { rows: Record<string, Value>[] } = await sql<Record<string, Value>>`
      select ${selected} from ${sql.table(table)} where ${beyond} order by ${key} limit ${sql.lit(PAGE)}`.execute(db);
    yield { columns, rows };
    if (rows.length < PAGE) return;
    after = shape.key.map((column) => rows.at(-1)![column] as Value);
  }
}

function textOf(value: Value): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? Buffer.from(value).toString('hex') : String(value);
}

/** Two rows of one table in the order of their keys: negative, zero or positive. */
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
function sayKey(key: readonly Value[]): string {
  return key.map((value) => textOf(value) ?? 'null').join(', ');
}

/** SHA-256 over every row of the ledger. @param tables those of an earlier schema; this program's when absent */
export async function dumpHash(
  db: Kysely<LedgerSchema>,
  tables: Readonly<Record<string, TableShape>> = ALL_TABLES,
): Promise<string> {
  const hash = new DumpHash();
  for await (const { table, rows } of writtenTables(db, tables)) {
    hash.begin(table);
    for await (const some of rows) hash.add(some);
  }
  return hash.digest();
}

/** The same of tables that are read for another purpose too. */
export class DumpHash {
  readonly #hash = createHash('sha256');

  begin({ table, columns }: WrittenTable): void {
    this.#hash.update(`${table} ${columns.map(({ name }) => name).join(' ')}\n`);
  }

  add(rows: readonly string[]): void {
    this.#hash.update(`${rows.join('\n')}\n`);
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** A row that differs between two ledgers. */
export interface Difference {
  readonly table: DerivedTable;
  readonly key: string;
  /** In words: how they differ. */
  readonly what: string;
}

/**
 * Compares the derived tables of two ledgers, row by row.
 *
 * @param held the ledger under test
 * @param right the ledger that it should equal
 * @returns how many rows were compared
 */
export async function compareDerived(
  held: Kysely<LedgerSchema>,
  right: Kysely<LedgerSchema>,
  onDifference: (difference: Difference) => void,
): Promise<number> {
  let rows = 0;
  const [heldColumns, rightColumns] = [await readColumns(held), await readColumns(right)];
  for (const [name, shape] of Object.entries(DERIVED_TABLES)) {
    const table = name as DerivedTable;
    const [a, b] = [dumpTable(held, heldColumns, table, shape), dumpTable(right, rightColumns, table, shape)];
    let [left, other] = [await next(a), await next(b)];
    while (left || other) {
      rows += 1;
      const order = !left ? 1 : !other ? -1 : compareKeys(left.key, other.key);
      const key = sayKey((order <= 0 ? left : other)!.key);
      if (order < 0) onDifference({ table, key, what: 'the row follows from no evidence' });
      else if (order > 0) onDifference({ table, key, what: 'the row is missing: the evidence gives it' });
      else for (const what of differing(left!, other!)) onDifference({ table, key, what });
      if (order <= 0) left = await next(a);
      if (order >= 0) other = await next(b);
    }
  }
  return rows;
}

async function next(rows: AsyncGenerator<DumpedRow>): Promise<DumpedRow | null> {
  const result = await rows.next();
  return result.done ? null : result.value;
}

function differing(held: DumpedRow, right: DumpedRow): string[] {
  return Object.keys({ ...held.columns, ...right.columns }).flatMap((column) => {
    const [is, should] = [held.columns[column] ?? null, right.columns[column] ?? null];
    return is === should ? [] : [`${column} is ${say(is)}, and the evidence gives ${say(should)}`];
  });
}

function say(value: string | null): string {
  return value === null ? 'nothing' : JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}
