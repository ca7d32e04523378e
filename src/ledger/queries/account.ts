/** Whose books the ledger holds, and which migrations it went through. */
import { type Selectable, sql } from 'kysely';
import type { AccountTable } from '../schema.ts';
import type { LedgerReader } from './snapshot.ts';

export type Account = Selectable<AccountTable>;

/** Whose books these are, as the API's profile says; null before the first sync. */
export async function readAccount(db: LedgerReader): Promise<Account | null> {
  return (await db.selectFrom('account').selectAll().executeTakeFirst()) ?? null;
}

/** The name of the last migration that the ledger went through: its version. */
export async function readLedgerVersion(db: LedgerReader): Promise<string> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db);
  return rows[0]!.name;
}
