import { addMonths } from '../../base/period.ts';
import { hadSheets, readCouriersTariff, readImportedKinds } from '../../ledger/queries/imports.ts';
import { holdsExchanges } from '../../ledger/queries/receipts/matches.ts';
import { holdsAny, type LedgerReader } from '../../ledger/queries/snapshot.ts';
import {
  type BookWalk,
  countWalks,
  type MonthWalk,
  readLastBookRun,
  readLastBookWalk,
  readLastWalks,
  readLastWholeBook,
  readUnfinishedSyncs,
  readWholeMonths,
} from '../../ledger/queries/sync/walks.ts';

/** What the checks can rest on: which of the courier's lists, of the order book and of the merchant's own files the ledger holds, and how fresh they are. */
export interface Sources {
  /** The last walk over the list of every month that was ever walked, in order. */
  readonly months: readonly MonthWalk[];
  /** The months that some walk saw to the end. */
  readonly wholeMonths: ReadonlySet<string>;
  /** The months of which a budget of requests left something undone since, whether they were ever walked or not. */
  readonly leftUndone: ReadonlySet<string>;
  /** How many syncs walked a month's list. */
  readonly syncs: number;
  readonly book: {
    /** Whether any order was ever read. */
    readonly hasOrders: boolean;
    /** How many syncs walked it. */
    readonly walks: number;
    /** The evidence of the last walk that saw it whole, with no record of an unknown order; 0 where there was none. */
    readonly whole: number;
    /** When that was; null where there was none. */
    readonly at: string | null;
    /** When it was first and last walked, whole or not. */
    readonly firstAt: string | null;
    readonly walkedAt: string | null;
    /** How far the last walk came; null where there was none. */
    readonly last: BookWalk | null;
    /** The last run that looked at it, whole or at what may have changed; 0 where none did. */
    readonly lookedInRun: number;
  };
  /** Of which kinds files of the merchant's own side are in force. */
  readonly imported: ReadonlySet<string>;
  /** Whether a receipt in another currency pays an invoice. */
  readonly paidAtRate: boolean;
  /** Whether any month was ever closed, be it open again. */
  readonly everClosed: boolean;
  /** Whether a settlement sheet was ever imported, be it undone. */
  readonly hadSheets: boolean;
  /** Whether any webhook of the courier was ever received. */
  readonly hasWebhooks: boolean;
}

export async function readSources(db: LedgerReader): Promise<Sources> {
  const orders = await countWalks(db, 'orders');
  const whole = await readLastWholeBook(db);
  const months = await readLastWalks(db);
  return {
    months,
    leftUndone: await readLeftUndone(db, months),
    wholeMonths: await readWholeMonths(db),
    syncs: (await countWalks(db, 'invoices')).runs,
    book: {
      hasOrders: await holdsAny(db, 'courier_order'),
      walks: orders.runs,
      whole: whole?.id ?? 0,
      at: whole?.finished_at ?? null,
      firstAt: orders.first,
      walkedAt: orders.last,
      last: await readLastBookWalk(db),
      lookedInRun: await readLastBookRun(db),
    },
    imported: await readKinds(db),
    paidAtRate: await holdsExchanges(db),
    everClosed: await holdsAny(db, 'period_close'),
    hadSheets: await hadSheets(db),
    hasWebhooks: await holdsAny(db, 'webhook'),
  };
}

async function readLeftUndone(db: LedgerReader, months: readonly MonthWalk[]): Promise<ReadonlySet<string>> {
  const walkedIn = new Map(months.map(({ period, run_id }) => [period, run_id]));
  const left = (await readUnfinishedSyncs(db)).flatMap(({ id, left: undone }) =>
    undone.flatMap(({ period }) => (period !== null && id >= (walkedIn.get(period) ?? 0) ? period : [])),
  );
  return new Set(left);
}

/** The kinds of files in force. Prices of other couriers alone are no rate card of this one. */
async function readKinds(db: LedgerReader): Promise<ReadonlySet<string>> {
  const kinds = await readImportedKinds(db);
  if (kinds.has('tariff') && (await readCouriersTariff(db)).length === 0) {
    return new Set([...kinds].filter((kind) => kind !== 'tariff'));
  }
  return kinds;
}

/** What our figure rests on: the courier's own records of the orders, without them the shop's own book, or nothing at all. */
export function ourSource({ book, imported }: Sources): 'order-book' | 'own-book' | null {
  if (book.hasOrders) return 'order-book';
  return imported.has('orders') ? 'own-book' : null;
}

/**
 * Whether every month from one on, up to the last walk over the order book, was seen whole: only then is an invoice that the ledger
 * does not hold known not to be there, and not merely in a month that was never synced.
 */
export function isWholeSince({ wholeMonths, book }: Sources, month: string): boolean {
  const last = book.walkedAt?.slice(0, 7) ?? month;
  for (let each = month; each <= last; each = addMonths(each, 1)) if (!wholeMonths.has(each)) return false;
  return true;
}
