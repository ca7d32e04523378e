import { type LedgerReader, type Mismatch, type MonthTotals, readRows } from '../../src/ledger/reader/index.ts';
import { formatAmount } from '../../src/money/index.ts';
import type { Report, Row } from '../model.ts';
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
    columns: [
      { name: 'invoice_number', title: 'Invoice', type: 'integer' },
      { name: 'order_id', title: 'Order', type: 'text' },
      { name: 'reference_id', title: 'Reference', type: 'text' },
      { name: 'workflow', title: 'Workflow', type: 'text' },
      { name: 'delivery_state', title: 'Delivery', type: 'text' },
      { name: 'payment_state', title: 'Payment', type: 'text' },
      { name: 'currency', title: 'Currency', type: 'text' },
      { name: 'cod', title: 'COD', type: 'money' },
      { name: 'delivery_fee', title: 'Delivery fee', type: 'money' },
      { name: 'net', title: 'Net', type: 'money' },
      { name: 'flags', title: 'Mismatches', type: 'text' },
    ],
    rows: rows(),
    totals: () => sums.rows(),
    notes: () => [],
  };

  async function* rows(): AsyncGenerator<Row> {
    for await (const line of readRows(db, [month])) {
      const net = line.cod.minus(line.delivery_fee);
      sums.add(line.currency, { cod: line.cod, delivery_fee: line.delivery_fee, net });
      yield {
        invoice_number: line.invoice_number,
        order_id: line.order_id,
        reference_id: line.reference_id,
        workflow: line.workflow,
        delivery_state: line.delivery_state,
        payment_state: line.payment_state,
        currency: line.currency,
        cod: formatAmount(line.cod),
        delivery_fee: formatAmount(line.delivery_fee),
        net: formatAmount(net),
        flags: flags.ofRow(line.invoice_number, line.order_id),
      };
    }
    const summed = sums
      .rows()
      .map(
        ({ currency, cod, delivery_fee }) => ({ currency, order_cod: cod, order_delivery_fee: delivery_fee }) as Row,
      );
    assertControlTotal(month, ['order_cod', 'order_delivery_fee'], summed, control);
  }
}
