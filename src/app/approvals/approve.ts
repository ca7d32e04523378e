import { UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { appendEvidence, type LedgerTransaction, usingTransaction, wholeLedger } from '../../ledger/index.ts';
import type { LedgerReader } from '../../ledger/queries/index.ts';
import { because } from '../../words/errors/deciding.ts';
import { type Books, usingBooks } from '../books.ts';
import { closeLedger, type RefusedClose } from '../close/close.ts';
import { closeJson } from '../close/close-json.ts';
import { type Moved, writeOffIn } from '../disputes/move.ts';
import { type AddedMatch, addMatchIn } from '../match/by-hand.ts';
import { type Settled, settleIn } from '../settle/settle.ts';
import { type ListedApproval, readApprovals } from './list.ts';

/** Who approves or refuses a decision that waits. */
export interface Verdict {
  readonly id: number;
  readonly by: string;
  readonly note: string | null;
}

/** What was done when a second person approved it. */
export type Approved = { readonly approval: number; readonly status: 'approved'; readonly by: string } & (
  | { readonly what: 'settle'; readonly result: { readonly settled: readonly Settled[] } }
  | { readonly what: 'match'; readonly result: AddedMatch }
  | { readonly what: 'write-off'; readonly result: Moved }
  | { readonly what: 'close'; readonly result: object }
);

/**
 * Approves a decision and does it, in one transaction: the one who proposed it has decided, and the approval beside it names the second
 * person. What the books no longer allow is refused as it would be anew, and goes on waiting.
 *
 * @returns what was done, or why the month cannot be closed
 * @throws UsageError where nothing waits under that id, or the same person would approve
 */
export async function approve(books: Books, verdict: Verdict): Promise<Approved | RefusedClose> {
  const whole = { ...books, config: { ...books.config, courier: null } };
  const listed = await usingBooks(whole, { readOnly: true, allCouriers: true }, ({ db }) =>
    requireOther(wholeLedger(db), verdict),
  );
  const told = { approval: verdict.id, status: 'approved' as const, by: verdict.by };
  /** Inside the transaction that does it: nobody else approves it meanwhile. */
  const keep = async (trx: LedgerTransaction) => {
    await requireOther(trx, verdict);
    await keepVerdict(trx, verdict, 'proposal-approved', books.now());
  };
  if (listed.what === 'close') {
    const result = await usingBooks(whole, { exclusive: 'close', allCouriers: true }, (ledger) =>
      closeLedger<never>(ledger, whole, listed.request, async (trx) => {
        await keep(trx);
        return null;
      }),
    );
    return result.status === 'refused' ? result : { ...told, what: 'close', result: closeJson(result) };
  }
  return usingBooks({ ...whole, config: { ...whole.config, courier: listed.courier } }, {}, (ledger, own) =>
    usingTransaction(ledger, async (trx): Promise<Approved> => {
      await holdHead(trx);
      await keep(trx);
      switch (listed.what) {
        case 'settle':
          return { ...told, what: 'settle', result: { settled: await settleIn(trx, own, listed.request) } };
        case 'match':
          return { ...told, what: 'match', result: await addMatchIn(trx, own, listed.request) };
        default:
          return { ...told, what: 'write-off', result: await writeOffIn(trx, own, listed.request) };
      }
    }),
  );
}

/** A decision that a second person refused: it is never done. */
export interface RefusedApproval {
  readonly approval: number;
  readonly status: 'refused';
  readonly by: string;
  readonly note: string | null;
}

/** Refuses a decision that waits; the one who proposed it may take it back so too. @throws UsageError where nothing waits under that id */
export function refuse(books: Books, verdict: Verdict): Promise<RefusedApproval> {
  return usingBooks(books, { allCouriers: true }, (ledger) =>
    usingTransaction(ledger, async (trx) => {
      await holdHead(trx);
      await requireWaiting(wholeLedger(trx), verdict.id);
      await keepVerdict(trx, verdict, 'proposal-refused', books.now());
      const { id, by, note } = verdict;
      return { approval: id, status: 'refused', by, note };
    }),
  );
}

async function requireWaiting(db: LedgerReader, id: number): Promise<ListedApproval> {
  const listed = (await readApprovals(db)).find((one) => one.id === id);
  if (!listed) throw new UsageError(because({ id: 'no-decision-waits', decision: id }));
  if (listed.status === 'waiting') return listed;
  throw new UsageError(
    because({
      id: 'decided-already',
      decision: id,
      status: listed.status,
      by: listed.decided_by!,
      at: instantForPeople(listed.decided_at!),
    }),
  );
}

async function requireOther(db: LedgerReader, { id, by }: Verdict): Promise<ListedApproval> {
  const listed = await requireWaiting(db, id);
  if (nameOf(listed.by) !== nameOf(by)) return listed;
  throw new UsageError(because({ id: 'own-proposal', by, decision: id }));
}

/** A person's name as it is compared: spelling tricks make nobody a second person. */
function nameOf(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

async function keepVerdict(
  trx: LedgerTransaction,
  { id, by, note }: Verdict,
  kind: 'proposal-approved' | 'proposal-refused',
  at: Date,
): Promise<void> {
  await appendEvidence(trx, { at, kind, actor: by, subject: String(id), data: { note } });
}
