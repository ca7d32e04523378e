import type { EvidenceRow } from '../../ledger/evidence/chain.ts';
import { readEvidenceOfKinds } from '../../ledger/queries/evidence/decided.ts';
import { type LedgerReader, usingSnapshot } from '../../ledger/queries/index.ts';
import { type Books, usingBooks } from '../books.ts';
import type { CloseRequest } from '../close/close.ts';
import type { WriteOffRequest } from '../disputes/move.ts';
import type { AddRequest } from '../match/by-hand.ts';
import type { SettleRequest } from '../settle/settle.ts';

/** What is done when a decision is approved. */
type Proposed =
  | { readonly what: 'settle'; readonly request: SettleRequest }
  | { readonly what: 'match'; readonly request: AddRequest }
  | { readonly what: 'write-off'; readonly request: WriteOffRequest }
  | { readonly what: 'close'; readonly request: CloseRequest };

/** A decision that waits, or waited, for a second person. */
export type ListedApproval = Proposed & {
  readonly id: number;
  readonly at: string;
  /** Who proposed it. */
  readonly by: string;
  readonly status: 'waiting' | 'approved' | 'refused';
  /** Who approved or refused it, when and why; null while it waits. */
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  readonly note: string | null;
};

/** The decisions that wait for a second person, and those that did, the latest first. */
export function listApprovals(books: Books): Promise<ListedApproval[]> {
  return usingBooks(books, { readOnly: true, anyZone: true, allCouriers: true }, (ledger) =>
    usingSnapshot(ledger, readApprovals),
  );
}

/** The same of a snapshot or a transaction. */
export async function readApprovals(db: LedgerReader): Promise<ListedApproval[]> {
  const rows = await readEvidenceOfKinds(db, ['proposal', 'proposal-approved', 'proposal-refused']);
  const ends = new Map<number, EvidenceRow>();
  for (const row of rows) if (row.kind !== 'proposal') ends.set(Number(row.subject), row);
  return rows
    .filter(({ kind }) => kind === 'proposal')
    .reverse()
    .map(({ id, at, actor, data }) => {
      const end = ends.get(id);
      return {
        id,
        at,
        by: actor!,
        ...(JSON.parse(data!) as Proposed),
        status: end === undefined ? 'waiting' : end.kind === 'proposal-approved' ? 'approved' : 'refused',
        decided_by: end?.actor ?? null,
        decided_at: end?.at ?? null,
        note: end ? (JSON.parse(end.data!) as { note: string | null }).note : null,
      };
    });
}
