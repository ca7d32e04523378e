import { dayIn } from '../../src/base/day.ts';
import { readPresences, readVersionsOf } from '../../src/ledger/queries/invoices/changes.ts';
import { readOrderRestatements } from '../../src/ledger/queries/orders/restatements.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import type { PeriodCloseTable } from '../../src/ledger/schema.ts';
import { ORDER_MONEY_FIELDS } from '../../src/money/fields.ts';
import { formatAmount } from '../../src/money/format.ts';
import type { ReportContext } from '../context.ts';
import { fits } from '../filters.ts';
import type { Column, Report, Row, Unit } from '../model.ts';
import { syncedMonths } from '../synced-months.ts';
import { type Moved, movedFigure, movedFigures } from './moved.ts';

const COLUMNS: readonly Column[] = [
  { name: 'what', type: 'text' },
  { name: 'invoice_number', type: 'number' },
  { name: 'order_id', type: 'id' },
  { name: 'currency', type: 'text', key: true },
  { name: 'field', type: 'text' },
  { name: 'before', type: 'measure' },
  { name: 'after', type: 'measure' },
  { name: 'difference', type: 'measure' },
  { name: 'unit', type: 'text' },
  { name: 'seen_at', type: 'datetime' },
  { name: 'before_sha256', type: 'id' },
  { name: 'after_sha256', type: 'id' },
];
/** The time from which changes are counted, and whether there is any change. */
export type ChangesNote =
  | { id: 'nothing-changed' }
  | { id: 'changes-from-first-sight' }
  | { id: 'changes-since-close'; month: string; on: string };

export const NOTHING_CHANGED: ChangesNote = { id: 'nothing-changed' };
const EMPTY: Row = Object.fromEntries(COLUMNS.map(({ name }) => [name, null]));

/**
 * What the courier restated on the months' invoices: every figure before and after, with both documents.
 *
 * @param since shows only what was seen after this close; null for everything since the first version of each document
 */
export async function changes(
  { db, settings, periods, period, filters = {} }: ReportContext,
  since: Pick<PeriodCloseTable, 'period' | 'at'> | null = null,
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

function sinceNote(since: Pick<PeriodCloseTable, 'period' | 'at'> | null, zone: string): ChangesNote {
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
      rows.push({ ...EMPTY, what: 'restated', invoice_number, ...cells(figure), ...documents });
    }
    // Other rows with the same sums are a restatement too.
    if (figures.length === 0) rows.push({ ...EMPTY, what: 'restated', invoice_number, field: 'rows', ...documents });
  }
  return rows;
}

/** Invoices that the courier no longer lists, or lists again. */
async function vanishedOrBack(db: LedgerReader, months: readonly string[]): Promise<Row[]> {
  return (await readPresences(db, months)).map(({ invoice_number, seen_at, present }) => ({
    ...EMPTY,
    what: present === 1 ? 'back' : 'vanished',
    invoice_number,
    seen_at,
  }));
}

async function restatedOrders(db: LedgerReader, months: readonly string[]): Promise<Row[]> {
  return (await readOrderRestatements(db, months)).flatMap(({ before, after, currency, ...about }) =>
    ORDER_MONEY_FIELDS.flatMap((field) => {
      const figure = movedFigure(field, currency, formatAmount(before[field]), formatAmount(after[field]));
      return figure ? [{ ...EMPTY, what: 'order restated', ...about, ...cells(figure) }] : [];
    }),
  );
}

function cells({ field, currency, before, after, difference }: Moved): Row {
  const unit: Unit = currency === null ? 'count' : 'money';
  return { field, currency, before, after, difference, unit };
}
