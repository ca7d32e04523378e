import { type Explanation, ProposalStaleError, UsageError } from '../../base/errors.ts';
import { isSamePerson } from '../../base/names.ts';
import { appendEvidence, usingWholeTransaction } from '../../ledger/index.ts';
import { readLastEvidence, readMakers } from '../../ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { decidingError } from '../../words/errors/deciding.ts';
import { type Books, type BooksInTransaction, usingBooks } from '../books.ts';
import { closeJson, closeLedger, type RefusedClose } from '../close/close.ts';
import type { Decision } from '../decisions/decision.ts';
import { effectsSince } from '../decisions/lines.ts';
import { DECISIONS } from '../decisions/list.ts';
import type { MovedClaims } from '../disputes/claims.ts';
import { importWaiting } from '../import/index.ts';
import type { ImportSummary } from '../import/summary.ts';
import { digestOf } from '../import/waiting.ts';
import type { AddedMatch } from '../match/by-hand.ts';
import type { MadeDecision } from '../mismatches/decide.ts';
import { booksSettings, isSame, readSettingsRecord } from '../settings-record.ts';
import type { SettledInvoices } from '../settle/settle.ts';
import { keepVerdict, type ListedApproval, readProposalData, requireWaiting, type Verdict } from './list.ts';
import { type Policy, type PolicyRequest, policyOf, proposePolicy, settingsOf } from './policy.ts';
import { isWaiting, readDecider, type Waiting } from './propose.ts';

/** What was done when a second person approved it. */
export type Approved = Done & { readonly approval: number; readonly status: 'approved'; readonly by: string };

/** The result of each kind of proposal. */
type Done =
  | { readonly what: 'settle'; readonly result: SettledInvoices }
  | { readonly what: 'match'; readonly result: AddedMatch }
  | { readonly what: 'write-off'; readonly result: MovedClaims }
  | { readonly what: 'resolve'; readonly result: MadeDecision }
  | { readonly what: 'close'; readonly result: Exclude<ReturnType<typeof closeJson>, RefusedClose> }
  | { readonly what: 'policy'; readonly result: { readonly policy: Policy } }
  | { readonly what: 'import'; readonly result: ImportSummary };

/**
 * Approves a decision and does it, in one transaction. On record it is the proposer's decision; the approval names the
 * second person. If the books no longer allow it, it goes on waiting.
 *
 * @returns what was done, or why the month cannot be closed; {@link Waiting} for a policy that nobody named proposed
 * @throws UsageError where there is no such proposal, or the same person would approve; ConflictError where it waits no
 * longer; ProposalStaleError where it would do anything else than what was proposed
 */
export function approve(books: Books, verdict: Verdict): Promise<Approved | RefusedClose | Waiting> {
  const wholeBooks = { ...books, config: { ...books.config, courier: null } };
  return usingBooks(wholeBooks, { allCouriers: true }, (ledger) =>
    usingWholeTransaction(ledger, async (within): Promise<Approved | RefusedClose | Waiting> => {
      const trx = within.ledger.db;
      const proposal = await requireWaiting(trx, verdict.id);
      await requireSecondPerson(trx, proposal, verdict.by, await readDecider(trx, books));
      const before = await readLastEvidence(trx);
      const result = await doProposed({ ...wholeBooks, within }, proposal, verdict);
      if (isWaiting(result)) return result;
      if ('status' in result && result.status === 'refused') return result as RefusedClose;
      // `doProposed` has compared a policy and an import itself. The others must do what was proposed.
      if (proposal.what !== 'policy' && proposal.what !== 'import') {
        const { digest } = await effectsSince(trx, wholeBooks.config, before);
        if (digest !== (await readProposalData(trx, verdict.id)).digest) throw stale(verdict.id);
      }
      await keepVerdict(trx, verdict, 'proposal-approved', books);
      return { approval: verdict.id, status: 'approved', by: verdict.by, what: proposal.what, result } as Approved;
    }),
  );
}

/**
 * Refuses the person who proposed a decision: under any spelling of the name, by one of their tokens, or as the same
 * database user.
 *
 * @throws UsageError
 */
async function requireSecondPerson(
  db: LedgerReader,
  { id: decision, by: proposer, database_user }: ListedApproval,
  by: string,
  user: string | null,
): Promise<void> {
  const makersOf = await readMakers(db);
  const namesOf = (name: string) => [name, ...makersOf(name)];
  const isSameUser = user !== null && user === database_user;
  const isProposer =
    isSameUser || namesOf(proposer).some((one) => namesOf(by).some((other) => isSamePerson(one, other)));
  if (!isProposer) return;
  throw new UsageError(decidingError({ id: 'own-proposal', by, proposer, user: isSameUser ? user : null, decision }));
}

/** @param why what the books say against it now; null where they would allow something else than was proposed */
function stale(decision: number, why: Explanation | null = null): ProposalStaleError {
  return new ProposalStaleError(decidingError({ id: 'proposal-stale', decision, why }));
}

/**
 * Does what was proposed, whatever the limit.
 *
 * @throws ProposalStaleError if it would change another policy, a file would bring something else, or the books no
 * longer allow it
 */
async function doProposed(books: BooksInTransaction, proposal: ListedApproval, verdict: Verdict) {
  if (proposal.what === 'policy') return changePolicy(books, proposal, verdict);
  if (proposal.what === 'import') {
    return usingBooks(books, { exclusive: 'import', allCouriers: true }, async (ledger, importBooks) => {
      const { imported, lines } = await importWaiting(ledger, importBooks, proposal.request);
      if (digestOf(lines) !== (await readProposalData(ledger.db, proposal.id)).digest) throw stale(proposal.id);
      return imported.summary;
    });
  }
  if (proposal.what === 'close') {
    return usingBooks(books, { exclusive: 'close', allCouriers: true }, async (ledger) =>
      closeJson(await closeLedger(ledger, books, proposal.request)),
    );
  }
  const courierBooks = { ...books, config: { ...books.config, courier: proposal.courier } };
  return usingBooks(courierBooks, {}, async ({ db }, { config }) => {
    const courierContext = { config, now: books.now };
    const { approved } = (DECISIONS as readonly Decision[]).find((one) => one.approved?.what === proposal.what)!;
    try {
      return await approved!.make(db, courierContext, proposal.request as never);
    } catch (error) {
      throw error instanceof UsageError ? stale(proposal.id, error.explanation) : error;
    }
  });
}

/**
 * Puts a looser policy on record; if nobody knows that its proposer is another person, it is proposed anew.
 *
 * @throws ProposalStaleError if the policy that it was to change has changed
 */
async function changePolicy(
  books: BooksInTransaction,
  proposal: Extract<ListedApproval, { readonly what: 'policy' }>,
  verdict: Verdict,
): Promise<Waiting | { readonly policy: Policy }> {
  const { old, new: policy, by } = proposal.request;
  const trx = books.within.ledger.db;
  const record = await readSettingsRecord(trx);
  const { approvals, rateTolerance } = { ...books.config, ...booksSettings(record) };
  if (record === null || !isSame(policyOf({ approvals, rateTolerance }), old)) throw stale(proposal.id);
  // `requireSecondPerson` has compared names and database users: it tells two persons apart only if the proposer was
  // named, or if both have a database user.
  const isProposerKnown =
    (await readProposalData(trx, proposal.id)).is_named ||
    (proposal.database_user !== null && (await readDecider(trx, books)) !== null);
  if (!isProposerKnown) return proposeAnew(books, proposal.request, verdict);
  const data = { ...record, books: { ...record.books, ...settingsOf(policy) } };
  const evidence = { at: books.now(), kind: 'settings', actor: by, subject: 'books', data } as const;
  await appendEvidence(trx, { ...evidence, isOfBooks: true });
  return { policy };
}

/** Proposes a policy anew, under the name of who approves it first: whoever changed remit.toml may be that person. */
async function proposeAnew(
  books: BooksInTransaction,
  request: PolicyRequest,
  { id, by, note }: Verdict,
): Promise<Waiting> {
  const trx = books.within.ledger.db;
  const proposer = { at: books.now(), by, isNamed: true, isTeams: books.isTeams };
  const { id: anew, at, lines } = await proposePolicy(trx, request, proposer);
  const why = [`proposed anew as decision ${anew}`, ...(note === null ? [] : [note])].join(': ');
  await keepVerdict(trx, { id, by, note: why }, 'proposal-refused', books);
  return { waiting: true, id: anew, what: 'policy', by, at, lines };
}
