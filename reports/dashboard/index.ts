import { UsageError } from '../../src/base/errors.ts';
import { inNumberTexts } from '../../src/base/number-texts.ts';
import { BalanceBook } from '../../src/checks/facts/balances/book.ts';
import { readSettlements, settledMonth } from '../../src/checks/facts/receipts/settlements.ts';
import { uncomparedIn } from '../../src/checks/incomplete.ts';
import { withRemedy } from '../../src/checks/requirement.ts';
import { readNumberTexts } from '../../src/ledger/queries/invoices/settlements.ts';
import { readMonthWalk } from '../../src/ledger/queries/sync/fetched.ts';
import { type ExactDecimal, formatAmount } from '../../src/money/decimal.ts';
import { renderingError } from '../../src/words/errors/rendering.ts';
import { BALANCE_FLOWS, readBalanceBlocks } from '../balance.ts';
import { changes } from '../changes.ts';
import { columnsOf, rowIn } from '../columns.ts';
import type { ReportContext } from '../context.ts';
import { type Lag, readLags } from '../lag.ts';
import type { Row } from '../model.ts';
import { readNames } from '../names.ts';
import { basisNotes, syncedMonths } from '../notes.ts';
import { summariseMismatches } from '../statement/mismatches.ts';
import { type CurrencyProof, type ProofStep, proofOf } from '../statement/proof.ts';
import { byReason } from '../statement/sections/mismatches.ts';
import { blocksOf, readWhole } from './blocks.ts';
import type { CurrencyBlock, Dashboard, DashboardReport, SeenMismatch, SeverityPanel } from './model.ts';

/** The checks were run, and what they found was not stored. */
export type DashboardNote = { id: 'dashboard-stores-nothing' };

/** How many mismatches of each severity, and how many changes, are shown; the others are only counted. */
const MOST_SHOWN = 8;

/**
 * A month at a glance: what you are short or ahead, the bridge, what is outstanding and how old it is, what delivery
 * costs, what is wrong, and what was not checked. It runs the checks, and stores nothing that they find.
 *
 * @throws UsageError for a period that is not one month; LedgerError when the month was never synced
 */
export async function dashboard(context: ReportContext): Promise<DashboardReport> {
  const { periods, period } = context;
  const [month] = periods;
  if (month === undefined || periods.length > 1) {
    throw new UsageError(renderingError({ id: 'not-one-month', period, months: periods.length }));
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
  const checkResult = await runChecks();
  // `current`: all mismatches after these checks, each with the `months` that it belongs to.
  const mismatches = checkResult.changes.current
    .filter(({ months }) => months.includes(month))
    .map(({ sentence, ...mismatch }): SeenMismatch => ({ ...mismatch, message: JSON.parse(sentence) }));
  const proofs = checkResult.bridge.filter(({ period }) => period === month).map(proofOf);
  const settlements = await readSettlements(db, context.settings);
  const { toInvoice, toPayment } = await readLags(db, settlements, [month]);
  const settled = settledMonth(settlements, month);
  const balance = await readBalanceBlocks(await BalanceBook.read(db, context.settings, { settlements }), month);
  // The latest reading of the month's list of invoices; without an end of its run, that run was cut off.
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
    incomplete: checkResult.incomplete.filter(({ period }) => period === month).map(withRemedy),
    skipped: byReason(checkResult.skipped),
    uncompared: uncomparedIn(checkResult.coverage),
  };
  // Payouts are shown by the courier's numbers, such as `ES-902`.
  return inNumberTexts(model, await readNumberTexts(db));
}

function panelsOf(mismatches: readonly SeenMismatch[]): SeverityPanel[] {
  return summariseMismatches(mismatches).map((summary) => {
    const ofSeverity = mismatches
      .filter(({ severity, status }) => severity === summary.severity && status !== 'resolved')
      .sort(byInvoice);
    return { ...summary, first: ofSeverity.slice(0, MOST_SHOWN) };
  });
}

function byInvoice(a: SeenMismatch, b: SeenMismatch): number {
  const [first, second] = [a.invoice_number ?? Number.MAX_SAFE_INTEGER, b.invoice_number ?? Number.MAX_SAFE_INTEGER];
  return first - second || (a.id < b.id ? -1 : 1);
}

async function changesOf({ db, settings }: ReportContext, month: string): Promise<Dashboard['changes']> {
  const { rows } = await readWhole(await changes({ db, settings, periods: [month], period: month }));
  const bySight = rows.toSorted((a, b) => String(b.seen_at).localeCompare(String(a.seen_at)));
  return { count: rows.length, last: bySight.slice(0, MOST_SHOWN) };
}

const COLUMNS = columnsOf('section figure* currency* amount count days says');

/** Every figure of the page as a row, for formats that do not draw the page. */
function rowsOf(model: Dashboard): Row[] {
  return [
    ...model.incomplete.map((says) => row('incomplete', 'why', { says })),
    ...model.blocks.flatMap(blockRows),
    ...model.severities.flatMap(severityRows),
    ...lagRows('to invoice', model.toInvoice),
    ...lagRows('to payment', model.toPayment),
    row('changes', 'figures', { count: model.changes.count }),
    ...model.skipped.flatMap(({ why, codes }) => codes.map((code) => row('skipped', code, { says: why }))),
    ...model.basis.map((says) => row('totals', 'basis', { says })),
    ...model.uncompared.map((says) => row('not-comparable', 'what', { says })),
  ];
}

function row(section: string, figure: string, cells: Row): Row {
  return rowIn(COLUMNS, { section, figure, ...cells });
}

const SETTLED = ['received', 'paid_on_word', 'differences', 'outstanding'] as const;

function blockRows(block: CurrencyBlock): Row[] {
  const { currency, balance, proof, returns, notInvoiced } = block;
  const money = (section: string, figure: string, amount: ExactDecimal | null, count: number | null = null) =>
    row(section, figure, { currency, amount: amount && formatAmount(amount), count });
  const step = (section: string, { code, effect, count }: ProofStep) => money(section, code, effect, count);
  const bridgeRows = ({ ours, steps, notCompared, unexplained, courier, outside }: CurrencyProof) => [
    money('bridge', 'ours', ours),
    ...[...steps, ...(notCompared === null ? [] : [notCompared])].map((proofStep) => step('bridge', proofStep)),
    money('bridge', 'unexplained', unexplained),
    money('bridge', 'courier', courier),
    ...outside.map((proofStep) => step('outside', proofStep)),
  ];
  return [
    money('result', 'short', block.short),
    ...(['opening', ...BALANCE_FLOWS, 'closing'] as const).map((figure) => money('balance', figure, balance[figure])),
    money('balance', 'received_since', balance.receivedSince),
    money('balance', 'settled_since', balance.settledSince),
    money('balance', 'restated_since', balance.restatedSince),
    money('balance', 'open_today', balance.openToday),
    money('totals', 'cod', block.cod),
    money('totals', 'delivery_fee', block.deliveryFee),
    money('totals', 'net_due_to_merchant', block.net),
    ...SETTLED.map((figure) => money('totals', figure, block[figure])),
    ...(proof === null ? [] : bridgeRows(proof)),
    ...block.ageing.map(({ title, amount }) => money('ageing', title, amount)),
    money('not-invoiced', 'net', notInvoiced.net, notInvoiced.orders),
    ...block.fees.map(({ title, amount }) => money('fees', title, amount)),
    money('returns', 'orders', null, returns.orders),
    money('returns', 'returned', returns.fee, returns.returned),
    ...block.months.map(({ period, net }) => money('months', period, net)),
  ];
}

function severityRows({ severity, open, acknowledged, effect }: SeverityPanel): Row[] {
  return [
    row('mismatches', `${severity} open`, { count: open }),
    row('mismatches', `${severity} acknowledged`, { count: acknowledged }),
    ...[...effect].map(([currency, amount]) =>
      row('mismatches', `${severity} effect`, { currency, amount: formatAmount(amount) }),
    ),
  ];
}

function lagRows(figure: string, lag: Lag | null): Row[] {
  if (lag === null) return [];
  return [
    row('lag', `${figure}: median`, { days: lag.median, count: lag.of }),
    row('lag', `${figure}: 90th percentile`, { days: lag.percentile90 }),
    row('lag', `${figure}: longest`, { days: lag.most }),
  ];
}
