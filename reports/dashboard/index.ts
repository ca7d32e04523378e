import { readSettlements, settledMonth } from '../../src/checks/receipts/settlements.ts';
import type { CheckResult } from '../../src/checks/run.ts';
import { sayUncompared } from '../../src/checks/say-uncompared.ts';
import { UsageError } from '../../src/errors.ts';
import { type Mismatch, readAccount } from '../../src/ledger/read/index.ts';
import { readMonthWalk } from '../../src/ledger/read/statement.ts';
import { changes } from '../changes/index.ts';
import type { ReportContext } from '../context.ts';
import { readLags } from '../lag.ts';
import type { Report, Row } from '../model.ts';
import { sayBasis } from '../settled.ts';
import { summariseMismatches } from '../statement/mismatches.ts';
import { proofOf } from '../statement/proof.ts';
import { syncedMonths } from '../synced.ts';
import { blocksOf } from './blocks.ts';
import type { Dashboard, SeverityPanel } from './model.ts';
import { COLUMNS, rowsOf } from './rows.ts';

/** Mismatches and changes that are shown of each kind; the rest is counted. */
const SHOWN = 8;

/**
 * A month at a glance: what the merchant is short or ahead, the bridge, what is outstanding and how old it is, what delivery costs, what
 * is wrong, and what was not looked at. The checks are run for it, and nothing of what they find is stored.
 *
 * @throws UsageError for a period that is not one month; LedgerError when the month was never synced
 */
export async function dashboard(context: ReportContext): Promise<Report> {
  const { db, periods, period } = context;
  const [month] = periods;
  if (month === undefined || periods.length > 1) {
    throw new UsageError(`the dashboard shows one month, and ${period} is ${periods.length}`, 'Name a month: 2026-10');
  }
  const { notes } = await syncedMonths(db, periods);
  const model = await dashboardOf(context, month);
  return {
    report: 'dashboard',
    title: 'Month at a glance',
    period,
    columns: COLUMNS,
    rows: rowsOf(model),
    totals: () => [],
    notes: () => ['The checks were run for this report, and nothing of what they found was stored.', ...notes],
    dashboard: model,
  };
}

async function dashboardOf(context: ReportContext, month: string): Promise<Dashboard> {
  const { db, lookAt } = context;
  if (!lookAt) throw new TypeError('the dashboard shows what the checks find: its context must lend them');
  const looked = await lookAt();
  const mismatches = looked.settled.standing.filter(({ months }) => months.includes(month));
  const proofs = looked.bridge.filter(({ period }) => period === month).map(proofOf);
  const { toInvoice, toPayment } = await readLags(db, [month]);
  const settled = settledMonth(await readSettlements(db, context.settings), month);
  const walk = (await readMonthWalk(db, month))!;
  return {
    month,
    organisation: (await readAccount(db))?.organisation_name ?? null,
    asOf: walk.run_finished_at ?? walk.finished_at,
    blocks: await blocksOf(context, month, proofs, settled),
    basis: sayBasis([...settled.values()].map(({ basis }) => basis)),
    severities: panelsOf(mismatches),
    toInvoice,
    toPayment,
    changes: await changesOf(context, month),
    incomplete: looked.incomplete.filter(({ period }) => period === month).map(({ why }) => why),
    skipped: byReason(looked),
    uncompared: sayUncompared(looked.coverage),
  };
}

function panelsOf(mismatches: readonly Mismatch[]): SeverityPanel[] {
  return summariseMismatches(mismatches).map((summary) => {
    const own = mismatches
      .filter(({ severity, status }) => severity === summary.severity && status !== 'resolved')
      .sort(byPlace);
    return { ...summary, first: own.slice(0, SHOWN) };
  });
}

function byPlace(a: Mismatch, b: Mismatch): number {
  const [first, second] = [a.invoice_number ?? Number.MAX_SAFE_INTEGER, b.invoice_number ?? Number.MAX_SAFE_INTEGER];
  return first - second || (a.id < b.id ? -1 : 1);
}

function byReason({ skipped }: CheckResult): Dashboard['skipped'] {
  const reasons = new Map<string, string[]>();
  for (const { code, why } of skipped) reasons.set(why, [...(reasons.get(why) ?? []), code]);
  return [...reasons].map(([why, codes]) => ({ why, codes }));
}

async function changesOf({ db, settings }: ReportContext, month: string): Promise<Dashboard['changes']> {
  const rows: Row[] = [];
  for await (const row of (await changes({ db, settings, periods: [month], period: month })).rows) rows.push(row);
  const bySight = rows.sort((a, b) => String(b.seen_at).localeCompare(String(a.seen_at)));
  return { count: rows.length, last: bySight.slice(0, SHOWN) };
}
