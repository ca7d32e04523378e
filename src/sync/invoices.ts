import { ApiError, BudgetError, ContractError, InterruptedError } from '../base/errors.ts';
import { ifReadable, type Readable } from '../derive/documents.ts';
import { applyInvoices, type InvoiceAsked, invoiceRows } from '../derive/invoice.ts';
import { applyInvoiceList } from '../derive/invoice-list.ts';
import { appendEach, type NewEvidence, sealBody } from '../ledger/index.ts';
import { readListedNumbers } from '../ledger/queries/sync/to-fetch.ts';
import type { InvoiceRows } from '../ledger/write/invoices.ts';
import { syncingError } from '../words/errors/syncing.ts';
import { concludeListing, concludeUnread, listingName, whyDistrusted } from './listing.ts';
import { type ListedInvoice, type PeriodPlan, type PlannedFetch, planPeriod } from './plan.ts';
import {
  isAnswered,
  keepUnreadable,
  record,
  reportFaults,
  reportMissing,
  type SyncSession,
  unreadableBody,
} from './session.ts';

/**
 * Reads a month's list, and records which invoices are gone from it.
 *
 * @returns the details to fetch: new ones, and those that may have changed; none if the list cannot be read
 */
export async function syncList(session: SyncSession, period: string): Promise<readonly PlannedFetch[]> {
  const { progress, counts } = session;
  const listedBefore = await readListedNumbers(session.ledger.db, period);
  progress.begin({ brings: 'list', month: period }, null);
  const plan = await listPeriod(session, period).finally(() => progress.end());
  if (plan === null) return [];
  counts.invoices.listed += plan.listed.size;
  counts.invoices.unchanged += plan.listed.size - plan.fetch.length;
  await concludeMonth(session, plan, listedBefore);
  return plan.fetch;
}

export async function syncDetails(session: SyncSession, period: string, fetches: readonly PlannedFetch[]) {
  session.progress.begin({ brings: 'invoices', month: period }, fetches.length);
  await fetchDetails(session, fetches).finally(() => session.progress.end());
}

/** The most characters of a list's faults that its evidence keeps. */
const MAX_FAULT = 10_000;

/** @returns null when the list cannot be read at all */
async function listPeriod(session: SyncSession, period: string): Promise<PeriodPlan | null> {
  const document = { kind: 'invoice-list', subject: period, listing: listingName(period) } as const;
  let pages = 0;
  try {
    return await planPeriod(session, period, session.run, async (page, rows, walk) => {
      pages += 1;
      const sealed = await sealBody(page.body);
      const faults = rows.flatMap(({ fault }) => (fault ? [fault] : []));
      reportFaults(session, `the invoice list of ${period}`, faults);
      const why = faults.map(({ message }) => message).join('; ');
      const fault = why.slice(0, MAX_FAULT) || null;
      const received = { source: page.url, at: session.now(), walk, body: sealed, fault };
      await record(session, { ...document, ...received }, (evidence, trx) => applyInvoiceList({ trx, evidence }, rows));
    });
  } catch (error) {
    // If the budget ended before the first page, the list was not walked: nothing is recorded.
    const isUnasked = error instanceof BudgetError && pages === 0;
    if (!(error instanceof InterruptedError || isUnasked)) await concludeUnread(session, period, error);
    if (!(error instanceof ContractError)) throw error;
    reportFaults(session, `the invoice list of ${period}`, [error]);
    // Walk 0 marks a page that cannot be read at all.
    await keepUnreadable(session, error, { ...document, walk: 0 });
    return null;
  }
}

/**
 * Records how the walk over a month's list ended, and warns of invoices that are gone from it.
 *
 * @param before the numbers that the ledger had in the list before the walk
 */
async function concludeMonth(session: SyncSession, plan: PeriodPlan, before: readonly number[]): Promise<void> {
  const { walk, period, unreadable } = plan;
  const gone = before.filter((number) => !plan.listed.has(number));
  const distrust = walk.complete ? whyDistrusted(session, period, before.length, before.length - gone.length) : null;
  await concludeListing(session, period, walk, unreadable, distrust);
  // A row without a readable number (`anonymous`) may be any of those that seem gone: then none is marked.
  if (!walk.complete || distrust !== null || unreadable.anonymous > 0 || gone.length === 0) return;
  session.progress.warn(
    `${period}: gone from the list, kept in the ledger and marked as vanished: invoice ${gone.join(', ')}`,
  );
}

/** After this number of failures in a row the API is considered down, and the sync stops. */
const MAX_FAILURES_IN_A_ROW = 5;

/**
 * Fetches details. They arrive in any order and are stored in that of the plan, so that the same answers make the same
 * evidence.
 */
async function fetchDetails(session: SyncSession, fetches: readonly PlannedFetch[]): Promise<void> {
  const queue = fetches.values();
  /** The details that were requested and are not stored, in the order of the plan. */
  const coming: Coming[] = [];
  let failuresInARow = 0;
  let stop: { readonly error: unknown } | null = null;
  // Twice as many as the client sends requests at a time, so that no slot is idle while details are stored.
  const fetchMore = () => {
    while (!stop && coming.length < 2 * session.concurrency) {
      const next = queue.next();
      if (next.done) return;
      coming.push(tracked(fetchDetail(session, next.value.listed)));
    }
  };
  // What was requested is stored, also after an error.
  for (fetchMore(); coming.length > 0; fetchMore()) {
    // The next one in order, and those after it that are here already: they are stored together.
    const arrived = [await coming.shift()!.arrival];
    while (coming[0]?.hasArrived && arrived.length < session.concurrency) arrived.push(await coming.shift()!.arrival);
    fetchMore();
    const details = arrived.flatMap((one) => ('error' in one ? [] : [one]));
    for (const one of arrived) if ('error' in one) stop ??= one;
    try {
      await storeDetails(session, details);
    } catch (error) {
      stop ??= { error };
    }
    for (const { document, missing } of details) {
      // That it has no such invoice is an answer too.
      failuresInARow = missing === null || missing.status === 404 ? 0 : failuresInARow + 1;
      if (failuresInARow < MAX_FAILURES_IN_A_ROW) continue;
      const why = syncingError({ id: 'failed-in-a-row', count: failuresInARow, invoice: Number(document.subject) });
      stop ??= { error: new ApiError(why) };
    }
    session.progress.advance(details.length);
  }
  if (stop) throw stop.error;
}

/** A detail that was requested. */
interface Coming {
  /** Never rejects: an error waits until its turn to be stored. */
  readonly arrival: Promise<Detail | { readonly error: unknown }>;
  hasArrived: boolean;
}

function tracked(detail: Promise<Detail>): Coming {
  const settled = detail.catch((error: unknown) => ({ error }));
  const onArrival = () => {
    coming.hasArrived = true;
  };
  const coming = { arrival: settled.finally(onArrival), hasArrived: false };
  return coming;
}

/** A detail that arrived, ready to be stored. */
interface Detail {
  readonly document: Omit<NewEvidence, 'runId' | 'at'>;
  /** Null if it is missing. */
  readonly read: Readable<InvoiceRows> | null;
  /** How the API failed for this invoice, or that it has no such invoice; null if it sent the detail. */
  readonly missing: ApiError | null;
}

/** Fetches a detail and reads it. @throws what ends the sync */
async function fetchDetail(session: SyncSession, { number, period, rowSha256 }: ListedInvoice): Promise<Detail> {
  // A later sync fetches the invoice again if the list then shows another row of it.
  const data: InvoiceAsked = { period, listed_sha256: rowSha256 };
  const document = { kind: 'invoice', subject: String(number), data } as const;
  try {
    const { value, body, url: source } = await session.client.invoice(number);
    const sealed = await sealBody(body);
    const read = await ifReadable(() => invoiceRows(value, number, sealed.sha256));
    const fault = read.ok ? null : read.fault.message;
    return { document: { ...document, source, body: sealed, fault }, read, missing: null };
  } catch (error) {
    if (error instanceof ContractError) {
      const received = { body: await unreadableBody(error), fault: error.message };
      return { document: { ...document, ...received }, read: { ok: false, fault: error }, missing: null };
    }
    if (!isAnswered(error)) throw error;
    const fault = `its detail could not be brought: ${error.message}`;
    return { document: { ...document, kind: 'invoice-missing', fault }, read: null, missing: error };
  }
}

/** Counts a detail, and warns if it is missing or cannot be read: when it is stored, so that warnings are in order. */
function tell(session: SyncSession, { document, read, missing }: Detail): void {
  session.counts.invoices[read?.ok ? 'fetched' : 'failed'] += 1;
  if (missing) reportMissing(session, `invoice ${document.subject} was not brought`, missing);
  if (read?.ok === false) reportFaults(session, `invoice ${document.subject}`, [read.fault]);
}

/** Stores details in one transaction, because each round trip to a database server costs time. */
async function storeDetails(session: SyncSession, details: readonly Detail[]): Promise<void> {
  if (details.length === 0) return;
  const at = session.now();
  for (const detail of details) tell(session, detail);
  await session.ledger.db.transaction().execute(async (trx) => {
    const pieces = details.map(({ document }) => ({ ...document, at, runId: session.run }));
    const kept = (await appendEach(trx, pieces)).map((evidence, place) => ({ evidence, read: details[place]!.read }));
    const brought = kept.flatMap(({ evidence, read }) => (read ? [{ evidence, read }] : []));
    await applyInvoices(trx, brought);
    // A missing detail has no document: its rows follow from the evidence alone.
    for (const { evidence, read } of kept) if (!read) await session.deriver.derive(trx, evidence);
  });
}
