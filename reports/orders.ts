import { readReturns } from '../src/checks/facts/returns/convention.ts';
import { findMismatchesBy } from '../src/ledger/queries/findings/mismatches.ts';
import { type RowLine, readInvoicePeriod, readRowPages } from '../src/ledger/queries/rows/rows.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';
import { eachField, ORDER_MONEY_FIELDS } from '../src/money/fields.ts';
import { netOfRow } from '../src/money/returns.ts';
import { formatUnits, type Units } from '../src/money/units.ts';
import { ColumnTotals, columnsOf, moneyColumns, unitsCell } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { syncedMonths } from './notes.ts';

const COLUMNS = [
  ...columnsOf('invoice_number order_id* reference_id workflow delivery_state payment_state currency*'),
  ...moneyColumns([...ORDER_MONEY_FIELDS, 'net']),
];

/** @param net what the row is worth to the merchant; null for a return if nobody knows how they count */
function orderRow(line: RowLine, net: Units | null): Row {
  const { invoice_number, order_id, reference_id, workflow, delivery_state, payment_state, currency } = line;
  const cells = { invoice_number, order_id, reference_id, workflow, delivery_state, payment_state, currency };
  const amounts = eachField(ORDER_MONEY_FIELDS, (field) => formatUnits(line[field]));
  return { ...cells, ...amounts, net: unitsCell(net) };
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
    columns: COLUMNS,
    rows: rows(),
    totals: () => sums.rows(),
    notes: () => notes,
  };

  async function* rows(): AsyncGenerator<Row> {
    for (const month of months) {
      if (firstMonth !== null && month < firstMonth) continue;
      for await (const lines of readRowPages(db, month, month === firstMonth ? firstInvoice : undefined)) {
        for (const line of lines) {
          const net = netOfRow(line, signs);
          const row = orderRow(line, net);
          if (!fits(row, filters) || (ordersWithCode && !ordersWithCode.has(line.order_id))) continue;
          sums.addRow(line.currency, { ...line, net });
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
