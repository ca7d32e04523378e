import { dayIn } from '../src/base/day.ts';
import { type InvoiceVersion, readPresences, readVersionsOf } from '../src/ledger/queries/invoices/changes.ts';
import { VERSION_FIELDS } from '../src/ledger/queries/invoices/vanished.ts';
import { readOrderRestatements } from '../src/ledger/queries/orders/restatements.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';
import type { PeriodCloseTable } from '../src/ledger/schema.ts';
import { formatAmount, parseAmount } from '../src/money/decimal.ts';
import { ORDER_MONEY_FIELDS } from '../src/money/fields.ts';
import { columnsOf, rowIn } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row, Unit } from './model.ts';
import { syncedMonths } from './notes.ts';

const COLUMNS = columnsOf(
  'what invoice_number order_id currency* field before',
  'after difference:measure unit seen_at before_sha256 after_sha256',
);

type Close = Pick<PeriodCloseTable, 'period' | 'at'>;

/** The time from which changes are counted, and whether there is any change. */
export type ChangesNote =
  | { id: 'nothing-changed' }
  | { id: 'changes-from-first-sight' }
  | { id: 'changes-since-close'; month: string; on: string };

export const NOTHING_CHANGED: ChangesNote = { id: 'nothing-changed' };

/**
 * What the courier restated on the months' invoices: every figure before and after, with both documents.
 *
 * @param since shows only what was seen after this close; null for everything since the first version of each document
 */
export async function changes(
  { db, settings, periods, period, filters = {} }: ReportContext,
  since: Close | null = null,
): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const rows = [
    ...(await restatedInvoices(db, months)),
    ...(await vanishedOrBack(db, months)),
    ...(await restatedOrders(db, months)),
  ].filter((row) => fits(row, filters) && (since === null || String(row.seen_at) > since.at));
  return {
    report: 'changes',
    title: 'Changes',
    period,
    columns: COLUMNS,
    rows,
    totals: () => [],
    notes: () => [...(rows.length === 0 ? [NOTHING_CHANGED] : []), sinceNote(since, settings.timeZone), ...notes],
  };
}

function sinceNote(since: Close | null, zone: string): ChangesNote {
  if (since === null) return { id: 'changes-from-first-sight' };
  return { id: 'changes-since-close', month: since.period, on: dayIn(since.at, zone) };
}

async function restatedInvoices(db: LedgerReader, months: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  const versions = await readVersionsOf(db, months);
  // Sorted by invoice and time: each version but an invoice's first follows the one that it replaces.
  for (const [index, after] of versions.entries()) {
    const before = versions[index - 1];
    const { invoice_number, seen_at } = after;
    if (before?.invoice_number !== invoice_number) continue;
    const documents = { seen_at, before_sha256: before.sha256, after_sha256: after.sha256 };
    const figures = movedFigures(before, after);
    for (const figure of figures) {
      rows.push(rowIn(COLUMNS, { what: 'restated', invoice_number, ...cells(figure), ...documents }));
    }
    // Other rows with the same sums are a restatement too.
    if (figures.length === 0) {
      rows.push(rowIn(COLUMNS, { what: 'restated', invoice_number, field: 'rows', ...documents }));
    }
  }
  return rows;
}

/** Invoices that the courier no longer lists, or lists again. */
async function vanishedOrBack(db: LedgerReader, months: readonly string[]): Promise<Row[]> {
  return (await readPresences(db, months)).map(({ present, ...about }) => {
    return rowIn(COLUMNS, { what: present === 1 ? 'back' : 'vanished', ...about });
  });
}

async function restatedOrders(db: LedgerReader, months: readonly string[]): Promise<Row[]> {
  return (await readOrderRestatements(db, months)).flatMap(({ before, after, currency, ...about }) =>
    ORDER_MONEY_FIELDS.flatMap((field) => {
      const figure = movedFigure(field, currency, formatAmount(before[field]), formatAmount(after[field]));
      return figure ? [rowIn(COLUMNS, { what: 'order restated', ...about, ...cells(figure) })] : [];
    }),
  );
}

function cells(moved: Moved) {
  const unit: Unit = moved.currency === null ? 'count' : 'money';
  return { ...moved, unit };
}

/** A figure before and after, as plain decimals (counts as integers). Null currency: a count. */
export interface Moved {
  readonly field: string;
  readonly currency: string | null;
  readonly before: string;
  readonly after: string;
  readonly difference: string;
}

/** The figures in which two versions of an invoice differ, by currency and field. */
export function movedFigures(before: InvoiceVersion, after: InvoiceVersion): Moved[] {
  const currencies = [...new Set([...before.amounts, ...after.amounts].map(({ currency }) => currency))].sort();
  const figures: Moved[] = [];
  for (const currency of currencies) {
    for (const field of VERSION_FIELDS) {
      const statedIn = (version: InvoiceVersion) =>
        version.amounts.find((row) => row.currency === currency)?.[field] ?? '0.00';
      const figure = movedFigure(field, currency, statedIn(before), statedIn(after));
      if (figure) figures.push(figure);
    }
  }
  const [rowsBefore, rowsAfter] = [before.row_count, after.row_count];
  if (rowsBefore !== rowsAfter) {
    const difference = String(rowsAfter - rowsBefore);
    figures.push({ field: 'orders', currency: null, before: String(rowsBefore), after: String(rowsAfter), difference });
  }
  return figures;
}

/** How an amount moved; null if it did not. */
export function movedFigure(field: string, currency: string, before: string, after: string): Moved | null {
  if (before === after) return null;
  return { field, currency, before, after, difference: formatAmount(parseAmount(after).minus(parseAmount(before))) };
}
