/**
 * Reads whole ledgers, in two ways. To hash or copy them, the database streams its rows as bytes (`writtenParts`): to
 * make objects of rows would take longest. To export or compare rows, their values are read in pages (`pagesOf`). The
 * rows of all couriers are read, even through the handle of one.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { pages } from './chunks.ts';
import { wholeLedger } from './courier.ts';
import { readWritten, type WrittenColumn, type WrittenTable } from './dialect/bulk-queries.ts';
import type { LedgerDb } from './schema.ts';
import { ALL_TABLES, type TableShape, type TableShapes } from './tables.ts';

/** A table for other programs: money as bigint units of 1/10,000, everything else as it is stored. */
interface ExportedTable {
  readonly name: string;
  readonly columns: readonly ExportedColumn[];
  /** The rows in the order of the key, a page at a time; a cell for each column in its order. They can be read once. */
  readonly pages: AsyncIterable<readonly (readonly ExportedCell[])[]>;
}

interface ExportedColumn {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'money';
  readonly nullable: boolean;
}

type ExportedCell = string | number | bigint | null;

/** The bodies of documents, and their index: only remit can use them. */
const BODY_TABLES = new Set(['evidence_body', 'evidence_pack', 'evidence_part']);

/** Every table of the ledger but the bodies of documents. Call it in one snapshot, so that all rows belong together. */
export async function exportTables(db: LedgerDb): Promise<ExportedTable[]> {
  const tables = await db.introspection.getTables();
  const columnsByTable = await readColumns(db);
  return Object.entries(ALL_TABLES)
    .filter(([name]) => !BODY_TABLES.has(name))
    .map(([name, shape]) => {
      const columns = (tables.find((table) => table.name === name && !table.isView)?.columns ?? []).map((column) => ({
        name: column.name,
        type: typeOf(column, shape),
        nullable: column.isNullable,
      }));
      return { name, columns, pages: cellsOf(pagesOf(db, columnsByTable, name, shape), columns) };
    });
}

function typeOf({ name, dataType }: { name: string; dataType: string }, { money }: TableShape): ExportedColumn['type'] {
  if (money.includes(name)) return 'money';
  return /int/i.test(dataType) ? 'integer' : 'text';
}

async function* cellsOf(rowPages: ReturnType<typeof pagesOf>, columns: readonly ExportedColumn[]) {
  for await (const rows of rowPages) {
    yield rows.map((row) =>
      columns.map(({ name, type }): ExportedCell => {
        // Only the tables of bodies have bytes.
        const value = row[name] as Exclude<Value, Buffer>;
        return type === 'money' && value !== null ? BigInt(value) : value;
      }),
    );
  }
}

export type Value = string | number | null | Buffer;

/** The columns of each table, sorted by name, because databases list them in different orders. */
export type Columns = ReadonlyMap<string, readonly WrittenColumn[]>;

/** Reads the columns of all tables at once: each reading describes the views too, which takes long. */
export async function readColumns(handle: LedgerDb): Promise<Columns> {
  const tables = await wholeLedger(handle).introspection.getTables({ withInternalKyselyTables: false });
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

/** Some rows of a table, as written rows (`bulk-queries.ts`). */
export interface WrittenPart {
  readonly table: WrittenTable;
  readonly rows: Buffer;
}

const NO_ROWS = Buffer.alloc(0);

/**
 * Every table's rows in the order of its key, a part at a time; memory stays bounded. A table without rows is a part
 * too.
 *
 * @param tables the tables of an earlier schema; this program's when absent
 */
export async function* writtenParts(handle: LedgerDb, tables: TableShapes = ALL_TABLES): AsyncGenerator<WrittenPart> {
  const db = wholeLedger(handle);
  const columns = await readColumns(db);
  const written = Object.entries(tables).map(([table, { key }]) => ({ table, columns: columns.get(table) ?? [], key }));
  let at = -1;
  for await (const { rows: parts } of db.getExecutor().stream<string | Buffer>(readWritten(written), 1)) {
    for (const part of parts) {
      // Before its rows, each table sends its name.
      const isName = typeof part === 'string';
      if (isName) at += 1;
      yield { table: written[at]!, rows: isName ? NO_ROWS : part };
    }
  }
}

const PAGE = 1_000;

/** A table's rows in the order of its key, a page at a time; money as text: large amounts are no exact numbers. */
export function pagesOf(handle: LedgerDb, columnsByTable: Columns, table: string, shape: TableShape) {
  const db = wholeLedger(handle);
  const selected = (columnsByTable.get(table) ?? []).map(({ name }) => {
    const column = sql.ref(name);
    return shape.money.includes(name) ? sql`cast(${column} as text) as ${column}` : column;
  });
  const key = sql.join(shape.key.map((column) => sql.ref(column)));
  /** @param after the key of the row before; null for the first page */
  const readPage = async (after: readonly Value[] | null) => {
    const isAfter = after === null ? sql`1 = 1` : sql`(${key}) > (${sql.join([...after])})`;
    const { rows } = await sql<Readonly<Record<string, Value>>>`
      select ${sql.join(selected)} from ${sql.table(table)}
      where ${isAfter} order by ${key} limit ${sql.lit(PAGE)}`.execute(db);
    return rows;
  };
  return pages(null, readPage, (row) => keyOf(row, shape));
}

/** The values of a row's primary key, in the order of its columns. */
export function keyOf(row: Readonly<Record<string, Value>>, { key }: TableShape): Value[] {
  return key.map((column) => row[column] as Value);
}

/** SHA-256 over every row of the ledger. @param tables the tables of an earlier schema; this program's when absent */
export async function dumpHash(db: LedgerDb, tables: TableShapes = ALL_TABLES) {
  const hash = new DumpHash();
  for await (const part of writtenParts(db, tables)) hash.add(part);
  return hash.digest();
}

/** The hash that {@link dumpHash} gives, fed by a caller that reads the rows for another purpose too. */
export class DumpHash {
  readonly #hash = createHash('sha256');
  #table: WrittenTable | undefined;

  add({ table, rows }: WrittenPart): void {
    if (table !== this.#table) this.#hash.update(`${table.table} ${table.columns.map(({ name }) => name).join(' ')}\n`);
    this.#table = table;
    this.#hash.update(rows);
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}
