import { type LedgerReader, type Mismatch, type MonthTotals, readRows } from '../../src/ledger/read/index.ts';
import type { Report, Row } from '../model.ts';
import { ORDER_COLUMNS, orderRow } from '../orders.ts';
import { CurrencySums } from '../sums.ts';
import { assertControlTotal } from './control.ts';
import { Flags } from './flags.ts';

/**
 * The Orders sheet: a row an invoice row and currency, with the mismatches that are about it.
 *
 * @param control the database's own sums; reading the last row throws LedgerError when the rows do not come to them
 */
export function orderTable(
  db: LedgerReader,
  month: string,
  mismatches: readonly Mismatch[],
  control: MonthTotals,
): Report {
  const flags = new Flags(mismatches);
  const sums = new CurrencySums('cod', 'delivery_fee', 'net');
  return {
    report: 'orders',
    title: 'Orders',
    period: month,
    columns: [...ORDER_COLUMNS, { name: 'flags', title: 'Mismatches', type: 'text' }],
    rows: rows(),
    totals: () => sums.rows(),
    notes: () => [],
  };

  async function* rows(): AsyncGenerator<Row> {
    for await (const line of readRows(db, [month])) {
      const { figures, row } = orderRow(line);
      sums.add(line.currency, figures);
      yield { ...row, flags: flags.ofRow(line.invoice_number, line.order_id) };
    }
    const summed = sums
      .rows()
      .map(
        ({ currency, cod, delivery_fee }) => ({ currency, order_cod: cod, order_delivery_fee: delivery_fee }) as Row,
      );
    assertControlTotal(month, ['order_cod', 'order_delivery_fee'], summed, control);
  }
}
