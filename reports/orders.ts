import { readReturns } from '../src/checks/facts/returns/convention.ts';
import { findMismatchesBy } from '../src/ledger/queries/findings/mismatches.ts';
import { type RowLine, readInvoicePeriod, readRowPages } from '../src/ledger/queries/rows/rows.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';
import { ORDER_MONEY_FIELDS } from '../src/money/fields.ts';
import { netOfRow } from '../src/money/returns.ts';
import { formatUnits, type Units } from '../src/money/units.ts';
import { ColumnTotals, columnsOf, moneyColumns, unitsCell } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Cell, Report, Row } from './model.ts';
import { syncedMonths } from './notes.ts';

/** The columns of invoice rows, here and in a month's statement. */
export const ORDER_COLUMNS = [
  ...columnsOf('invoice_number order_id* reference_id workflow delivery_state payment_state currency*'),
  ...moneyColumns([...ORDER_MONEY_FIELDS, 'net']),
];

/** `net`: what the row is worth to the merchant, in ledger units; null for a return if nobody knows how they count. */
type RowLineWithNet = RowLine & { readonly net: Units | null };

function orderRow(line: RowLineWithNet): Row {
  const row: Record<string, Cell> = {
    invoice_number: line.invoice_number,
    order_id: line.order_id,
    reference_id: line.reference_id,
    workflow: line.workflow,
    delivery_state: line.delivery_state,
    payment_state: line.payment_state,
    currency: line.currency,
  };
  for (const field of ORDER_MONEY_FIELDS) row[field] = formatUnits(line[field]);
  row.net = unitsCell(line.net);
  return row;
}

/** One row per row and currency of the months' invoices. */
export async function orders(context: ReportContext): Promise<Report> {
  const { db, settings, periods, period, filters = {}, from: firstInvoice } = context;
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const sums = new ColumnTotals(...ORDER_MONEY_FIELDS, 'net');
  const { signs } = await readReturns(db, settings.returns);
  const firstMonth = firstInvoice === undefined ? null : await readInvoicePeriod(db, firstInvoice);
  const ordersWithCode = await ordersWithMismatch(db, filters.code, months);
  return {
    report: 'orders',
    title: 'Orders on the invoices',
    period,
    columns: ORDER_COLUMNS,
    rows: rows(),
    totals: () => sums.rows(),
    notes: () => notes,
  };

  async function* rows(): AsyncGenerator<Row> {
    for (const month of months) {
      if (firstMonth !== null && month < firstMonth) continue;
      for await (const lines of readRowPages(db, month, month === firstMonth ? firstInvoice : undefined)) {
        for (const rowLine of lines) {
          const line = { ...rowLine, net: netOfRow(rowLine, signs) };
          const row = orderRow(line);
          if (!fits(row, filters) || (ordersWithCode && !ordersWithCode.has(line.order_id))) continue;
          sums.addRow(line.currency, { ...line, net: line.net ?? 0n });
          yield row;
        }
      }
    }
    // A sum that is too large is an error of the rows, and comes with them.
    sums.addPending();
  }
}

/**
 * The orders with a mismatch of this code, resolved ones too; null without a code.
 *
 * @param periods the months in which the mismatches show; absent for all
 */
export async function ordersWithMismatch(
  db: LedgerReader,
  code: string | undefined,
  periods?: readonly string[],
): Promise<Set<string | null> | null> {
  if (code === undefined) return null;
  return new Set((await findMismatchesBy(db, { codes: [code], periods })).map(({ order_id }) => order_id));
}
