import type { BulkInsert } from '../bulk-insert.ts';
import { type Statement, writtenValue } from './batch.ts';

const NOT_ALL_ROWS = { sql: 'set local enable_seqscan = off', values: [] };
const AS_BEFORE = { sql: 'set local enable_seqscan to default', values: [] };

/**
 * Lets copies among statements look foreign keys up by index alone. The server plans such a look-up once a session, for its table as it is
 * then: of the first 2 invoices it would read all, and go on so with 20,000.
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
  const written = writtenValue(value);
  if (written === null) return '\\N';
  if (typeof written !== 'string') return `\\\\x${written.toString('hex')}`;
  return typeof value === 'string' ? written.replace(/[\\\t\n\r]/g, (letter) => ESCAPED[letter]!) : written;
}
