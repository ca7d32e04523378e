import { CLAIM_STATES, type ClaimState } from '../../base/states.ts';
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

export type { Claimed };

export type CouriersClaim = Claimed & {
  readonly courier: string;
  readonly mismatch: Claimed['mismatch'] & WithNumberText;
};

/** The sum of the claims in one state and currency: negative where it is owed to you. */
export interface ClaimSum {
  readonly courier: string;
  readonly state: ClaimState;
  readonly currency: string;
  readonly count: number;
  readonly claimed: string;
  /** The sum of their findings' effects now. */
  readonly now: string;
}

/** The claims that a filter lets through, in their state now, and their sums. */
export async function listClaims(
  books: Books,
  filter: MismatchFilter & { readonly states?: readonly ClaimState[] | undefined },
): Promise<{ readonly claims: readonly CouriersClaim[]; readonly totals: readonly ClaimSum[] }> {
  const found = await eachCourier(books, { readOnly: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const texts = await readNumberTexts(db);
      const claims = await findClaims(db, filter);
      return claims.map((one) => ({ ...one, mismatch: mismatchInNumberTexts(one.mismatch, texts) }));
    }),
  );
  return {
    claims: found.flatMap(({ courier, value }) => value.map((one) => ({ courier, ...one }))),
    totals: found.flatMap(({ courier, value }) => sumsOf(value).map((sum) => ({ courier, ...sum }))),
  };
}

function sumsOf(claims: readonly Claimed[]): Omit<ClaimSum, 'courier'>[] {
  return CLAIM_STATES.flatMap((state) => {
    const inState = claims.filter(({ claim }) => claim.state === state);
    const [claimed, now] = [new Totals(), new Totals()];
    const counts = new Map<string, number>();
    for (const { claim, mismatch } of inState) {
      const [effectClaimed, currentEffect] = [claimedEffect(claim), effectNow(mismatch)];
      if (claim.currency === null || effectClaimed === null) continue;
      counts.set(claim.currency, (counts.get(claim.currency) ?? 0) + 1);
      claimed.add(claim.currency, parseUnits(effectClaimed));
      // A mended claim's finding is gone.
      if (state !== 'mended' && currentEffect !== null) now.add(claim.currency, parseUnits(currentEffect));
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
