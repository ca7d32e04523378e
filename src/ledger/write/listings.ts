import type { Insertable, Kysely } from 'kysely';
import type { LedgerSchema } from '../schema.ts';

/** Puts on record how a list was walked. */
export async function writeListing(
  trx: Kysely<LedgerSchema>,
  listing: Insertable<LedgerSchema['listing']>,
): Promise<void> {
  await trx.insertInto('listing').values(listing).execute();
}
