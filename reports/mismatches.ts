import { type Mismatch, readMismatchesByStatus } from '../src/ledger/reader/index.ts';
import { parseAmount } from '../src/money/index.ts';
import type { ReportContext } from './context.ts';
import type { Column, Report, Row } from './model.ts';
import { CurrencySums } from './sums.ts';
import { syncedMonths } from './synced.ts';

/** What is told of a mismatch, here and in a month's statement. */
export const MISMATCH_COLUMNS: readonly Column[] = [
  { name: 'id', title: 'Id', type: 'text' },
  { name: 'code', title: 'Check', type: 'text' },
  { name: 'severity', title: 'Severity', type: 'text' },
  { name: 'period', title: 'Month', type: 'text' },
  { name: 'invoice_number', title: 'Invoice', type: 'integer' },
  { name: 'order_id', title: 'Order', type: 'text' },
  { name: 'reference_id', title: 'Reference', type: 'text' },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'field', title: 'Field', type: 'text' },
  { name: 'expected', title: 'Expected', type: 'money' },
  { name: 'actual', title: 'Actual', type: 'money' },
  { name: 'difference', title: 'Difference', type: 'money' },
  { name: 'effect', title: 'Effect', type: 'money' },
  { name: 'message', title: 'What and what to do', type: 'text' },
  { name: 'status', title: 'Status', type: 'text' },
];

/** A row a mismatch, with a cell for each of the columns, which are named after its fields. */
export function mismatchRows(columns: readonly Column[], mismatches: readonly Mismatch[]): Row[] {
  return mismatches.map((mismatch) =>
    Object.fromEntries(columns.map(({ name }) => [name, mismatch[name as keyof Mismatch]])),
  );
}

/** Every mismatch of the months, open ones first. The totals are the effect of those that are not resolved. */
export async function mismatches({ db, periods, period }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const found = await readMismatchesByStatus(db, months);
  const sums = new CurrencySums('effect');
  for (const { status, currency, effect } of found) {
    if (status !== 'resolved' && effect !== null) sums.add(currency, { effect: parseAmount(effect) });
  }
  if (found.length === 0) notes.push(`No mismatch is stored; \`remit check ${period}\` looks for them.`);
  return {
    report: 'mismatches',
    title: 'Mismatches',
    period,
    columns: MISMATCH_COLUMNS,
    rows: mismatchRows(MISMATCH_COLUMNS, found),
    totals: () => sums.rows(),
    notes: () => notes,
  };
}
