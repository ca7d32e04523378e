import { counted } from '../base/counted.ts';
import type { Walk } from '../courier/index.ts';
import type { Concluded } from '../derive/runs-and-walks.ts';
import { record, type SyncSession } from './session.ts';

/** A list that a sync walks. */
export interface Listing {
  readonly kind: 'invoices' | 'orders';
  /** The month; null for the order book. */
  readonly period: string | null;
}

/** The unreadable rows that the last walk showed. */
export interface UnreadableRows {
  /** The subject of each, by which evidence names it. */
  readonly subjects: readonly string[];
  /** How many of them have no readable id. */
  readonly anonymous: number;
}

/** A list's name in evidence: `invoices 2026-10`, `orders`. */
export function listingName({ kind, period }: Listing): string {
  return period === null ? kind : `${kind} ${period}`;
}

/** A list's name in a warning. */
function nameForPeople({ period }: Listing): string {
  return period === null ? 'the order book' : `the invoice list of ${period}`;
}

/**
 * If the last walk is complete, removes what only an earlier one saw: it left the list meanwhile.
 *
 * @param seen for each item the number, from 1, of the walk that saw it last
 */
export function dropWhatLeft<K>(seen: Map<K, number>, walk: Walk): void {
  if (!walk.complete) return;
  for (const [key, walkNumber] of seen) if (walkNumber < walk.walks) seen.delete(key);
}

/** If more items than this vanish and none is left, the list is probably wrong. */
const MAX_PLAUSIBLY_GONE = 2;

/**
 * Why a complete walk is not trusted: the list has lost everything at once. Null if it is trusted.
 *
 * @param held how many of its items the ledger has as present
 * @param shown how many of these the walk showed
 */
export function whyDistrusted(session: SyncSession, listing: Listing, held: number, shown: number): string | null {
  if (session.acceptVanished || held <= MAX_PLAUSIBLY_GONE || shown > 0) return null;
  return `${nameForPeople(listing)} no longer holds any of the ${held} ${listing.kind} that it held: nothing was marked as vanished; if that is right, run the sync once with --accept-vanished`;
}

/**
 * Records how a walk ended, and marks as gone what a complete one no longer shows.
 *
 * @param distrust why a complete walk is not trusted; null if it is
 * @param webhooksUntil the last evidence when the walk began, if webhooks about orders waited then: the walk answers
 *   them
 */
export async function concludeListing(
  session: SyncSession,
  listing: Listing,
  walk: Walk,
  unreadable: UnreadableRows,
  distrust: string | null,
  webhooksUntil: number | null = null,
): Promise<void> {
  const why = distrust ?? whyIncomplete(listing, walk);
  if (why !== null) {
    session.isIncomplete = true;
    session.progress.warn(distrust ?? `${nameForPeople(listing)} is not complete: ${why}; run the sync again`);
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

function whyIncomplete({ kind }: Listing, walk: Walk): string | null {
  if (walk.complete) return null;
  const shown = `it states ${walk.statedCount ?? 'no'} ${kind} and showed ${walk.seenCount} in ${counted(walk.walks, 'reading')}`;
  return walk.fault ? `${shown}: ${walk.fault.message}` : shown;
}

/** Records that a list could not be read at all. The caller reports `error`, or throws it. */
export async function concludeUnread(session: SyncSession, listing: Listing, error: unknown): Promise<void> {
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

/** Records how one part of a walk over the order book ended. */
export async function concludePart(
  session: SyncSession,
  listing: Listing,
  end: Omit<Concluded, 'kind' | 'period' | 'walks' | 'unreadable'>,
): Promise<void> {
  await recordConclusion(session, listing, { ...end, walks: 1, unreadable: [] });
}

async function recordConclusion(session: SyncSession, listing: Listing, end: Omit<Concluded, 'kind' | 'period'>) {
  const data: Concluded = { kind: listing.kind, period: listing.period, ...end };
  const name = listingName(listing);
  await record(session, { at: session.now(), kind: 'listing', subject: name, listing: name, walk: end.walks, data });
}
