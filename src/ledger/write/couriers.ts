import type { AdoptedReturns } from '../../base/returns.ts';
import { readCouriersAndNames } from '../queries/couriers.ts';
import type { Row, Trx } from './insert.ts';

/** Writes a courier, unless the ledger has it. Until somebody names it, its key is its name. */
export async function writeCourier(trx: Trx, courier: { readonly key: string; readonly first_evidence_id: number }) {
  if ((await readCouriersAndNames(trx)).ledgerCouriers.some(({ key }) => key === courier.key)) return;
  const { key, first_evidence_id } = courier;
  const name = await freeName(trx, key, key);
  await trx.insertInto('courier').values({ key, name, first_evidence_id }).execute();
  await trx.insertInto('courier_name').values({ key, evidence_id: first_evidence_id, name }).execute();
}

/** Gives a courier its first or a new name. @param evidenceId the evidence that gives it */
export async function nameCourier(
  trx: Trx,
  { key, name, evidenceId }: { readonly key: string; readonly name: string; readonly evidenceId: number },
): Promise<void> {
  const free = await freeName(trx, name, key);
  await trx.updateTable('courier').set({ name: free }).where('key', '=', key).execute();
  await trx
    .insertInto('courier_name')
    .values({ key, evidence_id: evidenceId, name: free })
    .onConflict((conflict) => conflict.columns(['key', 'evidence_id']).doUpdateSet({ name: free }))
    .execute();
}

/** Gives every courier its name of today, in a copy of the ledger as it was on an earlier day. */
export async function takeNames(trx: Trx, names: readonly { readonly key: string; readonly name: string }[]) {
  // Two couriers may have swapped names, and no two may have the same one in between. No name begins with `~`.
  for (const { key, name } of [...names.map((given) => ({ ...given, name: `~${given.key}` })), ...names]) {
    await trx.updateTable('courier').set({ name }).where('key', '=', key).execute();
  }
}

/** The name as it is, or with a number if another courier has it: `swift-2`, still of at most 40 characters. */
async function freeName(trx: Trx, name: string, key: string): Promise<string> {
  const others = await trx.selectFrom('courier').select('name').where('key', '<>', key).execute();
  const taken = new Set(others.map((other) => other.name));
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? name : `${name.slice(0, 36)}-${n}`;
    if (!taken.has(free)) return free;
  }
}

type Account = Omit<Row<'account'>, 'id' | 'logo_sha256'>;

/** Writes the merchant's account with the courier, in place of an earlier one; its logo stays. */
export async function writeAccount(trx: Trx, account: Account): Promise<void> {
  await trx
    .insertInto('account')
    .values({ id: 1, ...account, logo_sha256: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(account))
    .execute();
}

/** Writes which picture is the account's logo. @param sha256 of its body in the evidence */
export async function writeLogo(trx: Trx, sha256: string): Promise<void> {
  await trx.updateTable('account').set({ logo_sha256: sha256 }).where('id', '=', 1).execute();
}

/** Writes how a courier's invoices show RETURN orders. @param evidence of the check that worked it out */
export async function writeAdoptedReturns(
  trx: Trx,
  { convention, basis, among }: AdoptedReturns,
  evidence: { readonly id: number; readonly at: string },
): Promise<void> {
  const row = { id: evidence.id, at: evidence.at, convention, basis, among: among.join(',') };
  await trx.insertInto('returns_adopted').values(row).execute();
}
