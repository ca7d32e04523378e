import type { BulkInsert } from '../bulk-insert.ts';

/**
 * The statement that takes the rows of bulk inserts, to be followed by {@link copiedRows} of each. Names are the schema's own.
 *
 * The server plans the look-up of a foreign key once a session, as its table is then: of the first 2 invoices it would read all, and go
 * on so with 20,000. So it may use an index alone.
 */
export function copyInto(bulks: readonly BulkInsert[]): string {
  const copies = bulks.map(({ table, shared, columns }) => {
    const names = [...Object.keys(shared), ...columns].map((column) => `"${column}"`);
    return `copy "${table}" (${names.join(', ')}) from stdin`;
  });
  return ['set local enable_seqscan = off', ...copies, 'set local enable_seqscan to default'].join('; ');
}

/**
 * The rows as PostgreSQL's COPY reads them, a line each: `courier<tab>17<tab>\N`. The server neither parses nor plans them, as it does the
 * values of a statement, which takes it as long as to insert them.
 */
export function copiedRows({ shared, columns, rows }: BulkInsert): Buffer {
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
