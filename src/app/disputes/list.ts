import { CLAIM_STATES, type ClaimState } from '../../base/states.ts';
import { type Claimed, findClaims, type MismatchFilter, usingSnapshot } from '../../ledger/queries/index.ts';
import { formatUnits, parseUnits, Totals } from '../../money/index.ts';
import { type Books, usingBooks } from '../books.ts';
import { showMismatch } from '../show/mismatch.ts';
import { claimedEffect, effectNow } from './claimed-effect.ts';

export type { Claimed };

/** What claims of one state come to in one currency: negative where it is owed to you. */
export interface ClaimSum {
  readonly state: ClaimState;
  readonly currency: string;
  readonly count: number;
  readonly claimed: string;
  /** What their findings come to now. */
  readonly now: string;
}

/** The claims that a filter lets through, as they stand, and what they come to. */
export async function listClaims(
  books: Books,
  filter: MismatchFilter & { readonly states?: readonly ClaimState[] | undefined },
): Promise<{ readonly claims: readonly Claimed[]; readonly totals: readonly ClaimSum[] }> {
  const claims = await usingBooks(books, { readOnly: true }, (ledger) =>
    usingSnapshot(ledger, (db) => findClaims(db, filter)),
  );
  return { claims, totals: sumsOf(claims) };
}

function sumsOf(claims: readonly Claimed[]): ClaimSum[] {
  return CLAIM_STATES.flatMap((state) => {
    const own = claims.filter(({ claim }) => claim.state === state);
    const [claimed, now] = [new Totals(), new Totals()];
    const counts = new Map<string, number>();
    for (const { claim, mismatch } of own) {
      const [was, is] = [claimedEffect(claim), effectNow(mismatch)];
      if (claim.currency === null || was === null) continue;
      counts.set(claim.currency, (counts.get(claim.currency) ?? 0) + 1);
      claimed.add(claim.currency, parseUnits(was));
      // A mended claim has no finding any more.
      if (state !== 'mended' && is !== null) now.add(claim.currency, parseUnits(is));
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

/** All that is known of one claim: what was claimed, what its finding comes to now, and what became of both. */
export function showClaim(books: Books, id: string) {
  return usingBooks(books, { readOnly: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const { sides: _, ...shown } = await showMismatch(db, id);
      return shown;
    }),
  );
}

export type ShownClaim = Awaited<ReturnType<typeof showClaim>>;
