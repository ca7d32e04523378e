import { LedgerError } from '../../src/base/errors.ts';
import { inNumberTexts, type NumberTexts } from '../../src/base/number-texts.ts';
import type { Sentence } from '../../src/base/sentence.ts';
import { VERSION } from '../../src/base/version.ts';
import { BalanceBook } from '../../src/checks/facts/balances/book.ts';
import { requireMonths } from '../../src/checks/facts/months.ts';
import { settledAmounts } from '../../src/checks/facts/receipts/settlements.ts';
import { groupByCause } from '../../src/checks/groups.ts';
import type { AccountTable } from '../../src/ledger/index.ts';
import { readClosedFigures, readCloseOf, readClosesInForce } from '../../src/ledger/queries/closes/closes.ts';
import { TOTALS_FIGURES } from '../../src/ledger/queries/closes/figures.ts';
import { readAccount, readLedgerVersion } from '../../src/ledger/queries/couriers.ts';
import { findBody } from '../../src/ledger/queries/evidence/bodies.ts';
import { type ChainPlace, readFigureHead } from '../../src/ledger/queries/evidence/chain.ts';
import { readClaims } from '../../src/ledger/queries/findings/claims.ts';
import { readNumberTexts } from '../../src/ledger/queries/invoices/settlements.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import { readLastFetchOf } from '../../src/ledger/queries/sync/fetched.ts';
import { readMonthDocuments, readMonthRuns } from '../../src/ledger/queries/sync/runs.ts';
import { formatAmount, parseAmount, ZERO } from '../../src/money/decimal.ts';
import { controlsError } from '../../src/words/errors/controls.ts';
import { ageing } from '../ageing.ts';
import { readBalanceBlocks } from '../balance.ts';
import { changes, NOTHING_CHANGED } from '../changes.ts';
import type { ReportContext } from '../context.ts';
import { tiedCustody } from '../custody.ts';
import { type Filters, isShown, keepCurrency, type OnlyCurrency } from '../filters.ts';
import { journal } from '../journal/report.ts';
import type { Report, Row } from '../model.ts';
import { type NameSettings, readNames } from '../names.ts';
import { notInvoiced } from '../not-invoiced.ts';
import { renumberedReport, renumberer } from '../payout-numbers.ts';
import { couriersReceipts } from '../receipts.ts';
import { rollForward } from '../roll-forward.ts';
import { changedWhenRead } from '../rows.ts';
import { type FigureSource, type MonthFigures, readMonthFigures } from './figures.ts';
import { historyIn, historyOf } from './history.ts';
import { mismatchTable, resolvedRows, summariseMismatches, summariseWrittenOff } from './mismatches.ts';
import type { ClosedBy, Organisation, Statement } from './model.ts';
import {
  invoicesMovedSince,
  mismatchesSinceClose,
  ordersMovedSince,
  receiptsMovedSince,
  withStateAtClose,
} from './moved-since-close.ts';
import { bridgesMovedSince } from './proof.ts';
import { sinceLast } from './since-last-statement.ts';
import { warningsOf } from './warnings.ts';

export interface MonthStatementRequest extends FigureSource {
  readonly settings: FigureSource['settings'] & NameSettings;
  /** The month, such as `2026-10`. */
  readonly month: string;
  /** The checks that could not be run. Run the checks before: otherwise no finding would look like all is well. */
  readonly skipped: readonly { readonly code: string; readonly why: Sentence }[];
  readonly incomplete: readonly { readonly why: Sentence }[];
  /**
   * The ledger as it was when the month was closed, and what its checks found: the month's figures come from it. Null
   * if the month is open, or if nothing became known since its close.
   */
  readonly atClose?: FigureSource | null;
  /** The only currency to show; absent or null for all. */
  readonly currency?: OnlyCurrency;
  /** The place in the chain to print; absent for that of `db`. For a past ledger it is the place then. */
  readonly head?: ChainPlace | null | undefined;
}

/**
 * Makes a month's statement. The Orders table is read while it is rendered; everything else is here when this returns.
 * Nothing in it depends on the clock: the same ledger gives the same statement.
 *
 * @throws LedgerError when the month was never synced, when the sums of its rows differ from the database's, or when a
 *   closed month's figures differ from those that the close froze
 */
export async function statement(request: MonthStatementRequest): Promise<Statement> {
  const { db, settings, month, skipped, incomplete, atClose = null, head, currency: onlyCurrency = null } = request;
  await requireMonths(db, settings, [month]);
  const filters = filtersOf(onlyCurrency);
  const account = await readAccount(db);
  const today = await readMonthFigures(request, month, onlyCurrency);
  const figuresAtClose = atClose && (await readMonthFigures(atClose, month, onlyCurrency));
  if (figuresAtClose) await requireFrozenFigures(db, month, figuresAtClose, onlyCurrency);
  const { totals, settled, proof, returns, uncompared, vanished } = figuresAtClose ?? today;
  // The mismatches are today's, also of a closed month: people go on working on them.
  const { mismatches } = today;
  const ids = mismatches.map(({ id }) => id);
  const claims = await readClaims(db, ids);
  const book = await BalanceBook.read(db, settings, { settlements: today.settlements });
  const context = { db, settings, periods: [month], period: month, filters, book };
  const chainPlace = head === undefined ? await readFigureHead(db) : head;
  const unresolved = mismatchTable(month, mismatches, claims, settings.timeZone);
  const resolved = resolvedRows(mismatches, claims, settings.timeZone);
  const custody = await tiedCustody(context, { withoutReceived: true });
  const receipts = await couriersReceipts(context);
  const model: Statement = {
    month,
    closed: await closedBy(db, month),
    organisation: await organisationOf(db, account),
    names: await readNames(db, settings),
    asOf: (await readLastFetchOf(db, month))!,
    remitVersion: VERSION,
    ledgerVersion: await readLedgerVersion(db),
    returns,
    totals,
    balance: keepCurrency(onlyCurrency, await readBalanceBlocks(book, month)),
    custody: keepCurrency(onlyCurrency, custody.ties),
    settled,
    proof,
    movedSinceClose: figuresAtClose ? bridgesMovedSince(proof, today.proof) : null,
    head: chainPlace,
    since: await sinceLast(db, month, onlyCurrency, { totals, settled, proof, mismatches, head: chainPlace }),
    uncompared,
    mismatches: summariseMismatches(mismatches),
    causes: groupByCause(mismatches.filter(({ status }) => status !== 'resolved')),
    writtenOff: summariseWrittenOff(mismatches, claims),
    skipped,
    warnings: await warningsOf(db, month, mismatches, incomplete, onlyCurrency),
    history: historyIn(onlyCurrency, await historyOf(db, month)),
    // Of a closed month these are the rows at its close, each with what moved since.
    tables: {
      rollForward: await rollForward(context),
      invoices: figuresAtClose ? invoicesMovedSince(figuresAtClose.invoices, today.invoices) : today.invoices,
      vanished,
      orders: figuresAtClose ? ordersMovedSince(figuresAtClose.orders, today.orders) : today.orders,
      mismatches: figuresAtClose ? mismatchesSinceClose(unresolved, figuresAtClose.mismatches) : unresolved,
      resolved: figuresAtClose ? withStateAtClose(resolved, figuresAtClose.mismatches) : resolved,
      receipts: atClose ? receiptsMovedSince(await receiptsAtClose(atClose, month, onlyCurrency), receipts) : receipts,
      ageing: await ageing(context),
      custody: custody.report,
      notInvoiced: await notInvoiced(context),
      changes: changesIn(onlyCurrency, await changesSinceClose({ ...context, filters: {} }, month)),
      journal: await journal(context, 'day'),
    },
    runs: await readMonthRuns(db, month),
    documents: readMonthDocuments(db, month),
  };
  return renumberedStatement(model, await readNumberTexts(db));
}

/**
 * Controls a closed month: its figures, rebuilt from what was known at the close, must be those that the close froze.
 *
 * @param db the ledger as it is, which holds the close
 * @throws LedgerError naming the first figure on which they differ
 */
async function requireFrozenFigures(
  db: LedgerReader,
  month: string,
  { totals, settled }: MonthFigures,
  onlyCurrency: OnlyCurrency,
): Promise<void> {
  const close = (await readCloseOf(db, month))!;
  const rows = await readClosedFigures(db, close.id);
  const frozen = rows.filter(({ section }) => section === 'totals');
  // The counts are those of all currencies together.
  for (const figure of onlyCurrency === null ? (['invoices', 'orders'] as const) : []) {
    const closed = rows.find((row) => row.section === 'counts' && row.figure === figure)?.value ?? '0';
    const rebuilt = String(totals[figure]);
    if (rebuilt === closed) continue;
    throw new LedgerError(controlsError({ id: 'closed-figure-fails', month, figure, currency: null, closed, rebuilt }));
  }
  const frozenCurrencies = frozen.map(({ currency }) => currency);
  const rebuiltCurrencies = [...totals.currencies.map(({ currency }) => currency), ...settled.keys()];
  for (const currency of [...new Set([...frozenCurrencies, ...rebuiltCurrencies])].sort()) {
    if (!isShown(onlyCurrency, currency)) continue;
    const stated = totals.currencies.find((line) => line.currency === currency);
    const figures = { ...stated, ...settledAmounts(settled.get(currency)) };
    for (const figure of TOTALS_FIGURES) {
      const rebuilt = figures[figure] ?? ZERO;
      const ofFigure = frozen.find((row) => row.currency === currency && row.figure === figure);
      const closed = parseAmount(ofFigure?.value ?? '0');
      if (rebuilt.eq(closed)) continue;
      const amounts = { closed: formatAmount(closed), rebuilt: formatAmount(rebuilt) };
      throw new LedgerError(controlsError({ id: 'closed-figure-fails', month, figure, currency, ...amounts }));
    }
  }
}

/** A statement shows a payout by the courier's number, and never by the integer that the ledger has for it. */
function renumberedStatement(model: Statement, texts: NumberTexts): Statement {
  if (texts.size === 0) return model;
  const { tables, documents, ...figures } = model;
  const { vanished, resolved, invoices, mismatches } = tables;
  // `vanished` and `resolved` are rows in the columns of another table, and no reports.
  const reports = Object.fromEntries(
    Object.entries({ ...tables, vanished: null, resolved: null }).map(([name, table]) => [
      name,
      table && renumberedReport(table, texts),
    ]),
  );
  return {
    ...inNumberTexts(figures, texts),
    tables: {
      ...(reports as unknown as Statement['tables']),
      vanished: vanished.map(renumberer(invoices.columns, texts)),
      resolved: resolved.map(renumberer(mismatches.columns, texts)),
    },
    documents: changedWhenRead(documents, (document) => inNumberTexts(document, texts)),
  };
}

function receiptsAtClose({ db, settings }: FigureSource, month: string, onlyCurrency: OnlyCurrency): Promise<Report> {
  return couriersReceipts({ db, settings, periods: [month], period: month, filters: filtersOf(onlyCurrency) });
}

function filtersOf(onlyCurrency: OnlyCurrency): Filters {
  return onlyCurrency === null ? {} : { currency: onlyCurrency };
}

/** What was restated since the last close before the month: this month books it, even if it changes a closed month. */
async function changesSinceClose(context: ReportContext, month: string): Promise<Report> {
  const earlier = (await readClosesInForce(context.db)).filter(({ period }) => period < month);
  const last = earlier.at(-1);
  if (!last) return changes(context);
  return changes({ ...context, periods: [...earlier.map(({ period }) => period), month] }, last);
}

/**
 * Keeps the changes in one currency, from a report that was made without a filter: an invoice that vanished or came
 * back has no currency, and stays.
 */
function changesIn(onlyCurrency: OnlyCurrency, report: Report): Report {
  if (onlyCurrency === null) return report;
  const changed = report.rows as readonly Row[];
  const rows = changed.filter(({ currency }) => isShown(onlyCurrency, currency as string | null));
  const isEmptied = rows.length === 0 && changed.length > 0;
  return { ...report, rows, notes: () => [...(isEmptied ? [NOTHING_CHANGED] : []), ...report.notes()] };
}

async function closedBy(db: LedgerReader, month: string): Promise<ClosedBy | null> {
  const close = await readCloseOf(db, month);
  if (!close) return null;
  const { actor: by, at, chain, figures_sha256, with_open } = close;
  return { by, at, chain, figures_sha256, with_open };
}

async function organisationOf(db: LedgerReader, account: AccountTable | null): Promise<Organisation> {
  if (!account) return { colour: null, logo: null };
  return {
    colour: account.primary_color,
    logo: account.logo_sha256 === null ? null : await findBody(db, account.logo_sha256),
  };
}
