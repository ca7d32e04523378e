import { dayIn } from '../../base/day.ts';
import { LedgerError, UsageError } from '../../base/errors.ts';
import { isOver } from '../../base/states.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { appendEvidence, type ClaimAnswer, type LedgerTransaction, sealBody } from '../../ledger/index.ts';
import { findClaims, readClaims } from '../../ledger/queries/findings/claims.ts';
import { readLastEvents } from '../../ledger/queries/findings/history.ts';
import { readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { decidingError } from '../../words/errors/deciding.ts';
import { deskError } from '../../words/errors/desk.ts';
import { decideUnderLimit, type Waiting } from '../approvals/propose.ts';
import { type Books, changeBooks } from '../books.ts';
import { booksHaving, booksOfMismatches } from '../each-courier.ts';
import { mismatchInNumberTexts } from '../mismatches/in-number-texts.ts';
import { selectMismatches } from '../mismatches/select.ts';
import { recordEvidence, subjectOf } from '../record.ts';
import { planGiveUp, requireOpen } from '../settle/give-up.ts';
import { recordSettlements } from '../settle/settle.ts';
import type { CouriersClaim } from './list.ts';
import type { DisputePlan } from './plan.ts';

/**
 * Records a claim as it was sent, with its letter: all its findings (mismatches) are acknowledged and claimed, or none
 * is.
 *
 * @param letter `bytes`: the letter that goes to the courier, as it was rendered
 * @returns the id of the claim's evidence
 * @throws UsageError where nothing is left to claim; LedgerError, and nothing is claimed, if a finding changed since
 * the plan
 */
export async function claim(
  books: Books,
  { courier, by, sent, seen, period, months, lines }: DisputePlan,
  { format, language, bytes }: { readonly format: string; readonly language: string; readonly bytes: Buffer },
): Promise<number> {
  if (lines.length === 0) throw new UsageError(deskError({ id: 'nothing-to-claim' }));
  const body = await sealBody(Buffer.from(JSON.stringify(sent)));
  return changeBooks({ ...books, config: { ...books.config, courier } }, {}, async (trx) => {
    await holdHead(trx);
    const ids = sent.map(({ id }) => id);
    const [last, now] = [await readLastEvents(trx, ids), await readMismatchesById(trx, ids)];
    const [changed, ...others] = sent.filter(
      ({ id, effect }) => last.get(id)?.evidence_id !== seen.get(id) || now.get(id)?.effect !== effect,
    );
    if (changed) {
      throw new LedgerError(
        decidingError({ id: 'changed-while-claimed', mismatch: changed.id, others: others.length }),
      );
    }
    const subject = period || subjectOf(ids);
    const evidence = await recordEvidence(trx, { at: books.now(), kind: 'claim', actor: by, subject, body });
    // The lines that take off a receipt, or leave a part of it for later, as the claim's preview shows them.
    const taken_off = lines.flatMap(({ id, code, day, currency, claimed }) =>
      id === null ? [{ code, day, currency, claimed }] : [],
    );
    const data = { period, months, format, language, taken_off };
    const letter = { at: books.now(), kind: 'claim-letter', actor: by, subject: String(evidence.id), data } as const;
    await appendEvidence(trx, { ...letter, body: await sealBody(bytes) });
    return evidence.id;
  });
}

/** What a person does with claims that were sent: answers, withdraws or writes them off. */
export interface ClaimsMove {
  /** Ids of claimed mismatches, or unique beginnings of them. */
  readonly ids: readonly string[];
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
  move: ClaimsMove & { readonly answer: ClaimAnswer | null },
): Promise<MovedClaims> {
  const { note, answer } = move;
  return changeBooks(await booksOfMismatches(books, move.ids), {}, (trx, courierBooks) =>
    moveIn(trx, courierBooks, move, 'claim-answered', { answer, note }),
  );
}

/**
 * Takes claims back: their findings are open again, and their history stays.
 *
 * @param move which claims: those of `ids`, or without ids every claim of `months` that is not over
 * @throws UsageError for an id that names no claim, or one that is over; where a month has none; or where several
 * couriers have some
 */
export async function withdrawClaims(
  books: Books,
  move: ClaimsMove & { readonly months: readonly string[] },
): Promise<MovedClaims> {
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
    if (ids.length === 0) throw new UsageError(decidingError({ id: 'no-claim-in-month', month: months.join(', ') }));
    return moveIn(trx, lent, { ...move, ids }, 'claim-withdrawn', { note });
  });
}

/**
 * Writes claims off: their findings are resolved for that reason, and what they leave open of an invoice is settled.
 * Their effects stay in the bridge. Above the books' limit a second person has to approve it first.
 *
 * @throws UsageError for an id that names no claim, or one that is over
 */
export async function writeOffClaims(books: Books, move: ClaimsMove): Promise<MovedClaims | Waiting> {
  return changeBooks(await booksOfMismatches(books, move.ids), {}, async (trx, courierBooks) => {
    await holdHead(trx);
    const ids = await fullClaimIds(trx, move.ids, VERBS['claim-written-off'], courierBooks.config.timeZone);
    const { mismatches, givenUp, settlements } = await planGiveUp(trx, courierBooks.config, ids, { settle: true });
    await requireOpen(trx, courierBooks.config, mismatches, settlements);
    const request: ClaimsMove = { ...move, ids };
    const decide = () => writeOffIn(trx, courierBooks, move);
    return decideUnderLimit(trx, courierBooks, { what: 'write-off', request, givenUp }, decide);
  });
}

/** Writes claims off inside an open transaction, whatever the limit. */
export async function writeOffIn(
  trx: LedgerTransaction,
  books: Pick<Books, 'config' | 'now'>,
  move: ClaimsMove,
): Promise<MovedClaims> {
  const { by, note } = move;
  await holdHead(trx);
  const ids = await fullClaimIds(trx, move.ids, VERBS['claim-written-off'], books.config.timeZone);
  // The open amounts are read first: afterwards the findings are resolved.
  const { settlements } = await planGiveUp(trx, books.config, ids, { settle: true });
  const moved = await moveIn(trx, books, move, 'claim-written-off', { note });
  const writeOffs = settlements.map((one) => ({ ...one, kind: 'write-off' as const, note }));
  if (writeOffs.length > 0) await recordSettlements(trx, { at: books.now(), by }, writeOffs);
  return moved;
}

const VERBS = {
  'claim-answered': 'answered',
  'claim-written-off': 'written off',
  'claim-withdrawn': 'withdrawn',
} as const;

/** Records an answer, withdrawal or write-off. Call it inside a transaction. */
async function moveIn(
  trx: LedgerTransaction,
  { config, now }: Pick<Books, 'config' | 'now'>,
  { ids, by }: ClaimsMove,
  kind: keyof typeof VERBS,
  details: object,
): Promise<MovedClaims> {
  await holdHead(trx);
  const fullIds = await fullClaimIds(trx, ids, VERBS[kind], config.timeZone);
  const data = { ids: fullIds, ...details };
  const evidence = await recordEvidence(trx, { at: now(), kind, actor: by, subject: subjectOf(fullIds), data });
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
    if (!claim) throw new UsageError(decidingError({ id: 'never-claimed', mismatch: id }));
    const { state, moved_at } = claim;
    if (!isOver(state)) continue;
    const since = dayIn(moved_at, zone);
    throw new UsageError(decidingError({ id: 'claim-is-over', mismatch: id, verb, state, since }));
  }
  return fullIds;
}
