import type { Kysely } from 'kysely';
import { readCouriersAndNames } from '../queries/couriers.ts';
import type { LedgerSchema } from '../schema.ts';

/** Writes a courier, unless the ledger has it. Until somebody names it, its key is its name. */
export async function writeCourier(
  trx: Kysely<LedgerSchema>,
  courier: { readonly key: string; readonly first_evidence_id: number },
): Promise<void> {
  if ((await readCouriersAndNames(trx)).ledgerCouriers.some(({ key }) => key === courier.key)) return;
  const { key, first_evidence_id } = courier;
  const name = await freeName(trx, key, key);
  await trx.insertInto('courier').values({ key, name, first_evidence_id }).execute();
  await trx.insertInto('courier_name').values({ key, evidence_id: first_evidence_id, name }).execute();
}

/** Gives a courier its first or a new name. @param evidenceId the evidence that gives it */
export async function nameCourier(
  trx: Kysely<LedgerSchema>,
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
export async function takeNames(
  trx: Kysely<LedgerSchema>,
  names: readonly { readonly key: string; readonly name: string }[],
): Promise<void> {
  // Two couriers may have swapped names, and no two may have the same one in between. No name begins with `~`.
  for (const { key } of names)
    await trx
      .updateTable('courier')
      .set({ name: `~${key}` })
      .where('key', '=', key)
      .execute();
  for (const { key, name } of names) await trx.updateTable('courier').set({ name }).where('key', '=', key).execute();
}

/** The name as it is, or with a number if another courier has it: `swift-2`, still of at most 40 characters. */
async function freeName(trx: Kysely<LedgerSchema>, name: string, key: string): Promise<string> {
  const others = await trx.selectFrom('courier').select('name').where('key', '<>', key).execute();
  const taken = new Set(others.map((other) => other.name));
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? name : `${name.slice(0, 36)}-${n}`;
    if (!taken.has(free)) return free;
  }
}
