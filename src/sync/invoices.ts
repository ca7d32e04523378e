import { ApiError, AuthError, BudgetError, ContractError, InterruptedError } from '../base/errors.ts';
import { ifReadable, type Readable } from '../derive/documents.ts';
import { applyInvoice, type InvoiceAsked, invoiceRows } from '../derive/invoice.ts';
import { applyInvoiceList } from '../derive/invoice-list.ts';
import { type NewEvidence, sealBody } from '../ledger/index.ts';
import { readListedNumbers } from '../ledger/queries/sync/held.ts';
import type { InvoiceRows } from '../ledger/write/invoices.ts';
import { because } from '../words/errors/syncing.ts';
import { concludeBroken, concludeListing, listingName, lostEverything } from './listing.ts';
import { type ListedInvoice, type PeriodPlan, type PlannedFetch, planPeriod } from './plan.ts';
import {
  deriveHere,
  faultText,
  record,
  recordIn,
  reportFaults,
  reportMissing,
  type SyncSession,
  unreadableBody,
} from './session.ts';

/** After this number of failures in a row the API is considered down, and the sync stops. */
const MAX_FAILURES_IN_A_ROW = 5;

/**
 * Reads a month's list, and notes what is gone from it.
 *
 * @returns the details that are new or may have changed; none where the list cannot be read
 */
export async function syncList(session: SyncSession, period: string): Promise<readonly PlannedFetch[]> {
  const { progress, counts } = session;
  const held = await readListedNumbers(session.ledger.db, period);
  progress.begin({ brings: 'list', month: period }, null);
  const plan = await listPeriod(session, period).finally(() => progress.end());
  if (plan === null) return [];
  counts.invoices.listed += plan.listed.size;
  counts.invoices.unchanged += plan.listed.size - plan.fetch.length;
  await conclude(session, plan, held);
  return plan.fetch;
}

/** Fetches details of a month. */
export async function syncDetails(
  session: SyncSession,
  period: string,
  fetches: readonly PlannedFetch[],
): Promise<void> {
  session.progress.begin({ brings: 'invoices', month: period }, fetches.length);
  await fetchDetails(session, fetches).finally(() => session.progress.end());
}

/** @returns null when the list cannot be read at all */
async function listPeriod(session: SyncSession, period: string): Promise<PeriodPlan | null> {
  const listing = { kind: 'invoices', period } as const;
  const document = { kind: 'invoice-list', subject: period, listing: listingName(listing) } as const;
  let pages = 0;
  try {
    return await planPeriod(session, period, session.run, async (page, rows, walk) => {
      pages += 1;
      const sealed = await sealBody(page.body);
      const faults = rows.flatMap(({ fault }) => (fault ? [fault] : []));
      reportFaults(session, `the invoice list of ${period}`, faults);
      const received = { source: page.url, at: session.now(), walk, body: sealed, fault: faultText(faults) };
      await session.ledger.db
        .transaction()
        .execute((trx) =>
          recordIn(trx, session, { ...document, ...received }, (evidence) => applyInvoiceList({ trx, evidence }, rows)),
        );
    });
  } catch (error) {
    // A list that was not asked for is as it was.
    const isUnasked = error instanceof BudgetError && pages === 0;
    if (!(error instanceof InterruptedError || isUnasked)) await concludeBroken(session, listing, error);
    if (!(error instanceof ContractError)) throw error;
    reportFaults(session, `the invoice list of ${period}`, [error]);
    const body = await unreadableBody(error);
    if (body) {
      const unread = { at: session.now(), walk: 0, body, fault: error.message };
      await session.ledger.db
        .transaction()
        .execute((trx) =>
          recordIn(trx, session, { ...document, ...unread }, (evidence) =>
            deriveHere(trx, session, evidence, error.body),
          ),
        );
    }
    return null;
  }
}

/** Records how the walk ended, and warns of invoices that are gone from the list. */
async function conclude(session: SyncSession, plan: PeriodPlan, held: readonly number[]): Promise<void> {
  const { walk, period, unreadable } = plan;
  const listing = { kind: 'invoices', period } as const;
  const gone = held.filter((number) => !plan.listed.has(number));
  const distrust = walk.complete ? lostEverything(session, listing, held.length, held.length - gone.length) : null;
  await concludeListing(session, listing, walk, unreadable, { distrust });
  if (!walk.complete || distrust !== null || unreadable.anonymous > 0 || gone.length === 0) return;
  session.progress.warn(
    `${period}: gone from the list, kept in the ledger and marked as vanished: invoice ${gone.join(', ')}`,
  );
}

async function fetchDetails(session: SyncSession, fetches: readonly PlannedFetch[]): Promise<void> {
  const queue = fetches.values();
  let failuresInARow = 0;
  let stop: { error: unknown } | null = null;
  // Details arrive in any order and are stored in the order of the plan, so that the same answers make the same evidence.
  let turn: Promise<void> = Promise.resolve();
  const worker = async () => {
    for (const planned of queue) {
      if (stop) return;
      const before = turn;
      let done = () => {};
      turn = new Promise((resolve) => {
        done = resolve;
      });
      try {
        if (await fetchInTurn(session, planned.listed, before)) failuresInARow = 0;
        else if (++failuresInARow >= MAX_FAILURES_IN_A_ROW) {
          const { number } = planned.listed;
          throw new ApiError(because({ id: 'failed-in-a-row', count: failuresInARow, invoice: number }));
        }
      } finally {
        done();
      }
      session.progress.advance(1);
    }
  };
  // Every worker ends by itself, so that no write is still in progress when the first error is thrown.
  const stopAll = (error: unknown) => {
    stop ??= { error };
  };
  // Twice as many workers as the client sends requests at a time, so that no slot is idle while details are stored.
  await Promise.all(Array.from({ length: 2 * session.concurrency }, () => worker().catch(stopAll)));
  if (stop) throw (stop as { error: unknown }).error;
}

/** Fetches a detail, and stores it when its turn comes. @returns false when the API failed for this invoice */
async function fetchInTurn(session: SyncSession, listed: ListedInvoice, turn: Promise<void>): Promise<boolean> {
  const store = await fetchDetail(session, listed);
  await turn;
  return store();
}

/**
 * Fetches a detail and reads it.
 *
 * @returns the function that stores it, to be called in turn; it returns false when the API failed for this invoice
 */
async function fetchDetail(
  session: SyncSession,
  { number, period, rowSha256 }: ListedInvoice,
): Promise<() => Promise<boolean>> {
  const { client, counts } = session;
  const data: InvoiceAsked = { period, listed_sha256: rowSha256 };
  const document = { kind: 'invoice', subject: String(number), data } as const;
  try {
    const answer = await client.invoice(number);
    const body = await sealBody(answer.body);
    const read = await ifReadable(() => invoiceRows(answer.value, number, body.sha256));
    // So that the answer itself can be freed while this waits for its turn.
    const source = answer.url;
    return async () => {
      if (read.ok) counts.invoices.fetched += 1;
      else {
        counts.invoices.failed += 1;
        reportFaults(session, `invoice ${number}`, [read.fault]);
      }
      const received = { source, at: session.now(), body };
      await storeDetail(session, { ...document, ...received, fault: read.ok ? null : read.fault.message }, read);
      return true;
    };
  } catch (error) {
    if (error instanceof ContractError) {
      const body = await unreadableBody(error);
      return async () => {
        counts.invoices.failed += 1;
        reportFaults(session, `invoice ${number}`, [error]);
        const what = { ...document, at: session.now(), body, fault: error.message };
        await storeDetail(session, what, { ok: false, fault: error });
        return true;
      };
    }
    if (!(error instanceof ApiError) || error instanceof AuthError || error.status === null) throw error;
    return async () => {
      counts.invoices.failed += 1;
      reportMissing(session, `invoice ${number} was not brought`, error);
      const fault = `its detail could not be brought: ${error.message}`;
      await record(session, { kind: 'invoice-missing', subject: String(number), at: session.now(), fault, data });
      return error.status === 404;
    };
  }
}

async function storeDetail(
  session: SyncSession,
  what: Omit<NewEvidence, 'runId'>,
  read: Readable<InvoiceRows>,
): Promise<void> {
  await session.ledger.db
    .transaction()
    .execute((trx) => recordIn(trx, session, what, (evidence) => applyInvoice({ trx, evidence }, read)));
}
