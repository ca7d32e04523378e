import { BalanceBook } from '../src/checks/facts/balances/book.ts';
import { comesAsSheets, readMonths } from '../src/checks/facts/months.ts';
import { type Balance, FLOW_NAMES, type FlowName } from '../src/ledger/queries/balances/balances.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';
import { readSyncedMonths } from '../src/ledger/queries/sync/fetched.ts';
import { eachField } from '../src/money/fields.ts';
import { formatUnits } from '../src/money/units.ts';
import { columnsOf, moneyColumns } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { closedMonthNotes, syncedMonths, waitingReceipts } from './notes.ts';

const FIGURES = ['opening', ...FLOW_NAMES, 'closing'] as const;
const COLUMNS = [...columnsOf('period currency*'), ...moneyColumns(FIGURES)];

export type RollForwardNote =
  | { id: 'roll-forward-by-receipts' }
  | { id: 'roll-forward-by-flag'; hasReceipts: boolean }
  | { id: 'roll-forward-carried'; month: string; currency: string; amount: string }
  | { id: 'opening-without-months'; month: string }
  | { id: 'opening-since'; month: string }
  | { id: 'opening-lacks-months'; months: readonly string[]; bySheets: boolean };

/**
 * What the courier owed at the start of each month, what moved it, and what it owed at the end. Every month is computed
 * from the same movements, so that its opening is the closing of the month before, to the last digit.
 */
export async function rollForward(context: ReportContext): Promise<Report> {
  const { db, settings, periods, period, filters = {} } = context;
  // There is at least one month: `syncedMonths` throws if there is none.
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const closed = await closedMonthNotes(db, months, { isFrozen: true, zone: settings.timeZone });
  const opening = await openingNotes(db, settings, months[0]!);
  const book = context.book ?? (await BalanceBook.read(db, settings));
  const balances = (await book.rollForward(months)).filter(({ currency }) => fits({ currency }, filters));
  const rows = balances.map(rowOf);
  const waiting = await waitingReceipts(db);
  return {
    report: 'roll-forward',
    title: 'Roll-forward',
    period,
    columns: COLUMNS,
    rows,
    totals: () => [],
    notes: () => [...receivedNotes(balances), ...waiting, ...closed, ...carriedNotes(balances), ...opening, ...notes],
  };
}

/** Why the balances count money as received. */
function receivedNotes(balances: readonly Balance[]): RollForwardNote[] {
  const hasMoved = (...flows: FlowName[]) => balances.some((balance) => flows.some((flow) => balance[flow] !== 0n));
  const hasReceipts = hasMoved('received');
  const byReceipts: RollForwardNote[] = hasReceipts ? [{ id: 'roll-forward-by-receipts' }] : [];
  if (hasReceipts && !hasMoved('seen_paid', 'already_paid')) return byReceipts;
  return [...byReceipts, { id: 'roll-forward-by-flag', hasReceipts }];
}

/** What became known of closed months after their close, other than by events with a day of their own. */
function carriedNotes(balances: readonly Balance[]): RollForwardNote[] {
  return balances.flatMap(({ period, currency, carried }): RollForwardNote[] => {
    if (carried === undefined) return [];
    return [{ id: 'roll-forward-carried', month: period, currency, amount: formatUnits(carried) }];
  });
}

/** The first month that the opening balance includes, and the later months that it lacks: they were never synced. */
async function openingNotes(
  db: LedgerReader,
  settings: ReportContext['settings'],
  firstMonth: string,
): Promise<RollForwardNote[]> {
  const earlier = (await readMonths(db, settings)).filter((month) => month < firstMonth);
  if (earlier.length === 0) return [{ id: 'opening-without-months', month: firstMonth }];
  const { never } = await readSyncedMonths(db, earlier);
  const since: RollForwardNote = { id: 'opening-since', month: earlier[0]! };
  if (never.length === 0) return [since];
  return [since, { id: 'opening-lacks-months', months: never, bySheets: await comesAsSheets(db, settings) }];
}

function rowOf(balance: Balance): Row {
  const { period, currency } = balance;
  return { period, currency, ...eachField(FIGURES, (figure) => formatUnits(balance[figure])) };
}
