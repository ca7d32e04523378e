/** How walks over lists end: a month's list of invoices, or the order book, whose `period` is null. */
import { counted } from '../base/counted.ts';
import type { Walk } from '../courier/index.ts';
import type { WalksEnded } from '../derive/runs-and-walks.ts';
import { record, type SyncSession } from './session.ts';

/** The unreadable rows that the last walk showed. */
export interface UnreadableRows {
  /** The subject of each, by which evidence names it. */
  readonly subjects: readonly string[];
  /** How many of them have no readable id. */
  readonly anonymous: number;
}

function kindOf(period: string | null): WalksEnded['kind'] {
  return period === null ? 'orders' : 'invoices';
}

/** A list's name in evidence: `invoices 2026-10`, `orders`. */
export function listingName(period: string | null): string {
  return period === null ? 'orders' : `invoices ${period}`;
}

/** A list's name in a warning. */
function nameForPeople(period: string | null): string {
  return period === null ? 'the order book' : `the invoice list of ${period}`;
}

/** If more items than this vanish and none is left, the list is probably wrong. */
const MAX_PLAUSIBLY_GONE = 2;

/**
 * Why a complete walk is not trusted: the list has lost everything at once. Null if it is trusted.
 *
 * @param held how many of its items the ledger has as present
 * @param shown how many of these the walk showed
 */
export function whyDistrusted(session: SyncSession, period: string | null, held: number, shown: number) {
  if (session.acceptVanished || held <= MAX_PLAUSIBLY_GONE || shown > 0) return null;
  return `${nameForPeople(period)} no longer holds any of the ${held} ${kindOf(period)} that it held: nothing was marked as vanished; if that is right, run the sync once with --accept-vanished`;
}

/**
 * Records how a walk ended, and marks as gone what a complete one no longer shows.
 *
 * @param distrust why a complete walk is not trusted; null if it is
 * @param webhooksUntil the last evidence when the walk began: webhooks about orders up to it wait no longer, because
 *   the walk read these orders. Absent if none waited
 */
export async function concludeListing(
  session: SyncSession,
  period: string | null,
  walk: Walk,
  unreadable: UnreadableRows,
  distrust: string | null,
  webhooksUntil?: number,
): Promise<void> {
  const why = distrust ?? whyIncomplete(period, walk);
  if (why !== null) {
    session.isIncomplete = true;
    session.progress.warn(distrust ?? `${nameForPeople(period)} is not complete: ${why}; run the sync again`);
  }
  await recordConclusion(session, period, {
    complete: walk.complete && distrust === null,
    stated_count: walk.statedCount,
    seen_count: walk.seenCount,
    walks: walk.walks,
    unreadable: unreadable.subjects,
    anonymous: unreadable.anonymous,
    why,
    webhooks_until: webhooksUntil,
  });
}

function whyIncomplete(period: string | null, walk: Walk): string | null {
  if (walk.complete) return null;
  const shown = `it states ${walk.statedCount ?? 'no'} ${kindOf(period)} and showed ${walk.seenCount} in ${counted(walk.walks, 'reading')}`;
  return walk.fault ? `${shown}: ${walk.fault.message}` : shown;
}

/** Records that a list could not be read at all. The caller reports `error`, or throws it. */
export async function concludeUnread(session: SyncSession, period: string | null, error: unknown): Promise<void> {
  await recordConclusion(session, period, {
    complete: false,
    stated_count: null,
    seen_count: 0,
    walks: 0,
    unreadable: [],
    anonymous: 0,
    why: (error as Error).message,
  });
}

/** Records how one part of a walk over the order book ended. Which records it could not read is not kept. */
export async function concludePart(
  session: SyncSession,
  end: Omit<WalksEnded, 'kind' | 'period' | 'walks' | 'unreadable'>,
): Promise<void> {
  await recordConclusion(session, null, { ...end, walks: 1, unreadable: [] });
}

async function recordConclusion(session: SyncSession, period: string | null, end: Omit<WalksEnded, 'kind' | 'period'>) {
  const data: WalksEnded = { kind: kindOf(period), period, ...end };
  const name = listingName(period);
  await record(session, { at: session.now(), kind: 'listing', subject: name, listing: name, walk: end.walks, data });
}
