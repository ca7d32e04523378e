import { readCouriersAndNames } from '../queries/couriers.ts';
import type { Row, Trx } from './insert.ts';

/** Writes a courier, unless the ledger has it. Until somebody names it, its key is its name. */
export async function writeCourier(trx: Trx, key: string, evidence_id: number): Promise<void> {
  const { ledgerCouriers } = await readCouriersAndNames(trx);
  if (ledgerCouriers.some((courier) => courier.key === key)) return;
  const name = await freeName(trx, key, key);
  await trx.insertInto('courier').values({ key, name, first_evidence_id: evidence_id }).execute();
  await trx.insertInto('courier_name').values({ key, evidence_id, name }).execute();
}

/** Gives a courier its first or a new name. */
export async function nameCourier(trx: Trx, key: string, name: string, evidence_id: number): Promise<void> {
  const free = await freeName(trx, name, key);
  await trx.updateTable('courier').set({ name: free }).where('key', '=', key).execute();
  await trx
    .insertInto('courier_name')
    .values({ key, evidence_id, name: free })
    .onConflict((conflict) => conflict.columns(['key', 'evidence_id']).doUpdateSet({ name: free }))
    .execute();
}

/** Gives every courier its name of today, in a copy of the ledger as it was on an earlier day. */
export async function renameCouriers(trx: Trx, names: readonly { readonly key: string; readonly name: string }[]) {
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

/** Writes the merchant's account with the courier, in place of an earlier one; its logo stays. */
export async function writeAccount(trx: Trx, account: Omit<Row<'account'>, 'id' | 'logo_sha256'>): Promise<void> {
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
