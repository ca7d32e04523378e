import { CLAIM_STATES, type ClaimState, isOver } from '../../base/states.ts';
import { type Claimed, findClaims } from '../../ledger/queries/findings/claims.ts';
import type { MismatchFilter } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { Totals } from '../../money/sum.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import type { Books } from '../books.ts';
import { eachCourier, ofOneCourier } from '../each-courier.ts';
import { mismatchInNumberTexts, type WithNumberText } from '../mismatches/in-number-texts.ts';
import { showMismatch } from '../show/mismatch.ts';
import { claimedEffect, effectNow } from './claimed-effect.ts';
import { type Gathered, gatherOwed } from './gather.ts';
import { readSharesSent, type Share, sharesNow } from './taken-off.ts';

export type { Claimed };

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
  const found = await eachCourier(books, { readOnly: true }, (ledger, { config }) =>
    usingSnapshot(ledger, async (db) => {
      const texts = await readNumberTexts(db);
      const claimed = await findClaims(db, filter);
      const gathered = claimed.some(({ claim }) => !isOver(claim.state)) ? await gatherOwed(db, config) : null;
      const claims = claimed.map((one) => {
        return { ...one, now: owedNow(one, gathered), mismatch: mismatchInNumberTexts(one.mismatch, texts) };
      });
      const shares = gathered === null ? null : { sent: await readSharesSent(db), now: sharesNow(gathered) };
      return { claims, totals: [...sumsOf(claims), ...(shares === null ? [] : takenOffSums(claims, shares))] };
    }),
  );
  return {
    claims: found.flatMap(({ courier, value }) => value.claims.map((one) => ({ courier, ...one }))),
    totals: found.flatMap(({ courier, value }) => value.totals.map((sum) => ({ courier, ...sum }))),
  };
}

/** What a letter would ask for by the claim's finding now; the finding's effect where the claim is over. */
function owedNow({ claim, mismatch }: Claimed, gathered: Gathered | null): string | null {
  const { mismatch_id: id, state } = claim;
  const owed = gathered?.owed.get(id);
  if (isOver(state)) return effectNow(mismatch);
  if (owed && owed.section !== 'confirm') return claimedEffect({ ...owed, claimed: formatUnits(owed.claimed) });
  return gathered?.whyNothing.has(id) ? formatUnits(0n) : effectNow(mismatch);
}

/** What the letters took off, per currency: with it, the sums of claims in force come to what their letters ask for. */
function takenOffSums(
  claims: readonly Claimed[],
  { sent, now }: { readonly sent: readonly Share[]; readonly now: readonly Share[] },
): Omit<ClaimSum, 'courier'>[] {
  const listed = new Set(claims.map(({ claim }) => claim.mismatch_id));
  const isListed = ({ id }: Share) => listed.has(id);
  const [sharesSent, sharesLeft] = [sent.filter(isListed), now.filter(isListed)];
  const sumOf = (all: readonly Share[], currency: string) =>
    formatUnits(all.reduce((sum, one) => (one.currency === currency ? sum + one.amount : sum), 0n));
  const letters = new Map(claims.map(({ claim }) => [claim.mismatch_id, claim.evidence_id]));
  return [...new Set(sharesSent.map(({ currency }) => currency))].sort().map((currency) => ({
    state: 'taken-off',
    currency,
    count: new Set(sharesSent.flatMap((share) => (share.currency === currency ? [letters.get(share.id)!] : []))).size,
    claimed: sumOf(sharesSent, currency),
    now: sumOf(sharesLeft, currency),
  }));
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
    return claimed.currencies().map((currency) => ({
      state,
      currency,
      count: counts.get(currency)!,
      claimed: formatUnits(claimed.unitsOf(currency)),
      now: now.currencies().includes(currency) ? formatUnits(now.unitsOf(currency)) : '0.00',
    }));
  });
}

/** Shows a claim: what was claimed, its finding now, and the history of both. */
export function showClaim(books: Books, id: string) {
  return ofOneCourier(books, { kind: 'mismatch', name: id }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const { sides: _, ...shown } = await showMismatch(db, id);
      return shown;
    }),
  );
}

export type ShownClaim = Awaited<ReturnType<typeof showClaim>>;
