import type { Kysely } from 'kysely';
import type { Walk } from '../courier/index.ts';
import type { LedgerSchema } from '../ledger/index.ts';
import { reportMissing, type SyncSession } from './session.ts';

/** What a list that was walked holds, and how to speak of it. */
export interface Listing {
  readonly kind: 'invoices' | 'orders';
  /** The month; null for the order book. */
  readonly period: string | null;
  readonly walk: Walk;
}

/**
 * Removes what only an earlier walk saw: it left the list while that was read. A complete walk is right about it, an incomplete one
 * may have missed it.
 *
 * @param seen the walk, from 1, in which each was last seen
 */
export function dropWhatLeft<K>(seen: Map<K, number>, walk: Walk): void {
  if (!walk.complete) return;
  for (const [key, walkNumber] of seen) if (walkNumber < walk.walks) seen.delete(key);
}

/** Tells whoever watches that a list could not be read to its end, where that is so. */
export function reportIncomplete(session: SyncSession, { kind, period, walk }: Listing): void {
  if (walk.complete) return;
  const what = period === null ? 'the order book' : `the invoice list of ${period}`;
  const shown = `it states ${walk.statedCount ?? 'no'} ${kind} and showed ${walk.seenCount} in ${walk.walks} walks`;
  const message = walk.fault ? `${shown}: ${walk.fault.message}` : `${shown}; run the sync again`;
  reportMissing(session, `${what} is not complete`, { message });
}

/** Puts on record how a list was walked. */
export async function recordListing(
  trx: Kysely<LedgerSchema>,
  session: SyncSession,
  { kind, period, walk }: Listing,
  finishedAt: string,
): Promise<void> {
  await trx
    .insertInto('listing')
    .values({
      run_id: session.run,
      kind,
      period,
      finished_at: finishedAt,
      complete: walk.complete ? 1 : 0,
      stated_count: walk.statedCount,
      seen_count: walk.seenCount,
    })
    .execute();
}
