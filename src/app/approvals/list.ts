import { type NumberTexts, numberText } from '../../base/number-texts.ts';
import type { EvidenceRow } from '../../ledger/evidence/chain.ts';
import { ofCourier, wholeLedger } from '../../ledger/index.ts';
import { readCouriers } from '../../ledger/queries/couriers.ts';
import { readEvidenceOfKinds } from '../../ledger/queries/evidence/decided.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { type LedgerReader, usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { type Books, usingBooks } from '../books.ts';
import type { CloseRequest } from '../close/close.ts';
import { couriersOf } from '../couriers.ts';
import type { DecisionLine } from '../decisions/lines.ts';
import type { WriteOffRequest } from '../disputes/move.ts';
import type { ImportProposal } from '../import/waiting.ts';
import type { AddRequest } from '../match/by-hand.ts';
import type { ResolveRequest } from '../mismatches/decide.ts';
import type { SettleRequest } from '../settle/settle.ts';
import type { PolicyRequest } from './policy.ts';

/** What both sides call the invoices of a request. */
interface OfInvoicesText {
  readonly invoices_text?: readonly string[];
}

/** What is done when a decision is approved. */
type Proposed =
  | { readonly what: 'settle'; readonly request: SettleRequest & OfInvoicesText }
  | { readonly what: 'match'; readonly request: AddRequest & OfInvoicesText }
  | { readonly what: 'write-off'; readonly request: WriteOffRequest }
  | { readonly what: 'resolve'; readonly request: ResolveRequest }
  | { readonly what: 'close'; readonly request: CloseRequest }
  | { readonly what: 'policy'; readonly request: PolicyRequest }
  | { readonly what: 'import'; readonly request: ImportProposal };

/** A decision that waits, or waited, for a second person. */
export type ListedApproval = Proposed & {
  /** The courier that it is about; null for a close, a policy or an import, which are of the whole books. */
  readonly courier: string | null;
  readonly id: number;
  readonly at: string;
  readonly by: string;
  /** The user of the database who did; null on a file, and at a team's desk. */
  readonly database_user: string | null;
  /** What it does once it is approved; empty where an earlier remit did not keep it. */
  readonly lines: readonly DecisionLine[];
  readonly status: 'waiting' | 'approved' | 'refused';
  /** Who approved or refused it, when and why; null while it waits. */
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  readonly note: string | null;
};

/** The decisions that wait for a second person, and those that did, the latest first. */
export function listApprovals(books: Books): Promise<ListedApproval[]> {
  // Not in any zone: a looser policy of remit.toml is proposed first, and then listed.
  return usingBooks(books, { readOnly: true, allCouriers: true }, async (ledger) => {
    const approvals = await usingSnapshot({ ...ledger, db: wholeLedger(ledger.db) }, readApprovals);
    if (books.config.courier === null) return approvals;
    const [one] = await couriersOf(ledger.db, books.config);
    return approvals.filter(({ courier }) => courier === null || courier === one!.name);
  });
}

/** The same of a snapshot or a transaction: those of its courier, and of the whole books. */
export async function readApprovals(db: LedgerReader): Promise<ListedApproval[]> {
  const names = new Map((await readCouriers(wholeLedger(db))).map(({ key, name }) => [key, name]));
  const rows = await readEvidenceOfKinds(db, ['proposal', 'proposal-approved', 'proposal-refused']);
  const ends = new Map<number, EvidenceRow>();
  for (const row of rows) if (row.kind !== 'proposal') ends.set(Number(row.subject), row);
  const texts = new Map<string | null, NumberTexts>();
  for (const key of new Set(rows.flatMap(({ courier }) => courier ?? []))) {
    texts.set(key, await readNumberTexts(ofCourier(db, key)));
  }
  return rows
    .filter(({ kind }) => kind === 'proposal')
    .reverse()
    .map(({ id, courier, at, actor, data }) => {
      const end = ends.get(id);
      return {
        courier: courier === null ? null : (names.get(courier) ?? courier),
        id,
        at,
        by: actor!,
        database_user: null,
        lines: [],
        ...shown(JSON.parse(data!), texts.get(courier) ?? new Map()),
        status: end === undefined ? 'waiting' : end.kind === 'proposal-approved' ? 'approved' : 'refused',
        decided_by: end?.actor ?? null,
        decided_at: end?.at ?? null,
        note: end ? (JSON.parse(end.data!) as { note: string | null }).note : null,
      };
    });
}

/** What a proposal says of itself, without what only its approval compares. */
function shown({ digest: _, ...proposed }: Proposed & { readonly digest?: string }, texts: NumberTexts): Proposed {
  const named = (invoices: readonly number[]) => ({
    invoices_text: invoices.map((number) => numberText(number, texts)),
  });
  if (proposed.what === 'settle') {
    return { ...proposed, request: { ...proposed.request, ...named(proposed.request.invoices) } };
  }
  if (proposed.what === 'match') {
    return { ...proposed, request: { ...proposed.request, ...named(proposed.request.invoices) } };
  }
  return proposed;
}

/** What differs where a proposal would do anything else than it did when it was made; null for one of an earlier remit. */
export async function readDigest(db: LedgerReader, id: number): Promise<string | null> {
  const row = (await readEvidenceOfKinds(db, ['proposal'], id - 1)).find((one) => one.id === id);
  return (JSON.parse(row?.data ?? '{}') as { digest?: string }).digest ?? null;
}
