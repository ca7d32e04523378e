import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { withLedger } from '../helpers/ledger.ts';

/** The tables of docs/data.md, each with the columns that its row names. */
function documentedTables(): Map<string, string[]> {
  const page = readFileSync('docs/data.md', 'utf8');
  const rows = [...page.slice(page.indexOf('## The tables')).matchAll(/^\| `(\w+)` \|.*?\| (.*) \|$/gm)];
  // What stands in brackets are values.
  const columns = (text: string) =>
    [...text.replace(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  return new Map(rows.map(([, table = '', text = '']) => [table, columns(text)]));
}

it('docs/data.md names every table and every column of the ledger, and no other', async () => {
  const documented = documentedTables();
  await withLedger({}, async ({ db }) => {
    const { rows: tables } = await sql<{ name: string }>`
      select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'`.execute(
      db,
    );
    const held = new Map<string, string[]>();
    for (const { name } of tables) {
      const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${name})`.execute(db);
      held.set(name, rows.map((column) => column.name).sort());
    }
    const named = [...documented].map(([name, columns]) => [name, [...new Set(columns)].sort()]);
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(held));
  });
});

it('the query of docs/data.md runs', async () => {
  const queries = [...readFileSync('docs/data.md', 'utf8').matchAll(/^```sql\n(.*?)^```/gms)].map(
    ([, text = '']) => text,
  );
  expect(queries.length).toBeGreaterThan(0);
  await withLedger(
    { invoices: [{ number: 10001, rows: [{ order_id: 'A1', amounts: { USD: ['30.00', '3.00'] } }] }] },
    async ({ db }) => {
      for (const query of queries) {
        const { rows } = await sql.raw(query.trim().replace(/;$/, '')).execute(db);
        expect(rows).toEqual([{ invoice_number: 10001, currency: 'USD', open: 27 }]);
      }
    },
  );
});
