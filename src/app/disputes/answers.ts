import { dayIn } from '../../base/day.ts';
import { UsageError } from '../../base/errors.ts';
import { isOver } from '../../base/states.ts';
import type { Config } from '../../config/index.ts';
import { applyAnswer, applyWithdrawn, applyWrittenOff } from '../../derive/decisions.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { appendEvidence, type ClaimAnswer, type EvidenceRow, type LedgerTransaction } from '../../ledger/index.ts';
import { findClaims, readClaims } from '../../ledger/queries/findings/claims.ts';
import { readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { because } from '../../words/errors/deciding.ts';
import { isAboveLimit } from '../approvals/limit.ts';
import { propose, type Waiting } from '../approvals/propose.ts';
import { type Books, changeBooks } from '../books.ts';
import { booksHaving, booksOfMismatches } from '../each-courier.ts';
import { mismatchInNumberTexts } from '../mismatches/in-number-texts.ts';
import { selectMismatches } from '../mismatches/select.ts';
import { planGiveUp, requireOpen } from '../settle/give-up.ts';
import { recordSettlements } from '../settle/settle.ts';
import type { CouriersClaim } from './list.ts';

interface Move {
  /** Ids of claimed mismatches, or unique beginnings of them. */
  readonly ids: readonly string[];
  /** Who decides. */
  readonly by: string;
  /** What was answered, or why the claim is written off or withdrawn. */
  readonly note: string;
}

/** Claims that were answered, withdrawn or written off, in their new state, and the id of the evidence. */
export interface MovedClaims {
  readonly evidence: number;
  readonly claims: readonly Omit<CouriersClaim, 'courier' | 'now'>[];
}

/**
 * Records what the courier answered to claims. Their findings stay as they are until the courier corrects its
 * documents.
 *
 * @throws UsageError for an id that names no claim, or one that is over
 */
export async function answerClaims(
  books: Books,
  move: Move & { readonly answer: ClaimAnswer | null },
): Promise<MovedClaims> {
  const { note, answer } = move;
  return changeBooks(await booksOfMismatches(books, move.ids), {}, (trx, courierBooks) =>
    moveIn(trx, courierBooks, move, 'claim-answered', { answer, note }, applyAnswer),
  );
}

/** Which claims to take back: those of the ids, or every claim of the months that is not over. */
export type WithdrawRequest = Move & { readonly months: readonly string[] };

/**
 * Takes claims back: their findings are open again, and their history stays.
 *
 * @throws UsageError for an id that names no claim, or one that is over; where a month has none; or where several
 * couriers have some
 */
export async function withdrawClaims(books: Books, move: WithdrawRequest): Promise<MovedClaims> {
  const { note, months } = move;
  const inMonths = async (db: LedgerReader) =>
    (await findClaims(db, { periods: months }))
      .filter(({ claim }) => !isOver(claim.state))
      .map(({ claim }) => claim.mismatch_id);
  const wanted = { kind: 'claim-in-force', name: months.join(', ') } as const;
  const courierBooks =
    months.length === 0
      ? await booksOfMismatches(books, move.ids)
      : await booksHaving(books, wanted, async (db) => (await inMonths(db)).length > 0);
  return changeBooks(courierBooks, {}, async (trx, lent) => {
    await holdHead(trx);
    const ids = months.length === 0 ? move.ids : await inMonths(trx);
    if (ids.length === 0) throw new UsageError(because({ id: 'no-claim-in-month', month: months.join(', ') }));
    return moveIn(trx, lent, { ...move, ids }, 'claim-withdrawn', { note }, applyWithdrawn);
  });
}

/** A write-off of claims, as it is proposed to a second person. */
export type WriteOffRequest = Move;

/**
 * Writes claims off: their findings are resolved for that reason, and what they leave open of an invoice is settled.
 * Their effects stay in the bridge. Above the books' limit a second person has to approve it first.
 *
 * @throws UsageError for an id that names no claim, or one that is over
 */
export async function writeOffClaims(books: Books, move: WriteOffRequest): Promise<MovedClaims | Waiting> {
  return changeBooks(await booksOfMismatches(books, move.ids), {}, async (trx, courierBooks) => {
    await holdHead(trx);
    const ids = await fullClaimIds(trx, move.ids, VERBS['claim-written-off'], courierBooks.config.timeZone);
    const { givenUp, settlements } = await giveUpPlan(trx, courierBooks.config, ids);
    const mismatches = [...(await readMismatchesById(trx, ids)).values()];
    await requireOpen(trx, courierBooks.config, mismatches, settlements);
    const request: WriteOffRequest = { ...move, ids };
    const decide = () => writeOffIn(trx, courierBooks, move);
    return (await isAboveLimit(trx, courierBooks.config, givenUp))
      ? propose(trx, courierBooks, { what: 'write-off', request }, decide)
      : decide();
  });
}

/** Writes claims off inside an open transaction, whatever the limit. */
export function writeOffIn(
  trx: LedgerTransaction,
  books: Pick<Books, 'config' | 'now'>,
  move: WriteOffRequest,
): Promise<MovedClaims> {
  const { note } = move;
  return moveIn(trx, books, move, 'claim-written-off', { note }, async (_, evidence, data) => {
    // The open amounts are read first: afterwards the findings are resolved.
    const { settlements } = await giveUpPlan(trx, books.config, data.ids);
    await applyWrittenOff(trx, evidence, data);
    if (settlements.length === 0) return;
    const writeOffs = settlements.map((one) => ({ ...one, kind: 'write-off' as const, note }));
    await recordSettlements(trx, { at: books.now(), by: move.by }, writeOffs);
  });
}

/** Plans giving up the findings of claims. `settle`: what they leave open of invoices is taken off too. */
async function giveUpPlan(db: LedgerReader, config: Config, ids: readonly string[]) {
  return planGiveUp(db, config, [...(await readMismatchesById(db, ids)).values()], { settle: true });
}

const VERBS = {
  'claim-answered': 'answered',
  'claim-written-off': 'written off',
  'claim-withdrawn': 'withdrawn',
} as const;

/** Records an answer, withdrawal or write-off as evidence; `apply` derives its rows. Call it inside a transaction. */
async function moveIn<Details extends object>(
  trx: LedgerTransaction,
  { config, now }: Pick<Books, 'config' | 'now'>,
  { ids, by }: Move,
  kind: keyof typeof VERBS,
  details: Details,
  apply: (trx: LedgerTransaction, evidence: EvidenceRow, data: Pick<Move, 'ids'> & NoInfer<Details>) => Promise<void>,
): Promise<MovedClaims> {
  await holdHead(trx);
  const fullIds = await fullClaimIds(trx, ids, VERBS[kind], config.timeZone);
  const subject = fullIds.length === 1 ? fullIds[0]! : `${fullIds.length} mismatches`;
  const data = { ids: fullIds, ...details };
  const evidence = await appendEvidence(trx, { at: now(), kind, actor: by, subject, data });
  await apply(trx, evidence, data);
  const [claims, mismatches] = [await readClaims(trx, fullIds), await readMismatchesById(trx, fullIds)];
  const texts = await readNumberTexts(trx);
  const moved = fullIds.map((id) => {
    return { mismatch: mismatchInNumberTexts(mismatches.get(id)!, texts), claim: claims.get(id)! };
  });
  return { evidence: evidence.id, claims: moved };
}

/** The full ids of claims. @throws UsageError for an id without a claim, or with one that is over */
async function fullClaimIds(db: LedgerReader, ids: readonly string[], verb: string, zone: string): Promise<string[]> {
  const fullIds = (await selectMismatches(db, { ids, filter: {} }, [])).map(({ id }) => id);
  const claims = await readClaims(db, fullIds);
  for (const id of fullIds) {
    const claim = claims.get(id);
    if (!claim) throw new UsageError(because({ id: 'never-claimed', mismatch: id }));
    if (!isOver(claim.state)) continue;
    throw new UsageError(
      because({ id: 'claim-is-over', mismatch: id, verb, state: claim.state, since: dayIn(claim.moved_at, zone) }),
    );
  }
  return fullIds;
}
