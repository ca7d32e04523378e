import { addMonths } from '../../base/period.ts';
import { hadSheets, readCouriersTariff, readImportedKinds } from '../../ledger/queries/imports.ts';
import { holdsExchanges } from '../../ledger/queries/receipts/matches.ts';
import { holdsAny, type LedgerReader } from '../../ledger/queries/snapshot.ts';
import {
  countWalks,
  type MonthWalk,
  readLastBookRun,
  readLastBookWalk,
  readLastWalks,
  readLastWholeBook,
  readUnfinishedSyncs,
  readWholeMonths,
} from '../../ledger/queries/sync/walks.ts';

/** Which of the courier's lists, its order book and the merchant's files are in the ledger, and how fresh they are. */
export type Sources = Readonly<Awaited<ReturnType<typeof readSources>>>;

export async function readSources(db: LedgerReader) {
  const orders = await countWalks(db, 'orders');
  const whole = await readLastWholeBook(db);
  const months = await readLastWalks(db);
  const imported = await readImportedKinds(db);
  // A rate card that has only prices of other couriers does not count as imported.
  const hasOthersRateCard = imported.has('tariff') && (await readCouriersTariff(db)).length === 0;
  if (hasOthersRateCard) imported.delete('tariff');
  return {
    /** The last walk over each month's list that was ever walked, by month. */
    months,
    /** The months whose list some walk read to the end. */
    wholeMonths: await readWholeMonths(db),
    /** The months for which the budget of requests ran out since their last walk, or before their first. */
    leftUndone: await readLeftUndone(db, months),
    /** The number of syncs that walked a month's list. */
    syncs: (await countWalks(db, 'invoices')).runs,
    book: {
      /** Whether any order was ever read. */
      hasOrders: await holdsAny(db, 'courier_order'),
      /** The number of syncs that walked over it. */
      syncs: orders.runs,
      /** The evidence id of the last walk that read it whole, each record with a readable id; 0 if there was none. */
      lastWholeWalk: whole?.id ?? 0,
      /** When that walk was; null if there was none. */
      lastWholeAt: whole?.finished_at ?? null,
      /** When the first and the last walk over it finished, whole or not; null if none did. */
      firstAt: orders.first,
      walkedAt: orders.last,
      /** How the last walk went, even one that was killed; null if there was none. */
      last: await readLastBookWalk(db),
      /** The number of the last sync that read it, whole or only what may have changed; 0 if none did. */
      lastRun: await readLastBookRun(db),
    },
    /** The kinds of the merchant's files that are in force, such as `receipts`. */
    imported,
    /** Whether a rate card is in force, and only other couriers have prices in it. */
    hasOthersRateCard,
    /** Whether a receipt in another currency pays an invoice. */
    paidAtRate: await holdsExchanges(db),
    /** Whether any month was ever closed, even if it is open again. */
    everClosed: await holdsAny(db, 'period_close'),
    /** Whether a settlement sheet was ever imported, even if that was undone. */
    hadSheets: await hadSheets(db),
    /** Whether any webhook of the courier was ever received. */
    hasWebhooks: await holdsAny(db, 'webhook'),
  };
}

/** What a sync left of a month counts until a later sync walks over the month's list again. */
async function readLeftUndone(db: LedgerReader, months: readonly MonthWalk[]): Promise<ReadonlySet<string>> {
  const lastSyncOf = new Map(months.map(({ period, run_id }) => [period, run_id]));
  const undone = new Set<string>();
  for (const { id: sync, left } of await readUnfinishedSyncs(db)) {
    for (const { period } of left) {
      if (period === null) continue;
      const wasWalkedLater = (lastSyncOf.get(period) ?? 0) > sync;
      if (!wasWalkedLater) undone.add(period);
    }
  }
  return undone;
}

/** Where our figure comes from: the courier's order book, or else the shop's own order book, or neither (null). */
export function ourSource({ book, imported }: Sources): 'order-book' | 'own-book' | null {
  if (book.hasOrders) return 'order-book';
  return imported.has('orders') ? 'own-book' : null;
}

/**
 * Whether the list of every month, from this one up to the last walk over the order book, was read whole: only then is
 * an invoice that the ledger lacks really not there, and not merely in a month that was never synced.
 */
export function isWholeSince({ wholeMonths, book }: Sources, month: string): boolean {
  const last = book.walkedAt?.slice(0, 7) ?? month;
  for (let each = month; each <= last; each = addMonths(each, 1)) if (!wholeMonths.has(each)) return false;
  return true;
}
