import { ConflictError, UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { appendEvidence, type LedgerTransaction, wholeLedger } from '../../ledger/index.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { because } from '../../words/errors/deciding.ts';
import { type Books, changeBooks } from '../books.ts';
import { type ListedApproval, readApprovals } from './list.ts';
import { readDecider } from './propose.ts';

/** Who approves or refuses a decision that waits. */
export interface Verdict {
  readonly id: number;
  readonly by: string;
  readonly note: string | null;
}

/** A decision that a second person refused: it is never done. */
export interface RefusedApproval {
  readonly approval: number;
  readonly status: 'refused';
  readonly by: string;
  readonly note: string | null;
}

/**
 * Refuses a waiting decision; its proposer may take it back this way too.
 *
 * @throws UsageError where there is no such proposal; ConflictError where it waits no longer
 */
export function refuse(books: Books, verdict: Verdict): Promise<RefusedApproval> {
  return changeBooks(books, { allCouriers: true }, async (trx) => {
    await holdHead(trx);
    return refuseIn(trx, books, verdict);
  });
}

/** Refuses a waiting decision inside an open transaction. */
export async function refuseIn(
  trx: LedgerTransaction,
  books: Pick<Books, 'now' | 'isTeams'>,
  verdict: Verdict,
): Promise<RefusedApproval> {
  await requireWaiting(wholeLedger(trx), verdict.id);
  await keepVerdict(trx, verdict, 'proposal-refused', books);
  const { id, by, note } = verdict;
  return { approval: id, status: 'refused', by, note };
}

export async function requireWaiting(db: LedgerReader, id: number): Promise<ListedApproval> {
  const approval = (await readApprovals(db)).find((one) => one.id === id);
  if (!approval) throw new UsageError(because({ id: 'no-decision-waits', decision: id }));
  if (approval.status === 'waiting') return approval;
  const first = { by: approval.decided_by!, at: approval.decided_at! };
  const about = { decision: id, status: approval.status, by: first.by, at: instantForPeople(first.at) };
  throw new ConflictError(because({ id: 'decided-already', ...about }), { first });
}

export async function keepVerdict(
  trx: LedgerTransaction,
  { id, by, note }: Verdict,
  kind: 'proposal-approved' | 'proposal-refused',
  books: Pick<Books, 'now' | 'isTeams'>,
): Promise<void> {
  const user = await readDecider(trx, books);
  const data = { note, ...(user === null ? {} : { database_user: user }) };
  await appendEvidence(trx, { at: books.now(), kind, actor: by, subject: String(id), data });
}
