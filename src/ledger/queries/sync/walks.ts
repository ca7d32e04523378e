/**
 * How far the walks came. A walk reads a month's list, or the order book, from the first page to the last; when it
 * ended, it is a row of `listing`, whose id is that of the evidence that says so. It is complete if it brought as many
 * items as the list stated; some of the order book's may be `anonymous`, without a readable id.
 */
import { isOneOf } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

export interface MonthWalk {
  readonly period: string;
  readonly run_id: number;
  /** Whether it brought as many invoices as the list stated. */
  readonly isComplete: boolean;
  /** Why it did not; null if it did, or if the reason is not known. */
  readonly why: string | null;
  /** Whether a settlement sheet brought the month. */
  readonly isOfSheet: boolean;
}

/** The last walk over the list of each month that was ever walked, by month. */
export async function readLastWalks(db: LedgerReader): Promise<MonthWalk[]> {
  const rows = await rowsOf<Omit<MonthWalk, 'isComplete' | 'isOfSheet'> & { complete: 0 | 1; of_sheet: number }>(db)`
    select l.period, l.run_id, l.complete, l.why,
      case when exists (select 1 from imported i where i.run_id = l.run_id) then 1 else 0 end as of_sheet
    from listing l where l.kind = 'invoices' and l.id = (
      select max(later.id) from listing later where later.kind = 'invoices' and later.period = l.period
    )
    order by l.period`;
  return rows.map(({ complete, of_sheet, ...row }) => {
    return { ...row, isComplete: complete === 1, isOfSheet: Number(of_sheet) === 1 };
  });
}

/** The months whose list was ever read whole. */
export async function readWholeMonths(db: LedgerReader): Promise<Set<string>> {
  const rows = await rowsOf<{ period: string }>(db)`
    select distinct period from listing where kind = 'invoices' and complete = 1`;
  return new Set(rows.map(({ period }) => period));
}

/**
 * Counts the runs that walked over the months' lists, or over the order book, and says when the first and the last of
 * their walks ended.
 */
export async function countWalks(db: LedgerReader, kind: 'invoices' | 'orders') {
  const rows = await rowsOf<{ runs: number } & Record<'first' | 'last', string | null>>(db)`
    select count(distinct run_id) as runs, min(finished_at) as first, max(finished_at) as last
    from listing where kind = ${kind}`;
  const { runs, first, last } = rows[0]!;
  return { runs: Number(runs), first, last };
}

/** The last complete walk over the order book with a readable id in every record; null if there was none. */
export async function readLastWholeBook(db: LedgerReader) {
  const rows = await rowsOf<{ id: number; finished_at: string }>(db)`
    select id, finished_at from listing where kind = 'orders' and complete = 1 and anonymous = 0
    order by id desc limit 1`;
  return rows[0] ?? null;
}

export interface BookWalk {
  /** Whether it brought as many records as the list stated, each with a readable id. */
  readonly isWhole: boolean;
  /** Why it did not; null if it did, or if the reason is not known. */
  readonly why: string | null;
}

/**
 * The last walk over the order book, even if it was killed; null if there was none. A killed walk has no row of
 * `listing`, only pages: evidence of a later run than that of the last row.
 */
export async function readLastBookWalk(db: LedgerReader): Promise<BookWalk | null> {
  const rows = await rowsOf<{ complete: number; anonymous: number; why: string | null; begun_anew: number }>(db)`
    select l.complete, l.anonymous, l.why,
      case when exists (
        select 1 from evidence e
        where e.kind = 'order-pages' and e.listing = 'orders' and e.id > l.id and e.run_id > l.run_id
      ) then 1 else 0 end as begun_anew
    from listing l where l.kind = 'orders' order by l.run_id desc, l.id desc limit 1`;
  const finished = rows[0];
  if (finished) {
    const wasKilledSince = Number(finished.begun_anew) === 1;
    if (wasKilledSince) return { isWhole: false, why: null };
    return { isWhole: finished.complete === 1 && Number(finished.anonymous) === 0, why: finished.why };
  }
  const begun = await db.selectFrom('evidence').select('id').where('kind', '=', 'order-pages').limit(1).execute();
  return begun.length === 0 ? null : { isWhole: false, why: null };
}

/** The last walk over a list, if it brought less than the list stated. */
export interface PartialWalk {
  /** The month; null for the order book. */
  readonly period: string | null;
  readonly started_at: string;
  readonly stated_count: number;
  readonly seen_count: number;
  readonly why: string | null;
}

/** The last walk with a stated total over each list, if it brought less; the order book first, then by month. */
export function readPartialWalks(db: LedgerReader) {
  return rowsOf<PartialWalk>(db)`
    select l.period, coalesce(r.started_at, l.finished_at) as started_at, l.stated_count, l.seen_count, l.why
    from listing l left join run r on r.id = l.run_id
    where l.complete = 0 and l.stated_count is not null and l.id = (
      select max(later.id) from listing later
      where later.stated_count is not null and later.kind = l.kind
        and (later.period = l.period or (later.period is null and l.period is null))
    )
    order by l.period nulls first`;
}

/** When the list of each month was last read whole, by month; months for which it never was are missing. */
export function readLastWholeLooks(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<{ period: string; started_at: string }>(db)`
    select l.period, max(coalesce(r.started_at, l.finished_at)) as started_at
    from listing l left join run r on r.id = l.run_id
    where l.kind = 'invoices' and l.complete = 1 and ${isOneOf('l.period', periods)}
    group by l.period order by l.period`;
}

/** A sync that is running, was interrupted, failed, or fetched only a part. */
export interface UnfinishedSync {
  readonly id: number;
  readonly status: 'running' | 'partial' | 'failed' | 'interrupted';
  /** The months that the user gave; null for all that were due. */
  readonly period: string | null;
  readonly started_at: string;
  /** What it did not fetch because its budget of requests ran out: months, or null for the order book. */
  readonly left: readonly { readonly period: string | null; readonly why: string }[];
}

/** The syncs that did not complete, since the first that read a list; the newest first. */
export async function readUnfinishedSyncs(db: LedgerReader): Promise<UnfinishedSync[]> {
  const rows = await rowsOf<Omit<UnfinishedSync, 'left'> & { summary: string | null }>(db)`
    select id, status, period, started_at, summary from run
    where status <> 'complete' and command in ('sync', 'night', 'demo')
      and id >= (select min(run_id) from listing where kind = 'invoices')
    order by id desc`;
  return rows.map(({ summary, ...run }) => ({
    ...run,
    left: (JSON.parse(summary ?? '{}') as { incomplete?: UnfinishedSync['left'] }).incomplete ?? [],
  }));
}

/** An invoice's detail, or a row or page of a list, whose newest form a month lacks. */
export interface LackingDocument {
  readonly period: string;
  /** No detail was ever read; a newer detail could not be fetched or read; a row or page of the list cannot be read. */
  readonly what: 'missing' | 'superseded' | 'unreadable';
  readonly subject: string;
  /** Empty if the reason is not known. */
  readonly why: string;
}

export function readLackingDocuments(db: LedgerReader, periods: readonly string[]) {
  // A detail is also superseded if a list shows its invoice, but no longer the row for which the detail was fetched:
  // that row has changed since.
  return rowsOf<LackingDocument>(db)`
    select l.period, 'missing' as what, cast(l.invoice_number as text) as subject, '' as why
    from invoice_listed l
    where ${isOneOf('l.period', periods)} and l.vanished_at is null
      and not exists (select 1 from invoice i where i.number = l.invoice_number)
    union all
    select i.period, 'superseded', cast(i.number as text), coalesce(i.superseded_why, '')
    from invoice i
    where ${isOneOf('i.period', periods)} and i.vanished_at is null and (i.superseded_at is not null or (
      exists (select 1 from invoice_listed l where l.invoice_number = i.number and l.vanished_at is null and l.row_sha256 is not null)
      and not exists (
        select 1 from invoice_listed l
        where l.invoice_number = i.number and l.vanished_at is null and l.row_sha256 = i.listed_sha256
      )
    ))
    union all
    select u.period, 'unreadable', u.subject, u.why from unreadable u
    where u.kind in ('listed', 'page') and ${isOneOf('u.period', periods)}
    order by 1, 2, 3`;
}

/** How far the order book was read: it decides how the next sync reads it. */
export interface BookState {
  /** The last complete walk, even if some records had no readable id; null if there was none. */
  readonly whole: {
    readonly id: number;
    readonly at: string;
    readonly stated: number | null;
    /** How many of its orders could not be read, and may be missing in the ledger. */
    readonly unreadable: number;
  } | null;
  /** The data of the last walk's evidence, as JSON; null if there was none. */
  readonly lastWalkData: string | null;
  /** When the orders that may have changed were last fetched; null if they never were. */
  readonly refreshedAt: string | null;
}

export async function readBookState(db: LedgerReader): Promise<BookState> {
  const rows = await rowsOf<{ id: number; at: string; stated: number | null; unreadable: number }>(db)`
    select id, finished_at as at, stated_count as stated, unreadable + anonymous as unreadable
    from listing where kind = 'orders' and complete = 1 order by id desc limit 1`;
  const readable = db.selectFrom('evidence').select(['at', 'data']).where('fault', 'is', null);
  const readLast = (kind: string) => {
    const ofBook = readable.where('kind', '=', kind).where('subject', '=', 'orders');
    return ofBook.orderBy('id', 'desc').limit(1).executeTakeFirst();
  };
  return {
    whole: rows[0] ?? null,
    lastWalkData: (await readLast('listing'))?.data ?? null,
    refreshedAt: (await readLast('orders-refreshed'))?.at ?? null,
  };
}

/** The last run with a complete walk over the order book, or that read all orders that may have changed; 0 if none. */
export async function readLastBookRun(db: LedgerReader): Promise<number> {
  const rows = await rowsOf<{ run_id: number | null }>(db)`
    select max(run_id) as run_id from (
      select run_id from listing where kind = 'orders' and complete = 1
      union all select run_id from evidence where kind = 'orders-refreshed' and fault is null
    ) reading`;
  return Number(rows[0]?.run_id ?? 0);
}
