/** Writes claims: mismatches (findings, as a check calls them) that a letter asked the courier to mend or to pay. */
import type { Sentence } from '../../base/sentence.ts';
import { isOver } from '../../base/states.ts';
import { type ExactDecimal, parseAmount } from '../../money/decimal.ts';
import { chunks } from '../chunks.ts';
import { readClaims } from '../queries/findings/claims.ts';
import type { ClaimAnswer, ClaimEventTable, ClaimState, ClaimTable, MismatchTable } from '../schema.ts';
import { insertRows, type Trx } from './insert.ts';
import type { Change, FindingsDelta, MismatchDecision, MismatchRecord } from './mismatches.ts';

/** The claim of one mismatch, as it was sent to the courier. */
export interface SentLine
  extends Pick<MismatchTable, 'id' | 'currency' | 'unit' | 'expected' | 'actual' | 'effect'>,
    Pick<ClaimTable, 'section' | 'claimed' | 'line'> {}

/** A claim's next state (`CLAIM_STATES` explains them), with a person's note or with remit's reason. */
type Move = Pick<ClaimEventTable, 'mismatch_id' | 'state' | 'answer'> & {
  readonly note?: string | null;
  readonly why?: Sentence;
};

/** Writes that mismatches were claimed, the first time or again. Call it inside a transaction. */
export async function writeClaims(trx: Trx, lines: readonly SentLine[], change: Change): Promise<void> {
  const ids = lines.map(({ id }) => id);
  const earlier = await readClaims(trx, ids);
  const rows = lines.map((sent): ClaimTable => {
    const { id, currency, unit, expected, actual, effect, section, claimed, line } = sent;
    const figures = { currency, unit, expected, actual, effect, section, claimed, line };
    return { mismatch_id: id, state: 'claimed', answer: null, ...change, moved_at: change.at, ...figures };
  });
  const added = rows.filter(({ mismatch_id }) => !earlier.has(mismatch_id));
  await insertRows(trx, 'claim', added);
  for (const { mismatch_id, ...row } of rows.filter(({ mismatch_id }) => earlier.has(mismatch_id))) {
    await trx.updateTable('claim').set(row).where('mismatch_id', '=', mismatch_id).execute();
  }
  const events = lines.map(({ id, currency, effect }): ClaimEventTable => {
    const entry = { mismatch_id: id, ...change };
    return { ...entry, state: 'claimed', answer: null, note: null, sentence: null, currency, effect };
  });
  await insertRows(trx, 'claim_event', events);
}

/** Moves claims to a state, as a person decided. @param to without an answer, each claim keeps the one it has */
export async function moveClaims(
  trx: Trx,
  ids: readonly string[],
  to: Pick<ClaimEventTable, 'state' | 'note'> & { readonly answer?: ClaimAnswer | null },
  change: Change,
): Promise<void> {
  const claims = await readClaims(trx, ids);
  const moves = ids.map((mismatch_id): Move => {
    return { mismatch_id, answer: claims.get(mismatch_id)?.answer ?? null, ...to };
  });
  await moveAll(trx, moves, change);
}

/**
 * Applies a decision about mismatches to their claims: resolving a mismatch settles its claim, reopening it makes the
 * claim due again (`changed`).
 */
export async function moveClaimsByDecision(
  trx: Trx,
  { ids, to_status, note }: MismatchDecision,
  change: Change,
): Promise<void> {
  if (to_status === 'acknowledged') return;
  const claims = await readClaims(trx, [...new Set(ids)]);
  const moves = [...claims.values()].flatMap(({ mismatch_id, state, answer }): Move[] => {
    if (state === 'withdrawn') return [];
    if (to_status === 'open') return [{ mismatch_id, state: 'changed', answer, note }];
    return isOver(state) ? [] : [{ mismatch_id, state: 'settled', answer, note }];
  });
  await moveAll(trx, moves, change);
}

/**
 * Applies a check's findings to their claims:
 * - If another finding shows the debt now (`replaced`), it gets the claim.
 * - If the data no longer shows a finding, its claim is mended.
 * - If a finding shows again, or with other figures, its claim is mended in part if less is left, otherwise changed.
 *
 * A withdrawn claim stays so. Any other claim that is over (`isOver`) moves if its finding is gone or back, but not for
 * other figures alone.
 */
export async function moveClaimsByFindings(
  trx: Trx,
  { reopened, updated, resolved, replaced = [] }: FindingsDelta,
  change: Change,
): Promise<void> {
  const moves = await moveToReplacing(trx, replaced);
  const movedIds = new Set(moves.map(({ mismatch_id }) => mismatch_id));
  const ids = [...reopened, ...updated, ...resolved].map(({ id }) => id).filter((id) => !movedIds.has(id));
  const claims = await readClaims(trx, ids);
  for (const { id, why } of resolved) {
    const claim = claims.get(id);
    if (claim && claim.state !== 'mended' && claim.state !== 'withdrawn') {
      moves.push({ mismatch_id: id, state: 'mended', answer: claim.answer, why });
    }
  }
  for (const { why, ...finding } of reopened) {
    const claim = claims.get(finding.id);
    if (claim && claim.state !== 'withdrawn') {
      moves.push({ mismatch_id: finding.id, state: changedState(claim, finding), answer: claim.answer, why });
    }
  }
  for (const finding of updated) {
    const claim = claims.get(finding.id);
    // Without an effect the check could not compare it this time, which tells nothing about the claim.
    if (!claim || isOver(claim.state) || finding.effect === null) continue;
    // Only its words or months have changed.
    const isAsClaimed = finding.effect === claim.effect;
    if (isAsClaimed && (claim.state === 'claimed' || claim.state === 'answered')) continue;
    const state = changedState(claim, finding);
    if (state === claim.state) continue;
    moves.push({ mismatch_id: finding.id, answer: claim.answer, state, why: { id: 'effect-changed' } });
  }
  await moveAll(trx, moves, change);
}

/**
 * Gives claims to the findings that show their debts now: open claims, and mended ones, whose debt was only out of
 * sight. A claim stays where it is if the other finding has an open one already.
 */
async function moveToReplacing(trx: Trx, replaced: NonNullable<FindingsDelta['replaced']>): Promise<Move[]> {
  const moves: Move[] = [];
  const ids = replaced.flatMap(({ id, by }) => [id, by]);
  const claims = await readClaims(trx, ids);
  const isOpen = (claim: ClaimTable | undefined) => claim !== undefined && !isOver(claim.state);
  for (const { id, by } of replaced) {
    const claim = claims.get(id);
    if (!claim || !(isOpen(claim) || claim.state === 'mended') || isOpen(claims.get(by))) continue;
    const finding = await trx.selectFrom('mismatch').selectAll().where('id', '=', by).executeTakeFirstOrThrow();
    const state = stateInReplacing(claim, finding);
    await trx.deleteFrom('claim').where('mismatch_id', '=', by).execute();
    await trx.updateTable('claim').set({ mismatch_id: by }).where('mismatch_id', '=', id).execute();
    claims.delete(id);
    claims.set(by, { ...claim, mismatch_id: by, state });
    // Both findings get an entry in their history; only `by` has the claim now.
    const why = { id: 'claim-goes-on', from: id, to: by };
    for (const mismatch_id of [id, by]) moves.push({ mismatch_id, state, answer: claim.answer, why });
  }
  return moves;
}

/** The state of a claim that goes on with another finding. */
function stateInReplacing(claim: ClaimTable, { effect, amount }: MismatchTable): ClaimState {
  const claimed = parseAmount(claim.claimed).abs();
  // An overdue invoice has no effect: the unpaid part of it counts.
  const left = parseAmount(effect ?? amount ?? '0').abs();
  if (claimed.eq(left)) return claim.state === 'answered' || claim.answer !== null ? 'answered' : 'claimed';
  return left.lt(claimed) ? 'mended-in-part' : 'changed';
}

/** The state of a claim whose finding shows again, or with other figures. */
function changedState(claim: ClaimTable, finding: MismatchRecord): 'mended-in-part' | 'changed' {
  if (isOver(claim.state) || claim.effect === null || finding.effect === null) return 'changed';
  return isPartLeft(parseAmount(finding.effect), parseAmount(claim.effect)) ? 'mended-in-part' : 'changed';
}

/** Whether a part of an amount is left: of -22.50 it is -10.00, but neither 0.00, nor -22.50, nor 5.00. */
function isPartLeft(left: ExactDecimal, claimed: ExactDecimal): boolean {
  return !left.isZero() && left.isNegative() === claimed.isNegative() && left.abs().lt(claimed.abs());
}

/** Moves claims to a state, with an entry in the history of each. */
async function moveAll(trx: Trx, moves: readonly Move[], change: Change): Promise<void> {
  for (const page of chunks(moves)) {
    const ids = page.map(({ mismatch_id }) => mismatch_id);
    const figures = trx.selectFrom('mismatch').select(['id', 'currency', 'effect']).where('id', 'in', ids);
    const now = new Map((await figures.execute()).map(({ id, ...current }) => [id, current]));
    const events = page.map(({ why, note = null, ...move }) => {
      const sentence = why === undefined ? null : JSON.stringify(why);
      return { ...change, ...move, note, sentence, ...now.get(move.mismatch_id)! };
    });
    await insertRows(trx, 'claim_event', events);
    for (const { mismatch_id, state, answer } of page) {
      const fields = { state, answer, moved_at: change.at };
      await trx.updateTable('claim').set(fields).where('mismatch_id', '=', mismatch_id).execute();
    }
  }
}
