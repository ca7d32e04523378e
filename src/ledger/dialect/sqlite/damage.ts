import { sql } from 'kysely';
import type { Connection } from '../dialect.ts';

/** The most problems of one kind that are named. */
const MOST = 100;

/** Looks for damage in a database file: pages and indexes (each index compared with its table where `thorough`), and rows that point to nothing. */
export async function findDamage({ db }: Connection, thorough: boolean): Promise<string[]> {
  const check = sql.raw(`pragma ${thorough ? 'integrity_check' : 'quick_check'}(${MOST})`);
  const pages = await sql<Record<string, string>>`${check}`.execute(db);
  const damage = pages.rows.flatMap((row) => Object.values(row)).filter((line) => line !== 'ok');
  const orphans = await sql<{ table: string; rowid: number | null; parent: string }>`pragma foreign_key_check`.execute(
    db,
  );
  for (const { table, rowid, parent } of orphans.rows.slice(0, MOST)) {
    damage.push(`a row of ${table}${rowid === null ? '' : ` (${rowid})`} points to no ${parent}`);
  }
  return damage;
}
