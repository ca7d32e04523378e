import { chunks } from '../chunks.ts';
import type { Row, Trx } from './insert.ts';

export type Unreadable = Row<'unreadable'>;

/** Notes what cannot be read, in place of an earlier note about the same subject. */
export async function noteUnreadable(trx: Trx, notes: readonly Unreadable[]): Promise<void> {
  for (const note of notes) {
    const { kind: _, subject: __, ...rest } = note;
    await trx
      .insertInto('unreadable')
      .values(note)
      .onConflict((conflict) => conflict.columns(['kind', 'subject']).doUpdateSet(rest))
      .execute();
  }
}

/** Removes the notes about these subjects: they can be read again, or are gone. */
export async function clearUnreadable(trx: Trx, kind: string, subjects: readonly string[]): Promise<void> {
  for (const page of chunks(subjects)) {
    await trx.deleteFrom('unreadable').where('kind', '=', kind).where('subject', 'in', page).execute();
  }
}

/** Removes a kind's notes (of a month, if given) but those about `still`: a complete walk showed no others. */
export async function clearUnreadableBut(trx: Trx, kind: string, period: string | null, still: ReadonlySet<string>) {
  let held = trx.selectFrom('unreadable').select('subject').where('kind', '=', kind);
  if (period !== null) held = held.where('period', '=', period);
  const subjects = (await held.execute()).map(({ subject }) => subject).filter((subject) => !still.has(subject));
  await clearUnreadable(trx, kind, subjects);
}
