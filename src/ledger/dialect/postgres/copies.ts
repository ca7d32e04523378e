import type { BulkInsert } from '../bulk-insert.ts';
import type { Statement } from './batch.ts';

const NOT_ALL_ROWS = { sql: 'set local enable_seqscan = off', values: [] };
const AS_BEFORE = { sql: 'set local enable_seqscan to default', values: [] };

/**
 * Statements of which some are copies. The server plans the look-up of a foreign key once a session, as its table is then: of the first
 * 2 invoices it would read all, and go on so with 20,000. So it may use an index alone.
 */
export function byIndex(statements: readonly Statement[]): readonly Statement[] {
  return statements.some(({ lines }) => lines) ? [NOT_ALL_ROWS, ...statements, AS_BEFORE] : statements;
}

/** A bulk insert as a `copy from stdin`. Names are the schema's own. */
export function copyOf({ table, shared, columns, rows }: BulkInsert): Required<Statement> {
  const names = [...Object.keys(shared), ...columns].map((column) => `"${column}"`);
  const sql = `copy "${table}" (${names.join(', ')}) from stdin`;
  return { sql, values: [], lines: copiedRows({ shared, columns, rows }) };
}

/**
 * The rows as PostgreSQL's COPY reads them, a line each: `courier<tab>17<tab>\N`. The server neither parses nor plans them, as it does the
 * values of a statement, which takes it as long as to insert them.
 */
function copiedRows({ shared, columns, rows }: Omit<BulkInsert, 'table'>): Buffer {
  const first = Object.values(shared)
    .map((value) => `${fieldOf(value)}\t`)
    .join('');
  let text = '';
  for (const row of rows) {
    text += first;
    for (let at = 0; at < columns.length; at += 1) text += (at === 0 ? '' : '\t') + fieldOf(row[columns[at]!]);
    text += '\n';
  }
  return Buffer.from(text);
}

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'string') return value.replace(/[\\\t\n\r]/g, (letter) => ESCAPED[letter]!);
  if (value instanceof Uint8Array)
    return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw new Error(`a ${typeof value} is no value of the ledger`);
}
