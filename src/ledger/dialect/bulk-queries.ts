/**
 * Queries over many rows, for which each dialect's driver has its database's fastest way. Rows go from one database to
 * another as written rows. A written row is a line of UTF-8: a JSON array of texts, with bytes in hex, such as
 * `["1","it's",null,"00ff"]`.
 */
import { CompiledQuery } from 'kysely';

export interface BulkInsert {
  readonly table: string;
  /** Columns that have the same value in each row. */
  readonly shared: Readonly<Record<string, unknown>>;
  /** The columns whose values differ from row to row. */
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** What a query over many rows does: it inserts rows, or reads tables, or inserts rows that another database wrote. */
interface ManyRows {
  readonly bulk?: BulkInsert;
  readonly read?: readonly WrittenTable[];
  readonly insert?: WrittenTable & { readonly rows: Buffer };
}

type ManyRowsQuery = CompiledQuery & ManyRows;

/** What a query over many rows does; nothing for any other query. */
export function manyRowsOf(query: CompiledQuery): ManyRows {
  return query as ManyRowsQuery;
}

/**
 * A query that each dialect's driver turns into its database's fastest insert. The query builder would take longer to
 * build hundreds of rows than the database takes to write them.
 */
export function bulkQuery(bulk: BulkInsert): ManyRowsQuery {
  return { ...CompiledQuery.raw(`bulk insert into ${bulk.table}`), bulk };
}

/** `insert into "table" ("column", ...) `, to be followed by the values, or by what selects them. */
export function insertHead(table: string, columns: readonly string[]): string {
  return `insert into "${table}" (${listed(columns)}) `;
}

/** Names in quotation marks, with commas between them. They are safe: they are the schema's. */
export function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/** A column of a table that goes from one database to another. */
export interface WrittenColumn {
  readonly name: string;
  readonly type: 'integer' | 'text' | 'bytes';
}

/** A table to read written rows from, in the order of its key, or to insert them into. */
export interface WrittenTable {
  readonly table: string;
  readonly columns: readonly WrittenColumn[];
  readonly key: readonly string[];
}

/**
 * A query that streams the rows of all these tables, some at a time, each table's name before its rows. One statement
 * reads them all, so that a server is at the next table while rows of the last are still on their way.
 */
export function readWritten(tables: readonly WrittenTable[]): ManyRowsQuery {
  return { ...CompiledQuery.raw('read written rows'), read: tables };
}

/**
 * A query that inserts written rows. One database takes the bytes that the other wrote, as a parameter: to make objects
 * or even texts of the rows takes longer than all the rest.
 */
export function insertWritten(table: WrittenTable, rows: Buffer): ManyRowsQuery {
  return { ...CompiledQuery.raw('insert written rows'), insert: { ...table, rows } };
}

/** A query for a table's rows in the order of its key. @param selected expressions for its columns */
export function selectWritten({ table, key }: WrittenTable, selected: string): string {
  return `select ${selected} from "${table}" order by ${listed(key)}`;
}

/** The rows as one JSON array, and how many there are: of the lines `["1"]` and `["2"]` it makes `[["1"],["2"]]`. */
export function arrayOf(rows: Buffer): { array: Buffer; count: number } {
  const array = Buffer.concat([OPENING, rows]);
  let count = 0;
  for (let at = array.indexOf(LINE_BREAK); at !== -1; at = array.indexOf(LINE_BREAK, at + 1)) {
    array[at] = COMMA;
    count += 1;
  }
  array[rows.length] = CLOSING;
  return { array, count };
}

const OPENING = Buffer.from('[');
/** The bytes of `\n`, `,` and `]`. */
const [LINE_BREAK, COMMA, CLOSING] = [0x0a, 0x2c, 0x5d];
