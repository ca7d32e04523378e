import { UsageError } from '../../src/base/errors.ts';
import { groupBy } from '../../src/base/group.ts';
import { inNumberTexts } from '../../src/base/number-texts.ts';
import { uncomparedIn } from '../../src/checks/coverage.ts';
import { BalanceBook } from '../../src/checks/facts/balances/book.ts';
import { readSettlements, settledMonth } from '../../src/checks/facts/receipts/settlements.ts';
import { withRemedy } from '../../src/checks/remedy.ts';
import type { CheckResult } from '../../src/checks/run.ts';
import { readNumberTexts } from '../../src/ledger/queries/invoices/settlements.ts';
import { readMonthWalk } from '../../src/ledger/queries/sync/coverage.ts';
import { because } from '../../src/words/errors/rendering.ts';
import { readBalanceBlocks } from '../balance.ts';
import { changes } from '../changes/index.ts';
import type { ReportContext } from '../context.ts';
import { readLags } from '../lag.ts';
import type { Row } from '../model.ts';
import { readNames } from '../names.ts';
import { basisNotes } from '../settlement-figures.ts';
import { summariseMismatches } from '../statement/mismatches.ts';
import { proofOf } from '../statement/proof.ts';
import { syncedMonths } from '../synced-months.ts';
import { blocksOf } from './blocks.ts';
import type { Dashboard, DashboardReport, SeenMismatch, SeverityPanel } from './model.ts';
import { COLUMNS, rowsOf } from './rows.ts';

/** The checks were run, and what they found was not stored. */
export type DashboardNote = { id: 'dashboard-stores-nothing' };

/** Mismatches and changes that are shown of each kind; the rest is counted. */
const SHOWN = 8;

/**
 * A month at a glance: what you are short or ahead, the bridge, what is outstanding and how old it is, what delivery costs, what
 * is wrong, and what was not looked at. The checks are run for it, and nothing of what they find is stored.
 *
 * @throws UsageError for a period that is not one month; LedgerError when the month was never synced
 */
export async function dashboard(context: ReportContext): Promise<DashboardReport> {
  const { periods, period } = context;
  const [month] = periods;
  if (month === undefined || periods.length > 1) {
    throw new UsageError(because({ id: 'not-one-month', period, months: periods.length }));
  }
  const { notes } = await syncedMonths(context);
  const model = await dashboardOf(context, month);
  return {
    report: 'dashboard',
    title: 'Month at a glance',
    period,
    columns: COLUMNS,
    rows: rowsOf(model),
    totals: () => [],
    notes: () => [{ id: 'dashboard-stores-nothing' } satisfies DashboardNote, ...notes],
    dashboard: model,
  };
}

async function dashboardOf(context: ReportContext, month: string): Promise<Dashboard> {
  const { db, runChecks } = context;
  if (!runChecks) throw new TypeError('the dashboard shows what the checks find: its context must lend them');
  const looked = await runChecks();
  const mismatches = looked.changes.standing
    .filter(({ months }) => months.includes(month))
    .map(({ sentence, ...standing }): SeenMismatch => ({ ...standing, message: JSON.parse(sentence) }));
  const proofs = looked.bridge.filter(({ period }) => period === month).map(proofOf);
  const settlements = await readSettlements(db, context.settings);
  const { toInvoice, toPayment } = await readLags(db, settlements, [month]);
  const settled = settledMonth(settlements, month);
  const balance = await readBalanceBlocks(await BalanceBook.read(db, context.settings, { settlements }), month);
  const walk = await readMonthWalk(db, month);
  const model: Dashboard = {
    month,
    names: await readNames(db, context.settings),
    lastSyncedAt: walk && (walk.run_finished_at ?? walk.finished_at),
    blocks: await blocksOf(context, month, proofs, { settled, balance }),
    basis: basisNotes([...settled.values()].map(({ basis }) => basis)),
    severities: panelsOf(mismatches),
    toInvoice,
    toPayment,
    changes: await changesOf(context, month),
    incomplete: looked.incomplete.filter(({ period }) => period === month).map(withRemedy),
    skipped: byReason(looked),
    uncompared: uncomparedIn(looked.coverage),
  };
  return inNumberTexts(model, await readNumberTexts(db));
}

function panelsOf(mismatches: readonly SeenMismatch[]): SeverityPanel[] {
  return summariseMismatches(mismatches).map((summary) => {
    const own = mismatches
      .filter(({ severity, status }) => severity === summary.severity && status !== 'resolved')
      .sort(byPlace);
    return { ...summary, first: own.slice(0, SHOWN) };
  });
}

function byPlace(a: SeenMismatch, b: SeenMismatch): number {
  const [first, second] = [a.invoice_number ?? Number.MAX_SAFE_INTEGER, b.invoice_number ?? Number.MAX_SAFE_INTEGER];
  return first - second || (a.id < b.id ? -1 : 1);
}

function byReason({ skipped }: CheckResult): Dashboard['skipped'] {
  const reasons = groupBy(skipped, ({ why }) => JSON.stringify(why));
  return [...reasons.values()].map((own) => ({ why: own[0]!.why, codes: own.map(({ code }) => code) }));
}

async function changesOf({ db, settings }: ReportContext, month: string): Promise<Dashboard['changes']> {
  const rows: Row[] = [];
  for await (const row of (await changes({ db, settings, periods: [month], period: month })).rows) rows.push(row);
  const bySight = rows.sort((a, b) => String(b.seen_at).localeCompare(String(a.seen_at)));
  return { count: rows.length, last: bySight.slice(0, SHOWN) };
}
