import { chunks } from '../chunks.ts';
import type { Evidence, Row, Trx } from './insert.ts';

/** Notes what cannot be read of some evidence, in place of earlier notes about the same subjects. */
export async function noteUnreadable(
  trx: Trx,
  notes: readonly Pick<Row<'unreadable'>, 'kind' | 'subject' | 'period' | 'why'>[],
  { id: evidence_id, at, sha256 }: Evidence & { readonly sha256: string | null },
): Promise<void> {
  for (const { kind, subject, period, why } of notes) {
    const note = { period, evidence_id, at, sha256, why };
    await trx
      .insertInto('unreadable')
      .values({ kind, subject, ...note })
      .onConflict((conflict) => conflict.columns(['kind', 'subject']).doUpdateSet(note))
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
