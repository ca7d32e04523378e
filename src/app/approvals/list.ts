import { ConflictError, UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { type NumberTexts, numberText } from '../../base/number-texts.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import type { EvidenceRow } from '../../ledger/evidence/chain.ts';
import { appendEvidence, type LedgerTransaction, ofCourier, wholeLedger } from '../../ledger/index.ts';
import { readCouriers } from '../../ledger/queries/couriers.ts';
import { readEvidenceOfKinds, readMakers, readProposal } from '../../ledger/queries/evidence/decided.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { type LedgerReader, usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { decidingError } from '../../words/errors/deciding.ts';
import { type Books, changeBooks, usingBooks } from '../books.ts';
import type { CloseRequest } from '../close/close.ts';
import { couriersOf } from '../couriers.ts';
import type { DecisionLine } from '../decisions/lines.ts';
import type { ClaimsMove } from '../disputes/claims.ts';
import type { ImportProposal } from '../import/waiting.ts';
import type { AddRequest } from '../match/by-hand.ts';
import type { ResolveRequest } from '../mismatches/decide.ts';
import type { SettleRequest } from '../settle/settle.ts';
import type { PolicyRequest } from './policy.ts';
import { readDecider } from './propose.ts';

/** The invoices of a request by the numbers on the courier's papers. */
interface OfInvoicesText {
  readonly invoices_text?: readonly string[];
}

/** What a proposal does when it is approved. */
type Proposed =
  | { readonly what: 'settle'; readonly request: SettleRequest & OfInvoicesText }
  | { readonly what: 'match'; readonly request: AddRequest & OfInvoicesText }
  | { readonly what: 'write-off'; readonly request: ClaimsMove }
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
  /** Who made the token by which a program proposed it: the two are one person. Empty where a person proposed it. */
  readonly made_by: readonly string[];
  /** The database user who proposed it; null in an SQLite file, and at a team's desk. */
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
  // Opening the books records changed settings and proposes a looser policy, which is then listed too.
  return usingBooks(books, { readOnly: true, allCouriers: true }, async (ledger) => {
    const approvals = await usingSnapshot({ ...ledger, db: wholeLedger(ledger.db) }, readApprovals);
    if (books.config.courier === null) return approvals;
    // `--courier` narrows the list to that courier's decisions and those of the whole books.
    const [chosen] = await couriersOf(ledger.db, books.config);
    return approvals.filter(({ courier }) => courier === null || courier === chosen!.name);
  });
}

/** Reads such decisions of the handle's courier, and of the whole books, in a snapshot or transaction. */
export async function readApprovals(db: LedgerReader): Promise<ListedApproval[]> {
  const names = new Map((await readCouriers(wholeLedger(db))).map(({ key, name }) => [key, name]));
  const makersOf = await readMakers(db);
  const rows = await readEvidenceOfKinds(db, ['proposal', 'proposal-approved', 'proposal-refused']);
  const verdicts = new Map<number, EvidenceRow>();
  for (const row of rows) if (row.kind !== 'proposal') verdicts.set(Number(row.subject), row);
  const texts = new Map<string | null, NumberTexts>();
  for (const key of new Set(rows.flatMap(({ courier }) => courier ?? []))) {
    texts.set(key, await readNumberTexts(ofCourier(db, key)));
  }
  return rows
    .filter(({ kind }) => kind === 'proposal')
    .reverse()
    .map(({ id, courier, at, actor, data }) => {
      const verdict = verdicts.get(id);
      return {
        courier: courier === null ? null : (names.get(courier) ?? courier),
        id,
        at,
        by: actor!,
        made_by: makersOf(actor!),
        // These two are replaced by the proposal's, if it has them.
        database_user: null,
        lines: [],
        ...listed(JSON.parse(data!), texts.get(courier) ?? new Map()),
        status: statusBy(verdict),
        decided_by: verdict?.actor ?? null,
        decided_at: verdict?.at ?? null,
        note: verdict ? (JSON.parse(verdict.data!) as { note: string | null }).note : null,
      };
    });
}

function statusBy(verdict: EvidenceRow | undefined): ListedApproval['status'] {
  if (verdict === undefined) return 'waiting';
  return verdict.kind === 'proposal-approved' ? 'approved' : 'refused';
}

/** What only approving reads; a proposal of an earlier remit has none of it. */
interface ProposalData {
  /** The digest of what the proposal did when it was made: it differs if the proposal would do anything else now. */
  readonly digest?: string;
  /** Whether the proposer of a policy was named. */
  readonly is_named?: boolean;
}

/** A proposal as it is listed: without what only approving reads, and with its invoices' own numbers. */
function listed({ digest: _, is_named: __, ...proposed }: Proposed & ProposalData, texts: NumberTexts): Proposed {
  if (proposed.what !== 'settle' && proposed.what !== 'match') return proposed;
  const invoices_text = proposed.request.invoices.map((number) => numberText(number, texts));
  return { ...proposed, request: { ...proposed.request, invoices_text } } as Proposed;
}

export async function readProposalData(db: LedgerReader, id: number): Promise<ProposalData> {
  return JSON.parse((await readProposal(db, id))?.data ?? '{}');
}

/** Who approves or refuses a decision that waits. */
export interface Verdict {
  readonly id: number;
  readonly by: string;
  readonly note: string | null;
}

/** A decision that a second person refused: it is never done. */
export interface RefusedApproval extends Omit<Verdict, 'id'> {
  readonly approval: number;
  readonly status: 'refused';
}

/**
 * Refuses a waiting decision; its proposer may take it back this way too.
 *
 * @throws UsageError where there is no such proposal; ConflictError where it waits no longer
 */
export function refuse(books: Books, verdict: Verdict): Promise<RefusedApproval> {
  return changeBooks(books, { allCouriers: true }, async (trx) => {
    // Nobody else approves or refuses it until this transaction ends.
    await holdHead(trx);
    return refuseIn(trx, books, verdict);
  });
}

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
  if (!approval) throw new UsageError(decidingError({ id: 'no-decision-waits', decision: id }));
  if (approval.status === 'waiting') return approval;
  const [by, at] = [approval.decided_by!, approval.decided_at!];
  const about = { decision: id, status: approval.status, by, at: instantForPeople(at) };
  throw new ConflictError(decidingError({ id: 'decided-already', ...about }), { first: { by, at } });
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
