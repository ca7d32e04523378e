import type { LedgerReader } from './snapshot.ts';

/** The last evidence that changed what is known of mismatches, by a check or a person; 0 before the first. */
export async function readLastChange(db: LedgerReader): Promise<number> {
  const { id } = await db
    .selectFrom('evidence')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('kind', 'in', ['findings', 'decision', 'resolutions', 'claim', 'claim-written-off'])
    .executeTakeFirstOrThrow();
  return Number(id ?? 0);
}
