import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import { MAX_VARIABLES } from '../../sql.ts';
import { type BulkInsert, bulkOf, insertHead } from '../bulk-insert.ts';

const ROWS_A_STATEMENT = 250;

/** A connection of the driver's that also takes bulk inserts: as statements of many rows each, since each costs a round trip. */
export class PostgresLedgerConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #inserted: Map<string, number>;

  /** @param inserted counts the rows that are inserted in bulk, by table */
  constructor(inner: DatabaseConnection, inserted: Map<string, number>) {
    this.inner = inner;
    this.#inserted = inserted;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const bulk = bulkOf(query);
    if (bulk) return this.#insert(bulk);
    return this.inner.executeQuery<R>(query);
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize);
  }

  async #insert<R>(bulk: BulkInsert): Promise<QueryResult<R>> {
    const { columns, rows } = bulk;
    const shared = Object.values(bulk.shared);
    const width = shared.length + columns.length;
    const most = Math.min(ROWS_A_STATEMENT, Math.floor(MAX_VARIABLES / width));
    const head = insertHead(bulk);
    for (let from = 0; from < rows.length; from += most) {
      const some = rows.slice(from, from + most);
      const values = some.flatMap((row) => [...shared, ...columns.map((column) => row[column] ?? null)]);
      await this.inner.executeQuery(CompiledQuery.raw(head + placeholders(some.length, width), values));
    }
    this.#inserted.set(bulk.table, (this.#inserted.get(bulk.table) ?? 0) + rows.length);
    return { numAffectedRows: BigInt(rows.length), rows: [] };
  }
}

/** `($1, $2), ($3, $4)` and so on. */
function placeholders(rows: number, columns: number): string {
  const text: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    const numbers = Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`);
    text.push(`(${numbers.join(', ')})`);
  }
  return text.join(', ');
}
