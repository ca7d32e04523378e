import type { Insertable, Kysely } from 'kysely';
import type { LedgerSchema, RunStatus } from '../schema.ts';

/** Puts a run on record. */
export async function writeRun(trx: Kysely<LedgerSchema>, run: Insertable<LedgerSchema['run']>): Promise<void> {
  await trx.insertInto('run').values(run).execute();
}

/** Says how a run ended. */
export async function endRun(
  trx: Kysely<LedgerSchema>,
  id: number,
  end: { status: RunStatus; finished_at: string | null; summary: string | null },
): Promise<void> {
  await trx.updateTable('run').set(end).where('id', '=', id).execute();
}

/** Puts on record a walk over a list. */
export async function writeListing(
  trx: Kysely<LedgerSchema>,
  listing: Insertable<LedgerSchema['listing']>,
): Promise<void> {
  await trx.insertInto('listing').values(listing).execute();
}
