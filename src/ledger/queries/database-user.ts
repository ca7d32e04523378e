import { SqliteAdapter, sql } from 'kysely';
import type { LedgerReader } from './snapshot.ts';

/** The user under whom a server knows this connection; null for a ledger in a file, which knows no users. */
export async function readDatabaseUser(db: LedgerReader): Promise<string | null> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return null;
  const { rows } = await sql<{ user: string }>`select session_user::text as "user"`.execute(db);
  return rows[0]!.user;
}
