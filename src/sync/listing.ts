import type { Walk } from '../courier/index.ts';
import type { Concluded } from '../derive/derive-listing.ts';
import { record, type SyncSession } from './session.ts';

/** What a list that was walked holds, and how to speak of it. */
export interface Listing {
  readonly kind: 'invoices' | 'orders';
  /** The month; null for the order book. */
  readonly period: string | null;
}

/** What the rows of a walk's last round showed that cannot be read. */
export interface UnreadableRows {
  readonly subjects: readonly string[];
  readonly anonymous: number;
}

/** How messages and evidence name a listing: `invoices 2026-10`, `orders`. */
export function listingName({ kind, period }: Listing): string {
  return period === null ? kind : `${kind} ${period}`;
}

/** How a sentence names a listing. */
function sayListing({ period }: Listing): string {
  return period === null ? 'the order book' : `the invoice list of ${period}`;
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

/** So many are not gone from one look to the next without something being wrong with the look. */
const MOST_GONE_AT_ONCE = 2;

/**
 * Why a complete walk is not believed: it has lost everything at once.
 *
 * @param held how many of the list the ledger holds as present
 * @param left how many of these the walk showed
 */
export function lostEverything(session: SyncSession, listing: Listing, held: number, left: number): string | null {
  if (session.acceptVanished || held <= MOST_GONE_AT_ONCE || left > 0) return null;
  return `${sayListing(listing)} no longer holds any of the ${held} ${listing.kind} that it held: nothing was marked as vanished; if that is right, run the sync once with --accept-vanished`;
}

/** Puts on record how a walk ended, and has what a complete one no longer shows marked as gone. */
export async function concludeListing(
  session: SyncSession,
  listing: Listing,
  walk: Walk,
  unreadable: UnreadableRows,
  distrust: string | null = null,
): Promise<void> {
  const why = distrust ?? incompleteWhy(listing, walk);
  if (why !== null) {
    session.incomplete = true;
    session.progress.warn(distrust ?? `${sayListing(listing)} is not complete: ${why}; run the sync again`);
  }
  await recordConclusion(session, listing, {
    complete: walk.complete && distrust === null,
    stated_count: walk.statedCount,
    seen_count: walk.seenCount,
    walks: walk.walks,
    unreadable: unreadable.subjects,
    anonymous: unreadable.anonymous,
    why,
  });
}

function incompleteWhy({ kind }: Listing, walk: Walk): string | null {
  if (walk.complete) return null;
  const shown = `it states ${walk.statedCount ?? 'no'} ${kind} and showed ${walk.seenCount} in ${walk.walks} walks`;
  return walk.fault ? `${shown}: ${walk.fault.message}` : shown;
}

/** Puts on record that a walk did not come to its end. */
export async function concludeBroken(session: SyncSession, listing: Listing, error: unknown): Promise<void> {
  await recordConclusion(session, listing, {
    complete: false,
    stated_count: null,
    seen_count: 0,
    walks: 0,
    unreadable: [],
    anonymous: 0,
    why: (error as Error).message,
  });
}

async function recordConclusion(
  session: SyncSession,
  listing: Listing,
  how: Omit<Concluded, 'kind' | 'period'>,
): Promise<void> {
  const data: Concluded = { kind: listing.kind, period: listing.period, ...how };
  const name = listingName(listing);
  await record(session, { at: session.now(), kind: 'listing', subject: name, listing: name, walk: how.walks, data });
}
