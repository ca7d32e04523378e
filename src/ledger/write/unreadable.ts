import type { Insertable, Kysely } from 'kysely';
import { chunks } from '../chunks.ts';
import type { LedgerSchema } from '../schema.ts';

export type Unreadable = Insertable<LedgerSchema['unreadable']>;

/** Notes what cannot be read, in place of what was noted of the same thing; what it was first noted for stays where it is the same body. */
export async function noteUnreadable(trx: Kysely<LedgerSchema>, notes: readonly Unreadable[]): Promise<void> {
  for (const note of notes) {
    const { kind: _, subject: __, ...rest } = note;
    await trx
      .insertInto('unreadable')
      .values(note)
      .onConflict((conflict) => conflict.columns(['kind', 'subject']).doUpdateSet(rest))
      .execute();
  }
}

/** Takes back the notes about some things of a kind: they can be read again, or are gone. */
export async function clearUnreadable(
  trx: Kysely<LedgerSchema>,
  kind: string,
  subjects: readonly string[],
): Promise<void> {
  for (const page of chunks(subjects)) {
    await trx.deleteFrom('unreadable').where('kind', '=', kind).where('subject', 'in', page).execute();
  }
}

/** Takes back the notes of a kind (of one month, where it has one) but for some: a complete look no longer shows the others. */
export async function clearUnreadableBut(
  trx: Kysely<LedgerSchema>,
  kind: string,
  period: string | null,
  still: ReadonlySet<string>,
): Promise<void> {
  let held = trx.selectFrom('unreadable').select('subject').where('kind', '=', kind);
  if (period !== null) held = held.where('period', '=', period);
  const subjects = (await held.execute()).map(({ subject }) => subject).filter((subject) => !still.has(subject));
  await clearUnreadable(trx, kind, subjects);
}
