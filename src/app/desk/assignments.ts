import { UsageError } from '../../base/errors.ts';
import { cleanText } from '../../base/text.ts';
import { appendEvidence } from '../../ledger/index.ts';
import { readEvidenceOfKinds } from '../../ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { showingError } from '../../words/errors/showing.ts';
import { type Books, changeBooks } from '../books.ts';
import { booksOfMismatches, readEachCourier } from '../each-courier.ts';
import { selectMismatches } from '../mismatches/select.ts';
import { subjectOf } from '../record.ts';

/** Who is to look at a mismatch, and who said so. */
export interface Assignment {
  readonly to: string;
  readonly by: string;
  readonly at: string;
}

interface AssignmentData {
  readonly ids: readonly string[];
  /** Null where the assignment was taken back. */
  readonly to: string | null;
}

const KIND = 'assignment';

/** The assignments that hold now, by courier and mismatch id. */
export async function readAssignments(books: Books): Promise<ReadonlyMap<string, ReadonlyMap<string, Assignment>>> {
  const perCourier = await readEachCourier(books, { newSettings: 'unchecked' }, assignmentsIn);
  return new Map(perCourier.map(({ courier, value }) => [courier, value]));
}

async function assignmentsIn(db: LedgerReader): Promise<ReadonlyMap<string, Assignment>> {
  const assigned = new Map<string, Assignment>();
  for (const { actor, at, data } of await readEvidenceOfKinds(db, [KIND])) {
    const { ids, to } = JSON.parse(data!) as AssignmentData;
    for (const id of ids) {
      if (to === null) assigned.delete(id);
      else assigned.set(id, { to, by: actor!, at });
    }
  }
  return assigned;
}

/**
 * Assigns mismatches of one courier to a person.
 *
 * @param name empty to take the assignment back
 * @throws UsageError for an id that fits none or several, or a bad name
 */
export async function assign(books: Books, ids: readonly string[], name: string, by: string): Promise<AssignmentData> {
  const to = name.trim();
  if (cleanText(to, 100) !== to) throw new UsageError(showingError({ id: 'no-person-name', name: to })).at('to');
  return changeBooks(await booksOfMismatches(books, ids), {}, async (trx) => {
    const fullIds = (await selectMismatches(trx, { ids, filter: {} }, [])).map(({ id }) => id);
    const data: AssignmentData = { ids: fullIds, to: to === '' ? null : to };
    const assigned = await assignmentsIn(trx);
    // The same assignment again changes nothing.
    if (fullIds.every((id) => (assigned.get(id)?.to ?? null) === data.to)) return data;
    await appendEvidence(trx, { at: books.now(), kind: KIND, actor: by, subject: subjectOf(fullIds), data });
    return data;
  });
}
