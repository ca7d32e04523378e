import { CompiledQuery } from 'kysely';

/** A column of a table that goes from one database to another. */
export interface WrittenColumn {
  readonly name: string;
  readonly type: 'integer' | 'text' | 'bytes';
}

/**
 * A table whose rows are read in the order of its key, or inserted, as UTF-8: a line of JSON each, an array of texts,
 * bytes in hex: `["1","it's",null,"00ff"]`.
 */
export interface WrittenTable {
  readonly table: string;
  readonly columns: readonly WrittenColumn[];
  readonly key: readonly string[];
}

/** One of the two: the tables to read, or rows to insert into a table. */
interface Written {
  readonly read?: readonly WrittenTable[];
  readonly insert?: WrittenTable & { readonly rows: Buffer };
}

/**
 * A query that streams the rows of all these tables, some at a time, each table's name before its rows. One statement
 * reads them all, so that a server is at the next table while rows of the last are still on their way.
 */
export function readWritten(tables: readonly WrittenTable[]): CompiledQuery & Written {
  return { ...CompiledQuery.raw('read written rows'), read: tables };
}

/**
 * A query that inserts such rows. One database takes the bytes that the other wrote, as a parameter: to make objects or
 * even texts of the rows takes longer than all the rest.
 */
export function insertWritten(table: WrittenTable, rows: Buffer): CompiledQuery & Written {
  return { ...CompiledQuery.raw('insert written rows'), insert: { ...table, rows } };
}

/** What such a query reads or inserts; nothing for any other query. */
export function writtenOf(query: CompiledQuery): Written {
  return query as Written;
}

/** A query for a table's rows in the order of its key. @param selected expressions for its columns */
export function selectWritten({ table, key }: WrittenTable, selected: string): string {
  return `select ${selected} from "${table}" order by ${listed(key)}`;
}

/** `insert into table (columns)`, to be followed by what selects the rows. */
export function insertWrittenHead({ table, columns }: WrittenTable): string {
  return `insert into "${table}" (${listed(columns.map(({ name }) => name))}) `;
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
const [LINE_BREAK, COMMA, CLOSING] = Buffer.from('\n,]') as unknown as [number, number, number];

/** Names are the schema's own. */
function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
