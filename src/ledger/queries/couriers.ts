/** The couriers of the books, the account of each, and the user of a shared database. */
import { SqliteAdapter } from 'kysely';
import { compareText } from '../../base/text.ts';
import type { AccountTable, CourierNameTable, CourierTable } from '../schema.ts';
import { type LedgerReader, rowsOf } from './snapshot.ts';

export async function readCouriers(db: LedgerReader): Promise<CourierTable[]> {
  return db.selectFrom('courier').selectAll().orderBy('name').execute();
}

/** {@link readCouriers} and {@link readCourierNameHistory} in one query. */
export async function readCouriersAndNames(db: LedgerReader) {
  const rows = await db
    .selectFrom('courier as c')
    .leftJoin('courier_name as n', 'n.key', 'c.key')
    .select(['c.key', 'c.name', 'c.first_evidence_id', 'n.evidence_id', 'n.name as given_name'])
    .orderBy('n.evidence_id')
    .orderBy('c.key')
    .execute();
  const byKey = new Map(rows.map(({ key, name, first_evidence_id }) => [key, { key, name, first_evidence_id }]));
  const names = rows.flatMap(({ key, evidence_id, given_name }) =>
    evidence_id === null || given_name === null ? [] : { key, evidence_id, name: given_name },
  );
  return { ledgerCouriers: [...byKey.values()].sort((a, b) => compareText(a.name, b.name)), names };
}

/**
 * Makes a function that gives the key of the courier that a file names. The courier is the one that had the name when
 * the file was imported; if none had it then, the last that had had it, or else the first that got it later. A name
 * that no courier ever had is returned as it is: a new courier's key is its first name.
 *
 * @param importId the evidence of the import; absent for a file that is imported now
 */
export async function readCourierNames(db: LedgerReader): Promise<(name: string, importId?: number) => string> {
  const names = await readCourierNameHistory(db);
  return (name, importId = Number.MAX_SAFE_INTEGER) => {
    const namesThen = names.filter(({ evidence_id }) => evidence_id <= importId);
    const nameByKey = new Map(namesThen.map((given) => [given.key, given.name]));
    for (const [key, nameThen] of nameByKey) if (nameThen === name) return key;
    const isGiven = (given: { readonly name: string }) => given.name === name;
    return (namesThen.findLast(isGiven) ?? names.find(isGiven))?.key ?? name;
  };
}

/** Every name that each courier ever had, in the order in which they got them. */
export async function readCourierNameHistory(db: LedgerReader): Promise<CourierNameTable[]> {
  return db.selectFrom('courier_name').selectAll().orderBy('evidence_id').orderBy('key').execute();
}

/** The merchant's account, as the API's profile states it; null before the first sync. */
export async function readAccount(db: LedgerReader): Promise<AccountTable | null> {
  return (await db.selectFrom('account').selectAll().executeTakeFirst()) ?? null;
}

/** The address from which the last logo was fetched; null if none ever was. */
export async function readLogoAddress(db: LedgerReader): Promise<string | null> {
  const logos = db.selectFrom('evidence').select('source').where('kind', '=', 'logo');
  return (await logos.orderBy('id', 'desc').limit(1).executeTakeFirst())?.source ?? null;
}

/** The ledger's version: the name of its last migration. */
export async function readLedgerVersion(db: LedgerReader): Promise<string> {
  const rows = await rowsOf<{ name: string }>(db)`select max(name) as name from kysely_migration`;
  return rows[0]!.name;
}

/** The database user of this connection; null for a ledger in a file, which has no users. */
export async function readDatabaseUser(db: LedgerReader): Promise<string | null> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return null;
  const rows = await rowsOf<{ user: string }>(db)`select session_user::text as "user"`;
  return rows[0]!.user;
}
