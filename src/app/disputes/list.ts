import { claimTotals } from '../../../reports/claim.ts';
import { type Claimed, findClaims, type MismatchFilter, usingSnapshot } from '../../ledger/read/index.ts';
import { CLAIM_STATES, type ClaimState } from '../../states.ts';
import { type Books, usingBooks } from '../books.ts';
import { showMismatch } from '../show/index.ts';

export type { Claimed };

/** What claims of one state come to in one currency, as they were claimed. */
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
    const now = new Map(
      claimTotals(own.map(({ mismatch }) => mismatch)).map((total) => [total.currency, total.effect]),
    );
    return claimTotals(own.map(({ claim }) => claim)).map(({ currency, count, effect }) => ({
      state,
      currency,
      count,
      claimed: effect,
      // What is mended has no finding any more: what it came to last is past.
      now: state === 'mended' ? '0.00' : (now.get(currency) ?? '0.00'),
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
