import { ProposalStaleError, UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import {
  appendEvidence,
  type LedgerTransaction,
  usingTransaction,
  usingWholeTransaction,
  wholeLedger,
} from '../../ledger/index.ts';
import { readLastEvidence } from '../../ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { because } from '../../words/errors/deciding.ts';
import { type Books, type OpenTransaction, usingBooks } from '../books.ts';
import { closeLedger, type RefusedClose } from '../close/close.ts';
import { closeJson } from '../close/close-json.ts';
import { effectsSince } from '../decisions/lines.ts';
import { type Moved, writeOffIn } from '../disputes/move.ts';
import { importWaiting } from '../import/index.ts';
import type { ImportSummary } from '../import/summary.ts';
import { digestOf } from '../import/waiting.ts';
import { type AddedMatch, addMatchIn } from '../match/by-hand.ts';
import { type Decided, resolveIn } from '../mismatches/decide.ts';
import { booksSettings, isSame, readRecord } from '../settings-record.ts';
import { type Settled, settleIn } from '../settle/settle.ts';
import { type ListedApproval, readApprovals, readDigest } from './list.ts';
import { type Policy, policyOf, settingsOf } from './policy.ts';
import { readDecider, requireSecondPerson } from './second-person.ts';

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
  | { readonly what: 'resolve'; readonly result: Decided }
  | { readonly what: 'close'; readonly result: Exclude<ReturnType<typeof closeJson>, RefusedClose> }
  | { readonly what: 'policy'; readonly result: { readonly policy: Policy } }
  | { readonly what: 'import'; readonly result: ImportSummary }
);

/**
 * Approves a decision and does it, in one transaction: the one who proposed it has decided, and the approval names the second person.
 * What the books no longer allow is refused as it would be anew, and goes on waiting.
 *
 * @returns what was done, or why the month cannot be closed
 * @throws UsageError where nothing waits under that id, or the same person would approve; ProposalStaleError where it would do anything
 *   else than what was proposed
 */
export function approve(books: Books, verdict: Verdict): Promise<Approved | RefusedClose> {
  const whole = { ...books, config: { ...books.config, courier: null } };
  return usingBooks(whole, { allCouriers: true }, (open) =>
    usingWholeTransaction(open, async (within): Promise<Approved | RefusedClose> => {
      const trx = within.ledger.db;
      const listed = await requireOther(trx, books, verdict);
      const before = await readLastEvidence(trx);
      const result = await doProposed({ ...whole, within }, listed);
      if ('status' in result && result.status === 'refused') return result as RefusedClose;
      const isAsProposed =
        listed.what === 'policy' ||
        listed.what === 'import' ||
        (await effectsSince(trx, whole.config, before)).digest === (await readDigest(trx, verdict.id));
      if (!isAsProposed) throw stale(verdict.id);
      await keepVerdict(trx, verdict, 'proposal-approved', books);
      return { approval: verdict.id, status: 'approved', by: verdict.by, what: listed.what, result } as Approved;
    }),
  );
}

function stale(decision: number): ProposalStaleError {
  return new ProposalStaleError(because({ id: 'proposal-stale', decision }));
}

/**
 * Does what was proposed, whatever the limit.
 *
 * @throws ProposalStaleError where another policy holds than the one it was to change, or a file would bring something else
 */
async function doProposed(books: Books & { readonly within: OpenTransaction }, listed: ListedApproval) {
  if (listed.what === 'policy') {
    const { old, new: policy, by } = listed.request;
    const record = await readRecord(books.within.ledger.db);
    const { approvals, rateTolerance } = { ...books.config, ...booksSettings(record) };
    if (record === null || !isSame(policyOf({ approvals, rateTolerance }), old)) throw stale(listed.id);
    const data = { ...record, books: { ...record.books, ...settingsOf(policy) } };
    const what = { at: books.now(), kind: 'settings', actor: by, subject: 'books', data } as const;
    await appendEvidence(books.within.ledger.db, { ...what, isOfAll: true });
    return { policy };
  }
  if (listed.what === 'import') {
    return usingBooks(books, { exclusive: 'import', allCouriers: true }, async (ledger, own) => {
      const { imported, lines } = await importWaiting(ledger, own, listed.request);
      if (digestOf(lines) !== (await readDigest(ledger.db, listed.id))) throw stale(listed.id);
      return imported.summary;
    });
  }
  if (listed.what === 'close') {
    const result = await usingBooks(books, { exclusive: 'close', allCouriers: true }, (ledger) =>
      closeLedger(ledger, books, listed.request),
    );
    return result.status === 'refused' ? result : closeJson(result);
  }
  const courierBooks = { ...books, config: { ...books.config, courier: listed.courier } };
  return usingBooks(courierBooks, {}, async ({ db }, { config }) => {
    const theirs = { config, now: books.now };
    switch (listed.what) {
      case 'settle':
        return { settled: await settleIn(db, theirs, listed.request) };
      case 'match':
        return addMatchIn(db, theirs, listed.request);
      case 'resolve':
        return resolveIn(db, theirs, listed.request);
      default:
        return writeOffIn(db, theirs, listed.request);
    }
  });
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
      return refuseIn(trx, books, verdict);
    }),
  );
}

/** The same in a transaction that is open. */
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

async function requireOther(
  db: LedgerReader,
  books: Pick<Books, 'isTeams'>,
  { id, by }: Verdict,
): Promise<ListedApproval> {
  const listed = await requireWaiting(db, id);
  await requireSecondPerson(db, listed, { by, user: await readDecider(db, books) });
  return listed;
}

async function keepVerdict(
  trx: LedgerTransaction,
  { id, by, note }: Verdict,
  kind: 'proposal-approved' | 'proposal-refused',
  books: Pick<Books, 'now' | 'isTeams'>,
): Promise<void> {
  const user = await readDecider(trx, books);
  const data = { note, ...(user === null ? {} : { database_user: user }) };
  await appendEvidence(trx, { at: books.now(), kind, actor: by, subject: String(id), data });
}
