import { counted } from '../base/counted.ts';
import type { Walk } from '../courier/index.ts';
import type { Concluded } from '../derive/listing.ts';
import { record, type SyncSession } from './session.ts';

/** A list that a sync walks. */
export interface Listing {
  readonly kind: 'invoices' | 'orders';
  /** The month; null for the order book. */
  readonly period: string | null;
}

/** The unreadable rows that the last walk showed. */
export interface UnreadableRows {
  /** Under which each is noted. */
  readonly subjects: readonly string[];
  /** How many of them have no readable id. */
  readonly anonymous: number;
}

/** A list's name in evidence: `invoices 2026-10`, `orders`. */
export function listingName({ kind, period }: Listing): string {
  return period === null ? kind : `${kind} ${period}`;
}

/** A list's name in a sentence. */
function sayListing({ period }: Listing): string {
  return period === null ? 'the order book' : `the invoice list of ${period}`;
}

/**
 * Removes what only an earlier walk saw, if the walk is complete: it left the list meanwhile. An incomplete walk may have missed it.
 *
 * @param seen the walk, from 1, in which each was last seen
 */
export function dropWhatLeft<K>(seen: Map<K, number>, walk: Walk): void {
  if (!walk.complete) return;
  for (const [key, walkNumber] of seen) if (walkNumber < walk.walks) seen.delete(key);
}

/** If more than this vanish, and nothing is left, the list is probably wrong. */
const MAX_PLAUSIBLY_GONE = 2;

/**
 * Why a complete walk is not trusted: the list has lost everything at once. Null where it is trusted.
 *
 * @param held how many of its items the ledger holds as present
 * @param left how many of these the walk showed
 */
export function lostEverything(session: SyncSession, listing: Listing, held: number, left: number): string | null {
  if (session.acceptVanished || held <= MAX_PLAUSIBLY_GONE || left > 0) return null;
  return `${sayListing(listing)} no longer holds any of the ${held} ${listing.kind} that it held: nothing was marked as vanished; if that is right, run the sync once with --accept-vanished`;
}

/** What else is known at the end of a walk. */
interface Conclusion {
  /** Why a complete walk is not trusted; null where it is. */
  readonly distrust?: string | null;
  /** The last evidence when it began, where messages about orders waited: the walk answers them. */
  readonly webhooksUntil?: number | null;
}

/** Records how a walk ended, and marks as gone what a complete one no longer shows. */
export async function concludeListing(
  session: SyncSession,
  listing: Listing,
  walk: Walk,
  unreadable: UnreadableRows,
  { distrust = null, webhooksUntil = null }: Conclusion = {},
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
    ...(webhooksUntil === null ? {} : { webhooks_until: webhooksUntil }),
  });
}

function incompleteWhy({ kind }: Listing, walk: Walk): string | null {
  if (walk.complete) return null;
  const shown = `it states ${walk.statedCount ?? 'no'} ${kind} and showed ${walk.seenCount} in ${counted(walk.walks, 'reading')}`;
  return walk.fault ? `${shown}: ${walk.fault.message}` : shown;
}

/** Records that a walk failed. */
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

/** Records how a part of a walk over the order book ended. */
export async function concludePart(
  session: SyncSession,
  listing: Listing,
  how: Omit<Concluded, 'kind' | 'period' | 'walks' | 'unreadable'>,
): Promise<void> {
  await recordConclusion(session, listing, { ...how, walks: 1, unreadable: [] });
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
