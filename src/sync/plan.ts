import { subDays } from 'date-fns/subDays';
import { subHours } from 'date-fns/subHours';
import type { InvoiceListItem } from '../api/wire.ts';
import { monthIn } from '../base/day.ts';
import { addMonths } from '../base/period.ts';
import type { Page, Walk } from '../courier/index.ts';
import { listedSubject, type ReadListed, readInvoiceList } from '../derive/invoice-list.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import { readMonthsEverListed } from '../ledger/queries/sync/fetched.ts';
import { type HeldInvoice, readHeldInvoices } from '../ledger/queries/sync/to-fetch.ts';
import type { UnreadableRows } from './listing.ts';
import type { SyncOptions } from './session.ts';

/** An invoice in a month's list. */
export interface ListedInvoice {
  readonly period: string;
  readonly number: number;
  /** SHA-256 of its row in the list; null if the row cannot be read. */
  readonly rowSha256: string | null;
}

/** What a sync will do for one month, before it fetches a detail or writes a row. */
export interface PeriodPlan {
  readonly period: string;
  readonly walk: Walk;
  readonly listed: ReadonlyMap<number, ListedInvoice>;
  readonly fetch: readonly PlannedFetch[];
  readonly unreadable: UnreadableRows;
}

export interface PlannedFetch {
  readonly listed: ListedInvoice;
  /**
   * `changed`: its row in the list is another, or cannot be read; `superseded`: its newest detail could not be fetched
   * or read; `unpaid`, `paid`: with this status it was read long ago; `full`: all are wanted.
   */
  readonly why: 'new' | 'changed' | 'superseded' | 'unpaid' | 'paid' | 'full';
}

/** Receives each page of a month's list, its rows as read, and the number of its walk. */
type OnListPage = (page: Page<InvoiceListItem>, rows: readonly ReadListed[], walk: number) => Promise<void>;

/**
 * The months of a sync without a period: last month, this month, and every month whose list was ever read, so that a
 * restatement of an old month is noticed. This month goes by the books' time zone. Listing a month costs one request;
 * details are fetched only for a reason.
 */
export async function defaultPeriods(db: LedgerReader, { now, timeZone }: Pick<SyncOptions, 'now' | 'timeZone'>) {
  const thisMonth = monthIn(now(), timeZone);
  return [...new Set([addMonths(thisMonth, -1), thisMonth, ...(await readMonthsEverListed(db))])].sort();
}

/** Plans every month of a sync without writing anything: what `sync --dry-run` prints. */
export async function planSync(options: SyncOptions): Promise<PeriodPlan[]> {
  const periods = options.periods ?? (await defaultPeriods(options.ledger.db, options));
  const plans: PeriodPlan[] = [];
  for (const period of periods) plans.push(await planPeriod(options, period, 0, async () => {}));
  return plans;
}

/**
 * Reads the list of a month and decides which details to fetch.
 *
 * @param run the run that the rows for `onPage` name; 0 where nothing is written
 */
export async function planPeriod(options: SyncOptions, period: string, run: number, onPage: OnListPage) {
  const listed = new Map<number, ListedInvoice>();
  /** The number of the walk that saw each invoice last. */
  const lastSeen = new Map<number, number>();
  /** The rows that cannot be read, by walk. */
  const unreadable = new Map<number, ReadListed[]>();
  const [year, month] = period.split('-').map(Number) as [number, number];
  const walk = await options.client.walkInvoices({ year, month }, async (page, walkNumber) => {
    const read = readInvoiceList(page.items, { period, run, walk: walkNumber });
    for (const { rows } of read) {
      if (rows === null) continue;
      const { invoice_number: number, row_sha256: rowSha256 = null } = rows.listed;
      listed.set(number, { period, number, rowSha256 });
      lastSeen.set(number, walkNumber);
    }
    const faulty = read.filter(({ fault }) => fault !== null);
    unreadable.set(walkNumber, [...(unreadable.get(walkNumber) ?? []), ...faulty]);
    await onPage(page, read, walkNumber);
  });
  // An invoice that only an earlier walk saw has left the list meanwhile.
  for (const [number, walkNumber] of lastSeen) {
    if (walk.complete && walkNumber < walk.walks) listed.delete(number);
  }
  const faulty = unreadable.get(walk.walks) ?? [];
  return {
    period,
    walk,
    listed,
    fetch: await planFetches(options, listed),
    unreadable: {
      subjects: faulty.map((row) => listedSubject(period, row)),
      anonymous: faulty.filter(({ rows }) => rows === null).length,
    },
  };
}

async function planFetches(options: SyncOptions, listed: PeriodPlan['listed']): Promise<PlannedFetch[]> {
  const held = await readHeldInvoices(options.ledger.db, [...listed.keys()]);
  const staleBefore = {
    unpaid: subHours(options.now(), options.recheckHours).toISOString(),
    paid: subDays(options.now(), options.recheckPaidDays).toISOString(),
  };
  return [...listed.values()].flatMap((invoice) => {
    const why = reasonToFetch(invoice, held.get(invoice.number), options.full, staleBefore);
    return why === null ? [] : [{ listed: invoice, why }];
  });
}

function reasonToFetch(
  invoice: ListedInvoice,
  held: HeldInvoice | undefined,
  isAllWanted: boolean,
  staleBefore: { unpaid: string; paid: string },
): PlannedFetch['why'] | null {
  if (!held) return 'new';
  if (held.superseded_at !== null) return 'superseded';
  if (held.listed_sha256 !== invoice.rowSha256 || !invoice.rowSha256) return 'changed';
  if (isAllWanted) return 'full';
  const kind = held.status === 'PAID' ? 'paid' : 'unpaid';
  return held.read_at < staleBefore[kind] ? kind : null;
}
