import type { Sentence } from '../../src/base/sentence.ts';
import { VERSION } from '../../src/base/version.ts';
import type { Bridge } from '../../src/checks/bridge/index.ts';
import type { CheckContext, CheckSettings, Part } from '../../src/checks/check.ts';
import { BalanceBook } from '../../src/checks/facts/balances/book.ts';
import { rowSums } from '../../src/checks/facts/headers.ts';
import { settledMonth } from '../../src/checks/facts/receipts/settlements.ts';
import { settlements } from '../../src/checks/facts/remittances.ts';
import { returnsOf, sayReturns } from '../../src/checks/facts/returns/standing.ts';
import { readSources } from '../../src/checks/facts/sources.ts';
import { groupByCause } from '../../src/checks/groups.ts';
import { SharedFacts } from '../../src/checks/shared-facts.ts';
import { readLedgerVersion } from '../../src/ledger/queries/account.ts';
import { findBody } from '../../src/ledger/queries/evidence/bodies.ts';
import {
  type Account,
  type ChainPlace,
  type LedgerReader,
  readAccount,
  readClaims,
  readCloseOf,
  readClosesInForce,
  readFigureHead,
  readMismatches,
  readMonthDocuments,
  readMonthRuns,
  requireSynced,
  sqlMonthTotals,
} from '../../src/ledger/queries/index.ts';
import { readMonthWalk } from '../../src/ledger/queries/sync/coverage.ts';
import { ageing } from '../ageing.ts';
import { readBalanceBlocks } from '../balance.ts';
import { changes, NOTHING_CHANGED } from '../changes/index.ts';
import type { ReportContext } from '../context.ts';
import { dailyJournal } from '../journal/report.ts';
import type { Report, Row } from '../model.ts';
import { notInvoiced } from '../not-invoiced.ts';
import { couriersReceipts } from '../receipts.ts';
import { rollForward } from '../roll-forward.ts';
import { historyIn, historyOf } from './history.ts';
import { invoiceTable } from './invoices.ts';
import { inMonth, mismatchTable, resolvedRows, summariseMismatches, summariseWrittenOff } from './mismatches.ts';
import type { ClosedBy, Organisation, Statement } from './model.ts';
import { keeps, kept, type Only } from './only.ts';
import { orderTable } from './orders.ts';
import { readOwnSide } from './own-side.ts';
import { proofOf } from './proof.ts';
import { sinceLast } from './since.ts';
import { vanishedRows } from './vanished.ts';
import { warningsOf } from './warnings.ts';

export type { MonthDocument } from '../../src/ledger/queries/index.ts';
export { allCurrencies, summaryCurrencies } from './currencies.ts';
export type { ClosedBy, Statement } from './model.ts';

export interface StatementRequest {
  /** A snapshot (`usingSnapshot`) that stays open until the statement is rendered. */
  readonly db: LedgerReader;
  /** The month, such as `2026-10`. */
  readonly month: string;
  /** Those that the checks were run with. */
  readonly settings: CheckSettings;
  /** The checks of the month that could not be run: the checks must have been run, or silence would read as 'all is well'. */
  readonly skipped: readonly { readonly code: string; readonly why: Sentence }[];
  /** Why the ledger may not hold all of the month, as the checks found it. */
  readonly incomplete: readonly { readonly why: Sentence }[];
  /** What could not be compared. */
  readonly uncompared: readonly Sentence[];
  /** What the checks of the month read in this state of the ledger; null where it is read anew. */
  readonly facts?: SharedFacts | null;
  /** The way from the courier's figure to ours, as the checks found it. */
  readonly bridge: readonly Bridge[];
  /** Where the effect of each mismatch stands, as the checks found it; each in its own month where absent. */
  readonly effects?: ReadonlyMap<string, readonly Part[]>;
  /** The one currency that it is of; absent or null for the whole month. */
  readonly currency?: Only;
  /** The place in the chain to print; absent for that of `db`. A past ledger's is that of what was known then, without what is found now. */
  readonly head?: ChainPlace | null | undefined;
}

/**
 * Makes a month's statement. The Orders table is read while it is rendered; everything else is
 * here when this returns. Nothing in it depends on the clock: the same ledger gives the same statement.
 *
 * @throws LedgerError when the month was never synced, or when the sums of its rows are not the database's
 */
export async function statement(request: StatementRequest): Promise<Statement> {
  const { db, month, skipped, incomplete, uncompared, head, currency: only = null } = request;
  const bridge = kept(
    only,
    request.bridge.filter(({ period }) => period === month),
  );
  await requireSynced(db, [month]);
  const walk = (await readMonthWalk(db, month))!;
  const filters = only === null ? {} : { currency: only };
  const checks: CheckContext = {
    db,
    periods: [month],
    settings: request.settings,
    now: new Date(walk.run_finished_at ?? walk.finished_at),
    sources: await readSources(db),
    facts: request.facts ?? new SharedFacts(),
  };
  const side = await readOwnSide(checks, month);
  const account = await readAccount(db);
  const sums = (await rowSums(checks)).filter(({ vanished_at }) => vanished_at === null);
  const returns = await returnsOf(checks);
  const whole = await sqlMonthTotals(db, month, sums);
  const control = { ...whole, currencies: kept(only, whole.currencies) };
  const mismatches = inMonth(kept(only, await readMismatches(db, [month])), month, request.effects ?? new Map());
  const claims = await readClaims(
    db,
    mismatches.map(({ id }) => id),
  );
  const allSettled = await settlements(checks);
  const book = await BalanceBook.read(db, request.settings, { settlements: allSettled });
  const context = { db, settings: request.settings, periods: [month], period: month, filters, book };
  const known = { settlements: allSettled, returns, rowSums: sums };
  const invoices = await invoiceTable(db, month, { mismatches, control, only, ...known });
  const vanished = await vanishedRows(db, month, invoices.columns);
  const totals = only === null ? control : { ...control, ...countsOf(invoices, vanished) };
  const settled = new Map([...settledMonth(allSettled, month)].filter(([currency]) => keeps(only, currency)));
  const proof = bridge.map(proofOf);
  const place = head === undefined ? await readFigureHead(db) : head;
  return {
    month,
    closed: await closedBy(db, month),
    organisation: await organisationOf(db, account),
    apiUrl: account?.api_url ?? null,
    asOf: walk.run_finished_at ?? walk.finished_at,
    remitVersion: VERSION,
    ledgerVersion: await readLedgerVersion(db),
    returns: sayReturns(returns),
    totals,
    balance: kept(only, await readBalanceBlocks(book, month)),
    settled,
    proof,
    head: place,
    since: await sinceLast(db, month, only, { totals, settled, proof, mismatches, head: place }),
    uncompared,
    mismatches: summariseMismatches(mismatches),
    causes: groupByCause(mismatches.filter(({ status }) => status !== 'resolved')),
    writtenOff: summariseWrittenOff(mismatches, claims),
    skipped,
    warnings: await warningsOf(db, month, { mismatches, incomplete, only }),
    history: historyIn(only, await historyOf(db, month)),
    tables: {
      rollForward: await rollForward(context),
      invoices,
      vanished: vanished.filter(({ currency }) => keeps(only, currency as string | null)),
      orders: orderTable({ context: checks, month, side, mismatches, control, bridge, only }),
      mismatches: mismatchTable(month, mismatches, claims),
      resolved: resolvedRows(mismatches, claims),
      receipts: await couriersReceipts(context),
      ageing: await ageing(context),
      notInvoiced: await notInvoiced(context),
      changes: changesIn(only, await changesSinceClose({ ...context, filters: {} }, month)),
      journal: await dailyJournal(context),
    },
    runs: await readMonthRuns(db, month),
    documents: readMonthDocuments(db, month),
  };
}

/** How many invoices that are still listed a table has, and how many orders those hold. */
function countsOf({ rows }: Report, vanished: readonly Row[]): { invoices: number; orders: number } {
  const gone = new Set(vanished.map(({ number }) => number));
  const listed = (rows as readonly Row[]).filter(({ number }) => !gone.has(number));
  const orders = new Map(listed.map((row) => [row.number, Number(row.orders)]));
  return { invoices: orders.size, orders: [...orders.values()].reduce((sum, count) => sum + count, 0) };
}

/** What was restated since the last close before the month: It is booked in this month, whichever closed month it changes. */
async function changesSinceClose(context: ReportContext, month: string): Promise<Report> {
  const earlier = (await readClosesInForce(context.db)).filter(({ period }) => period < month);
  const last = earlier.at(-1);
  if (!last) return changes(context);
  return changes({ ...context, periods: [...earlier.map(({ period }) => period), month] }, last);
}

/** Keeps the changes in one currency. An invoice that vanished or came back has no currency, and stays. */
function changesIn(only: Only, report: Report): Report {
  if (only === null) return report;
  const all = report.rows as readonly Row[];
  const rows = all.filter(({ currency }) => keeps(only, currency as string | null));
  const emptied = rows.length === 0 && all.length > 0 ? [NOTHING_CHANGED] : [];
  return { ...report, rows, notes: () => [...emptied, ...report.notes()] };
}

async function closedBy(db: LedgerReader, month: string): Promise<ClosedBy | null> {
  const close = await readCloseOf(db, month);
  if (!close) return null;
  const { actor: by, at, chain, figures_sha256, with_open } = close;
  return { by, at, chain, figures_sha256, with_open };
}

async function organisationOf(db: LedgerReader, account: Account | null): Promise<Organisation> {
  if (!account) return { name: 'Unnamed merchant', colour: null, logo: null };
  return {
    name: account.organisation_name,
    colour: account.primary_color,
    logo: account.logo_sha256 === null ? null : await findBody(db, account.logo_sha256),
  };
}
