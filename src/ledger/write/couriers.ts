import type { Kysely } from 'kysely';
import type { LedgerSchema } from '../schema.ts';

/** Puts a courier on record, the first time that anything is known of it; until it is named, its key is its name. */
export async function writeCourier(
  trx: Kysely<LedgerSchema>,
  courier: { readonly key: string; readonly first_evidence_id: number },
): Promise<void> {
  const held = await trx.selectFrom('courier').select('key').where('key', '=', courier.key).executeTakeFirst();
  if (held) return;
  const name = await freeName(trx, courier.key, courier.key);
  await trx
    .insertInto('courier')
    .values({ ...courier, name })
    .execute();
}

/** Gives a courier its name, or another one. */
export async function nameCourier(trx: Kysely<LedgerSchema>, key: string, name: string): Promise<void> {
  await trx
    .updateTable('courier')
    .set({ name: await freeName(trx, name, key) })
    .where('key', '=', key)
    .execute();
}

/** The name, or with a number where another courier has it. */
async function freeName(trx: Kysely<LedgerSchema>, name: string, key: string): Promise<string> {
  const others = await trx.selectFrom('courier').select('name').where('key', '<>', key).execute();
  const taken = new Set(others.map((other) => other.name));
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? name : `${name.slice(0, 36)}-${n}`;
    if (!taken.has(free)) return free;
  }
}
