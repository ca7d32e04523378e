import { type Kysely, sql } from 'kysely';
import type { LedgerSchema } from '../../schema.ts';

/**
 * Has `work` fill the tables of a new file in one transaction. A failure leaves a file that is thrown away, so no journal is kept on disk.
 * Indexes are made when the tables are full. References are not checked here: the caller looks for damage.
 */
export async function fillTables<T>(
  db: Kysely<LedgerSchema>,
  work: (transaction: Kysely<LedgerSchema>) => Promise<T>,
): Promise<T> {
  await sql`pragma journal_mode = memory`.execute(db);
  await sql`pragma foreign_keys = off`.execute(db);
  return db.transaction().execute(async (transaction) => {
    const indexes = await sql<{ name: string; definition: string }>`
      select name, sql as definition from sqlite_master where type = 'index' and sql is not null order by rowid`.execute(
      transaction,
    );
    for (const { name } of indexes.rows) await sql`drop index ${sql.id(name)}`.execute(transaction);
    const result = await work(transaction);
    for (const { definition } of indexes.rows) await sql.raw(definition).execute(transaction);
    return result;
  });
}
