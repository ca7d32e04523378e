import { applyInvoice, type InvoiceAsked } from '../derive/derive-invoice.ts';
import { applyInvoiceList } from '../derive/derive-invoice-list.ts';
import { invoiceRows } from '../derive/invoice.ts';
import { ifReadable, type Readable } from '../derive/readable.ts';
import { ApiError, AuthError, ContractError, InterruptedError } from '../errors.ts';
import { type NewEvidence, sealBody } from '../ledger/index.ts';
import { readListedNumbers } from '../ledger/read/index.ts';
import type { InvoiceRows } from '../ledger/write/invoices.ts';
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

/** After so many failures in a row the API is taken to be down: going on would only wait. */
const MOST_FAILURES_IN_A_ROW = 5;

/** Brings one month: its list, the details that are new or may have changed, and what is gone from the list. */
export async function syncPeriod(session: SyncSession, period: string): Promise<void> {
  const { progress, counts } = session;
  const held = await readListedNumbers(session.ledger.db, period);
  progress.begin(`${period} list`, null);
  const plan = await listPeriod(session, period).finally(() => progress.end());
  if (plan === null) return;
  counts.invoices.listed += plan.listed.size;
  counts.invoices.unchanged += plan.listed.size - plan.fetch.length;
  await conclude(session, plan, held);

  progress.begin(`${period} invoices`, plan.fetch.length);
  await fetchDetails(session, period, plan.fetch).finally(() => progress.end());
}

/** @returns null when the list cannot be read at all */
async function listPeriod(session: SyncSession, period: string): Promise<PeriodPlan | null> {
  const listing = { kind: 'invoices', period } as const;
  const document = { kind: 'invoice-list', subject: period, listing: listingName(listing) } as const;
  try {
    return await planPeriod(session, period, session.run, session.lists.take(period), async (page, rows, walk) => {
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
    if (!(error instanceof InterruptedError)) await concludeBroken(session, listing, error);
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

/** Records how the listing went; what is gone from a complete one is marked, and told. */
async function conclude(session: SyncSession, plan: PeriodPlan, held: readonly number[]): Promise<void> {
  const { walk, period, unreadable } = plan;
  const listing = { kind: 'invoices', period } as const;
  const gone = held.filter((number) => !plan.listed.has(number));
  const distrust = walk.complete ? lostEverything(session, listing, held.length, held.length - gone.length) : null;
  await concludeListing(session, listing, walk, unreadable, distrust);
  if (!walk.complete || distrust !== null || unreadable.anonymous > 0 || gone.length === 0) return;
  session.progress.warn(
    `${period}: gone from the list, kept in the ledger and marked as vanished: invoice ${gone.join(', ')}`,
  );
}

async function fetchDetails(session: SyncSession, period: string, fetches: readonly PlannedFetch[]): Promise<void> {
  const queue = fetches.values();
  let failuresInARow = 0;
  let stop: { error: unknown } | null = null;
  // Details come as they may, and are kept in the order of the plan: the same answers make the same evidence.
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
        if (await bringInTurn(session, planned.listed, before)) failuresInARow = 0;
        else if (++failuresInARow >= MOST_FAILURES_IN_A_ROW) {
          throw new ApiError(
            `the API failed for ${failuresInARow} invoices in a row; the last was invoice ${planned.listed.number}`,
            'Run the sync again when the API is well; what was fetched is kept.',
          );
        }
      } finally {
        done();
      }
      session.progress.advance(1);
    }
    if (!stop) session.lists.beginAfter(period);
  };
  // Every worker ends by itself, so that no write is still under way when the first failure is passed on.
  const stopAll = (error: unknown) => {
    stop ??= { error };
  };
  // The client lets so many requests out at once. Twice as many wait for it, so that none of its slots is idle while details are written.
  await Promise.all(Array.from({ length: 2 * session.concurrency }, () => worker().catch(stopAll)));
  if (stop) throw (stop as { error: unknown }).error;
}

/** Brings a detail and keeps it. A function of its own: one that waits holds all that it ever held, a worker the rows of its last invoice. */
async function bringInTurn(session: SyncSession, listed: ListedInvoice, turn: Promise<void>): Promise<boolean> {
  const keep = await bringDetail(session, listed);
  await turn;
  return keep();
}

/**
 * Fetches a detail and reads it.
 *
 * @returns what keeps it, to be called once it is its turn; false from it when the API failed for this invoice
 */
async function bringDetail(
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
    // The answer itself is not held until the turn comes: its rows, and what is kept of it, are enough.
    const source = answer.url;
    return async () => {
      if (read.ok) counts.invoices.fetched += 1;
      else {
        counts.invoices.failed += 1;
        reportFaults(session, `invoice ${number}`, [read.fault]);
      }
      const received = { source, at: session.now(), body };
      await keepDetail(session, { ...document, ...received, fault: read.ok ? null : read.fault.message }, read);
      return true;
    };
  } catch (error) {
    if (error instanceof ContractError) {
      const body = await unreadableBody(error);
      return async () => {
        counts.invoices.failed += 1;
        reportFaults(session, `invoice ${number}`, [error]);
        const what = { ...document, at: session.now(), body, fault: error.message };
        await keepDetail(session, what, { ok: false, fault: error });
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

async function keepDetail(
  session: SyncSession,
  what: Omit<NewEvidence, 'runId'>,
  read: Readable<InvoiceRows>,
): Promise<void> {
  await session.ledger.db
    .transaction()
    .execute((trx) => recordIn(trx, session, what, (evidence) => applyInvoice({ trx, evidence }, read)));
}
