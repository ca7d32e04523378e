/** Runs, the documents that they brought, and the requests that they sent. */
import { inPages } from '../../chunks.ts';
import type { RunTable } from '../../schema.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

export type Run = RunTable;

const PAGE = 1_000;

/** Every run, the latest first, a page at a time. */
export function readRuns(db: LedgerReader): AsyncGenerator<Run> {
  const readPage = (before: number) =>
    db.selectFrom('run').selectAll().where('id', '<', before).orderBy('id', 'desc').limit(PAGE).execute();
  return inPages(Number.MAX_SAFE_INTEGER, readPage, ({ id }) => id);
}

/** One run, with how many rows of evidence of each kind it brought; null if there is no run with that number. */
export async function readRun(db: LedgerReader, id: number) {
  const run = await db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirst();
  if (!run) return null;
  const brought = await rowsOf<{ kind: string; count: number }>(db)`
    select kind, count(*) as count from evidence where run_id = ${id} group by kind order by kind`;
  return { ...run, brought: brought.map(({ kind, count }) => ({ kind, count: Number(count) })) };
}

/** The newest sync, complete or not; null before the first. */
export async function readLastSync(db: LedgerReader): Promise<Run | null> {
  return (await lastSyncQuery(db).executeTakeFirst()) ?? null;
}

/** The newest run: a sync, or the import of a settlement sheet; null before the first. */
export async function readLastRun(db: LedgerReader): Promise<Run | null> {
  return (await db.selectFrom('run').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/** The newest complete sync; null before the first. */
export async function readLastGoodSync(db: LedgerReader): Promise<Run | null> {
  return (await lastSyncQuery(db).where('status', '=', 'complete').executeTakeFirst()) ?? null;
}

/** A query for the newest sync, to which a caller may add conditions. */
function lastSyncQuery(db: LedgerReader) {
  return db.selectFrom('run').selectAll().where('command', '=', 'sync').orderBy('id', 'desc').limit(1);
}

/** The runs behind a month's figures: those that walked its list, or brought a document of its invoices. */
export function readMonthRuns(db: LedgerReader, period: string) {
  return rowsOf<Run>(db)`
    select * from run where id in (
      select run_id from listing where kind = 'invoices' and period = ${period}
      union select e.run_id from invoice i join evidence e on e.id = i.detail_evidence_id
      where i.period = ${period} and i.vanished_at is null
    ) order by id`;
}

/** A document behind a month: which invoice was read from it, and where it came from. */
export interface MonthDocument {
  readonly invoice_number: number;
  readonly sha256: string;
  /** In bytes, before compression. */
  readonly size: number;
  readonly run_id: number;
  readonly received_at: string;
}

/** The invoice details that a month's figures were read from, each with its first sighting, by invoice. */
export function readMonthDocuments(db: LedgerReader, period: string): AsyncGenerator<MonthDocument> {
  const readPage = (after: number) =>
    rowsOf<MonthDocument>(db)`
      select i.number as invoice_number, b.sha256, b.size, e.run_id, e.at as received_at
      from invoice i
      join evidence e on e.id = i.detail_evidence_id
      join evidence_body b on b.sha256 = i.detail_sha256
      where i.period = ${period} and i.vanished_at is null and i.number > ${after}
      order by i.number limit ${PAGE}`;
  return inPages(Number.MIN_SAFE_INTEGER, readPage, ({ invoice_number }) => invoice_number);
}

/**
 * How many requests were sent since an instant. Syncs with a budget count each request before they send it, other syncs
 * count them at their end.
 */
export async function readRequestsSince(db: LedgerReader, since: string): Promise<number> {
  const requests = db.selectFrom('evidence').select(['data', 'run_id']).where('kind', '=', 'requests');
  const counted = await requests.where('at', '>=', since).execute();
  const syncs = db.selectFrom('run').select(['id', 'summary']).where('command', '=', 'sync');
  const ended = await syncs.where('started_at', '>=', since).execute();
  const withBudget = new Set(counted.map(({ run_id }) => run_id));
  const budgeted = counted.reduce((sum, { data }) => sum + (JSON.parse(data!) as { attempts: number }).attempts, 0);
  return ended.reduce((sum, { id, summary }) => sum + (withBudget.has(id) ? 0 : requestsIn(summary)), budgeted);
}

function requestsIn(summary: string | null): number {
  return summary === null ? 0 : ((JSON.parse(summary) as { requests?: number }).requests ?? 0);
}
