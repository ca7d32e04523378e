import { inZone } from '../../src/base/day.ts';
import type { Sentence } from '../../src/base/sentence.ts';
import type { Bridge } from '../../src/checks/bridge/index.ts';
import { type CheckContext, type CheckSettings, type EffectPart, SharedFacts } from '../../src/checks/check.ts';
import { rowSumsOfMonths } from '../../src/checks/facts/headers.ts';
import { type Settlements, settledMonth } from '../../src/checks/facts/receipts/settlements.ts';
import { settlements } from '../../src/checks/facts/remittances.ts';
import { returnsOf, sayReturns } from '../../src/checks/facts/returns/convention.ts';
import { readSources } from '../../src/checks/facts/sources.ts';
import { findMismatchesBy } from '../../src/ledger/queries/findings/mismatches.ts';
import { sqlMonthTotals } from '../../src/ledger/queries/invoices/control-totals.ts';
import { readVanishedLines } from '../../src/ledger/queries/invoices/invoices.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import { readLastFetchOf } from '../../src/ledger/queries/sync/fetched.ts';
import { moneyCells, rowIn } from '../columns.ts';
import { isShown, keepCurrency, type OnlyCurrency } from '../filters.ts';
import type { Column, Report, Row } from '../model.ts';
import { invoiceTable } from './invoices.ts';
import { inMonth, type MonthMismatch } from './mismatches.ts';
import type { Statement } from './model.ts';
import { orderTable } from './orders.ts';
import { readOwnSide } from './own-amounts.ts';
import { proofOf } from './proof.ts';

/** A state of the ledger, and what the checks of the month found in it. */
export interface FigureSource {
  /** A snapshot (`usingSnapshot`) that stays open until the statement is rendered. */
  readonly db: LedgerReader;
  readonly settings: CheckSettings;
  /** What could not be compared. */
  readonly uncompared: readonly Sentence[];
  /** What the checks of the month read already; null to read it anew. */
  readonly facts?: SharedFacts | null;
  /** The bridge from the courier's figure to ours, as the checks computed it. */
  readonly bridge: readonly Bridge[];
  /** The months among which a mismatch's effect is divided, by its id; the other effects are in their own month. */
  readonly effects?: ReadonlyMap<string, readonly EffectPart[]>;
}

export interface MonthFigures
  extends Pick<Statement, 'totals' | 'settled' | 'proof' | 'returns' | 'uncompared'>,
    Pick<Statement['tables'], 'invoices' | 'vanished' | 'orders'> {
  /** What was paid of each invoice of any month, and what is outstanding. */
  readonly settlements: Settlements;
  readonly mismatches: readonly MonthMismatch[];
}

/**
 * Reads a month's invoices and orders, and the bridge between them.
 *
 * @throws LedgerError when the sums of the rows are not the database's
 */
export async function readMonthFigures(
  { db, settings, facts: checksFacts, uncompared, bridge: bridges, effects = new Map() }: FigureSource,
  month: string,
  onlyCurrency: OnlyCurrency,
): Promise<MonthFigures> {
  const bridgesOfMonth = bridges.filter(({ period }) => period === month);
  const bridge = keepCurrency(onlyCurrency, bridgesOfMonth);
  const context: CheckContext = {
    db,
    periods: [month],
    settings,
    // Not the clock: the same ledger gives the same figures. The month was synced: `statement` requires it.
    now: new Date((await readLastFetchOf(db, month))!),
    sources: await readSources(db),
    facts: checksFacts ?? new SharedFacts(),
  };
  const ownSide = await readOwnSide(context, month);
  const liveSums = (await rowSumsOfMonths(context)).filter(({ vanished_at }) => vanished_at === null);
  const returns = await returnsOf(context);
  // The database's sums, to which the rows of the two tables below must add up.
  const monthTotals = await sqlMonthTotals(db, month, liveSums);
  const control = { ...monthTotals, currencies: keepCurrency(onlyCurrency, monthTotals.currencies) };
  const stored = await findMismatchesBy(db, { periods: [month] });
  const mismatches = inMonth(keepCurrency(onlyCurrency, stored), month, effects);
  const allSettlements = await settlements(context);
  const invoices = await invoiceTable(db, month, {
    mismatches,
    control,
    rowSums: liveSums,
    settlements: allSettlements,
    returns,
    onlyCurrency,
  });
  const vanished = await vanishedRows(db, month, invoices.columns, settings.timeZone);
  return {
    // The database counts invoices and orders of all currencies.
    totals: onlyCurrency === null ? control : { ...control, ...countsOf(invoices, vanished) },
    settled: new Map([...settledMonth(allSettlements, month)].filter(([currency]) => isShown(onlyCurrency, currency))),
    settlements: allSettlements,
    proof: bridge.map(proofOf),
    returns: sayReturns(returns),
    uncompared,
    mismatches,
    invoices,
    vanished: vanished.filter(({ currency }) => isShown(onlyCurrency, currency as string | null)),
    orders: orderTable({ context, month, ownSide, mismatches, control, bridge, onlyCurrency }),
  };
}

/** How many invoices of the table the courier still lists, and how many orders are on them. */
function countsOf({ rows }: Report, vanished: readonly Row[]): { invoices: number; orders: number } {
  const gone = new Set(vanished.map(({ number }) => number));
  const listed = (rows as readonly Row[]).filter(({ number }) => !gone.has(number));
  const orders = new Map(listed.map((row) => [row.number, Number(row.orders)]));
  return { invoices: orders.size, orders: [...orders.values()].reduce((sum, count) => sum + count, 0) };
}

const VANISHED = 'Vanished';

/** The invoices that the courier no longer lists, as they were last stated, in the columns of the Invoices sheet. */
async function vanishedRows(db: LedgerReader, month: string, columns: readonly Column[], zone: string): Promise<Row[]> {
  return (await readVanishedLines(db, month)).map((line) => {
    const { number, orders, currency } = line;
    const issued_at = inZone(line.issued_at, zone);
    return rowIn(columns, { number, status: VANISHED, issued_at, orders, currency, ...moneyCells(line) });
  });
}
