import type { Kysely } from 'kysely';
import { ApiError, AuthError, ContractError } from '../errors.ts';
import { chunks, type LedgerSchema, sealBody, writeInvoice } from '../ledger/index.ts';
import { recordListing, reportIncomplete } from './listing.ts';
import { mapInvoice } from './map-invoice.ts';
import { type PeriodPlan, type PlannedFetch, planPeriod } from './plan.ts';
import { keepDocument, quarantine, reportFaults, reportMissing, type SyncSession } from './session.ts';

/** After so many failures in a row the API is taken to be down: going on would only wait. */
const MOST_FAILURES_IN_A_ROW = 5;

/** Brings one month: its list, the details that are new or may have changed, and what is gone from the list. */
export async function syncPeriod(session: SyncSession, period: string): Promise<void> {
  const { progress, counts } = session;
  progress.begin(`${period} list`, null);
  let plan: PeriodPlan;
  try {
    plan = await listPeriod(session, period);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const source = { kind: 'invoice-list', subject: period, url: '', receivedAt: session.now() } as const;
    await quarantine(session, source, error);
    return;
  } finally {
    progress.end();
  }
  counts.invoices.listed += plan.listed.size;
  counts.invoices.unchanged += plan.listed.size - plan.fetch.length;

  progress.begin(`${period} invoices`, plan.fetch.length);
  try {
    await fetchDetails(session, plan.fetch);
  } finally {
    progress.end();
  }
  await finishListing(session, plan);
}

function listPeriod(session: SyncSession, period: string): Promise<PeriodPlan> {
  return planPeriod(session, period, async (page, faults) => {
    const sealed = await sealBody(page.body);
    const source = { kind: 'invoice-list', subject: period, url: page.url, receivedAt: page.receivedAt } as const;
    reportFaults(session, source, faults);
    await session.ledger.db.transaction().execute((trx) => keepDocument(trx, session, sealed, source, faults));
  });
}

async function fetchDetails(session: SyncSession, fetches: readonly PlannedFetch[]): Promise<void> {
  const queue = fetches.values();
  let failuresInARow = 0;
  let stop: { error: unknown } | null = null;
  const worker = async () => {
    for (const planned of queue) {
      if (stop) return;
      if (await fetchDetail(session, planned)) failuresInARow = 0;
      else if (++failuresInARow >= MOST_FAILURES_IN_A_ROW) {
        throw new ApiError(
          `the API failed for ${failuresInARow} invoices in a row; the last was invoice ${planned.listed.number}`,
          'Run the sync again when the API is well; what was fetched is kept.',
        );
      }
      session.progress.advance(1);
    }
  };
  // Every worker ends by itself, so that no write is still under way when the first failure is passed on.
  const stopAll = (error: unknown) => {
    stop ??= { error };
  };
  await Promise.all(Array.from({ length: session.concurrency }, () => worker().catch(stopAll)));
  if (stop) throw (stop as { error: unknown }).error;
}

/** @returns false when the API failed for this invoice */
async function fetchDetail(session: SyncSession, { listed }: PlannedFetch): Promise<boolean> {
  const { client, counts } = session;
  const source = { kind: 'invoice', subject: String(listed.number) } as const;
  try {
    const answer = await client.invoice(listed.number);
    const sealed = await sealBody(answer.body);
    const where = { ...source, url: answer.url, receivedAt: answer.receivedAt };
    try {
      if (answer.value.number !== listed.number) {
        throw new ContractError(
          `number: asked for invoice ${listed.number}, got ${answer.value.number}`,
          'The answer is kept; ask the delivery company why it answers with another invoice.',
          { path: 'number' },
        );
      }
      const rows = mapInvoice(listed, answer.value, sealed.sha256);
      await session.ledger.db.transaction().execute(async (trx) => {
        await keepDocument(trx, session, sealed, where);
        await writeInvoice(trx, rows);
      });
      counts.invoices.fetched += 1;
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      counts.invoices.failed += 1;
      await quarantine(session, where, error, sealed);
    }
    return true;
  } catch (error) {
    if (error instanceof ContractError) {
      counts.invoices.failed += 1;
      await quarantine(session, { ...source, url: '', receivedAt: session.now() }, error);
      return true;
    }
    if (!(error instanceof ApiError) || error instanceof AuthError || error.status === null) throw error;
    counts.invoices.failed += 1;
    reportMissing(session, `invoice ${listed.number} was not brought`, error);
    return error.status === 404;
  }
}

/** Records how the listing went, marks what is gone from a complete one, and takes the mark from what is back. */
async function finishListing(session: SyncSession, plan: PeriodPlan): Promise<void> {
  const { walk, period } = plan;
  const listing = { kind: 'invoices', period, walk } as const;
  reportIncomplete(session, listing);
  const finishedAt = session.now().toISOString();
  await session.ledger.db.transaction().execute(async (trx) => {
    await markVanished(trx, plan.reappeared, null);
    if (walk.complete) {
      const held = await trx
        .selectFrom('invoice')
        .select('number')
        .where('period', '=', period)
        .where('vanished_at', 'is', null)
        .execute();
      const gone = held.map(({ number }) => number).filter((number) => !plan.listed.has(number));
      await markVanished(trx, gone, finishedAt);
      if (gone.length > 0) {
        session.progress.warn(
          `${period}: gone from the list, kept in the ledger and marked as vanished: invoice ${gone.join(', ')}`,
        );
      }
    }
    await recordListing(trx, session, listing, finishedAt);
  });
}

async function markVanished(trx: Kysely<LedgerSchema>, numbers: readonly number[], at: string | null): Promise<void> {
  for (const chunk of chunks(numbers)) {
    await trx.updateTable('invoice').set({ vanished_at: at }).where('number', 'in', chunk).execute();
  }
}
