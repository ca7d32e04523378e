import type { Kysely } from 'kysely';
import type { AdoptedReturns } from '../../base/returns.ts';
import type { LedgerSchema } from '../schema.ts';

/** Writes how a courier's invoices show RETURN orders. @param evidence of the check that worked it out */
export async function writeAdoptedReturns(
  trx: Kysely<LedgerSchema>,
  { convention, basis, among }: AdoptedReturns,
  evidence: { readonly id: number; readonly at: string },
): Promise<void> {
  const row = { id: evidence.id, at: evidence.at, convention, basis, among: among.join(',') };
  await trx.insertInto('returns_adopted').values(row).execute();
}
