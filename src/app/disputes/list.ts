import { UsageError } from '../../base/errors.ts';
import { CLAIM_STATES, type ClaimState, isOver } from '../../base/states.ts';
import { findBody } from '../../ledger/queries/evidence/bodies.ts';
import { type LetterRecord, readLetters } from '../../ledger/queries/evidence/decided.ts';
import { type Claimed, findClaims, readClaimHistory, readClaims } from '../../ledger/queries/findings/claims.ts';
import type { MismatchFilter } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { Totals } from '../../money/sum.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import { decidingError } from '../../words/errors/deciding.ts';
import { type Books, readBooks } from '../books.ts';
import { booksHaving, booksOfMismatches, readEachCourier } from '../each-courier.ts';
import { mismatchInNumberTexts, type WithNumberText } from '../mismatches/in-number-texts.ts';
import { showBooksMismatch } from '../show/index.ts';
import { oneMismatch } from '../show/mismatch.ts';
import { claimedEffect, effectNow } from './claim-report.ts';
import { type Gathered, gatherOwed } from './gather.ts';
import { readSharesSent, type Share, sharesNow } from './taken-off.ts';

export type CouriersClaim = Claimed & {
  readonly courier: string;
  readonly mismatch: Claimed['mismatch'] & WithNumberText;
  /** What is owed of it now, with an effect's sign: negative where it is owed to you. */
  readonly now: string | null;
};

/**
 * The sum of the claims in one state and currency: negative where it is owed to you. `taken-off`: what their letters
 * take off, which pays no claim yet.
 */
export interface ClaimSum {
  readonly courier: string;
  readonly state: ClaimState | 'taken-off';
  readonly currency: string;
  readonly count: number;
  readonly claimed: string;
  /** The sum of what is owed of them now. */
  readonly now: string;
}

/** The claims that a filter lets through, in their state now, and their sums. */
export async function listClaims(
  books: Books,
  filter: MismatchFilter & { readonly states?: readonly ClaimState[] | undefined },
): Promise<{ readonly claims: readonly CouriersClaim[]; readonly totals: readonly ClaimSum[] }> {
  const found = await readEachCourier(books, {}, async (db, { config }) => {
    const texts = await readNumberTexts(db);
    const claimed = await findClaims(db, filter);
    const gathered = claimed.some(({ claim }) => !isOver(claim.state)) ? await gatherOwed(db, config) : null;
    const claims = claimed.map((one) => {
      return { ...one, now: owedNow(one, gathered), mismatch: mismatchInNumberTexts(one.mismatch, texts) };
    });
    const takenOff = gathered === null ? [] : takenOffSums(claims, await readSharesSent(db), sharesNow(gathered));
    return { claims, totals: [...sumsOf(claims), ...takenOff] };
  });
  return {
    claims: found.flatMap(({ courier, value }) =>
      value.claims.map(({ mismatch, claim, now }) => {
        // A row's `courier` is the key: the name takes its place.
        return { courier, mismatch: { ...mismatch, courier }, claim: { ...claim, courier }, now };
      }),
    ),
    totals: found.flatMap(({ courier, value }) => value.totals.map((sum) => ({ courier, ...sum }))),
  };
}

/**
 * What a letter would ask for by the claim's finding now: nothing if a receipt or another finding covers it. The
 * finding's effect where the claim is over, or a letter would name no amount.
 */
function owedNow({ claim, mismatch }: Claimed, gathered: Gathered | null): string | null {
  const { mismatch_id: id, state } = claim;
  if (isOver(state)) return effectNow(mismatch);
  const owed = gathered?.owed.get(id);
  if (owed && owed.section !== 'confirm') return claimedEffect({ ...owed, claimed: formatUnits(owed.claimed) });
  return gathered?.whyNothing.has(id) ? formatUnits(0n) : effectNow(mismatch);
}

/** What the letters took off, per currency: with it, the sums of claims in force come to what their letters ask for. */
function takenOffSums(
  claims: readonly Claimed[],
  sent: readonly Share[],
  now: readonly Share[],
): Omit<ClaimSum, 'courier'>[] {
  const letters = new Map(claims.map(({ claim }) => [claim.mismatch_id, claim.evidence_id]));
  const sharesSent = sent.filter(({ id }) => letters.has(id));
  const sumOf = (all: readonly Share[]) => formatUnits(all.reduce((sum, { amount }) => sum + amount, 0n));
  return [...new Set(sharesSent.map(({ currency }) => currency))].sort().map((currency) => {
    const inCurrency = sharesSent.filter((share) => share.currency === currency);
    return {
      state: 'taken-off',
      currency,
      count: new Set(inCurrency.map(({ id }) => letters.get(id))).size,
      claimed: sumOf(inCurrency),
      now: sumOf(now.filter((share) => letters.has(share.id) && share.currency === currency)),
    };
  });
}

function sumsOf(claims: readonly Omit<CouriersClaim, 'courier'>[]): Omit<ClaimSum, 'courier'>[] {
  return CLAIM_STATES.flatMap((state) => {
    const inState = claims.filter(({ claim }) => claim.state === state);
    const [claimed, now] = [new Totals(), new Totals()];
    const counts = new Map<string, number>();
    for (const { claim, now: owed } of inState) {
      const effectClaimed = claimedEffect(claim);
      if (claim.currency === null || effectClaimed === null) continue;
      counts.set(claim.currency, (counts.get(claim.currency) ?? 0) + 1);
      claimed.add(claim.currency, parseUnits(effectClaimed));
      // A mended claim's finding is gone.
      if (state !== 'mended' && owed !== null) now.add(claim.currency, parseUnits(owed));
    }
    return claimed.currencies().map((currency) => {
      const sums = { claimed: formatUnits(claimed.unitsOf(currency)), now: formatUnits(now.unitsOf(currency)) };
      return { state, currency, count: counts.get(currency)!, ...sums };
    });
  });
}

/** Shows a claim: what was claimed, its finding now, and the history of both. */
export async function showClaim(books: Books, id: string) {
  const { sides: _, ...shown } = await showBooksMismatch(books, id);
  return shown;
}

export type ShownClaim = Awaited<ReturnType<typeof showClaim>>;

/** A letter as it was sent, byte for byte, and how many other letters there are about the same mismatch or month. */
export interface KeptLetter extends LetterRecord {
  readonly courier: string;
  readonly bytes: Buffer;
  readonly others: number;
}

/** Which letter: the last one about a mismatch, or the last one about a month. */
type LetterWanted = { readonly id: string } | { readonly month: string };

/** Reads a letter as it was sent. @throws UsageError where none is kept, or several couriers have one */
export async function readLetter(books: Books, wanted: LetterWanted): Promise<KeptLetter> {
  const name = 'id' in wanted ? wanted.id : wanted.month;
  const courierBooks =
    'id' in wanted
      ? await booksOfMismatches(books, [wanted.id])
      : await booksHaving(books, { kind: 'claim', name }, async (db) => (await lettersOf(db, wanted)).length > 0);
  return readBooks(courierBooks, {}, async (db, { config }) => {
    const [last, ...others] = await lettersOf(db, wanted);
    if (!last) throw new UsageError(decidingError({ id: 'no-letter-kept', what: name }));
    return { ...last, courier: config.courier!, bytes: (await findBody(db, last.sha256))!, others: others.length };
  });
}

async function lettersOf(db: LedgerReader, wanted: LetterWanted): Promise<LetterRecord[]> {
  const letters = await readLetters(db);
  if ('id' in wanted) {
    const { id } = await oneMismatch(db, wanted.id);
    // A claim that goes on with another finding has its letter in the history of the first one.
    const sent = [...(await readClaimHistory(db, id)), ...(await readClaims(db, [id])).values()];
    const claims = new Set(sent.map(({ evidence_id }) => evidence_id));
    return letters.filter(({ claim }) => claims.has(claim));
  }
  // A claim whose findings were named by id has no months, but its findings have.
  const found = await findClaims(db, { periods: [wanted.month] });
  const claims = new Set(found.map(({ claim }) => claim.evidence_id));
  return letters.filter(
    ({ months, claim }) => months.includes(wanted.month) || (months.length === 0 && claims.has(claim)),
  );
}
