import type { Insertable, Kysely } from 'kysely';
import type { LedgerSchema } from '../schema.ts';

type Account = Omit<Insertable<LedgerSchema['account']>, 'id' | 'logo_sha256'>;

/** Writes the merchant's account with the courier, in place of an earlier one; its logo stays. */
export async function writeAccount(trx: Kysely<LedgerSchema>, account: Account): Promise<void> {
  await trx
    .insertInto('account')
    .values({ id: 1, ...account, logo_sha256: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(account))
    .execute();
}

/** Writes which picture is the account's logo. @param sha256 of its body in the evidence */
export async function writeLogo(trx: Kysely<LedgerSchema>, sha256: string): Promise<void> {
  await trx.updateTable('account').set({ logo_sha256: sha256 }).where('id', '=', 1).execute();
}
