import { sql } from 'kysely';
import { unitsText } from '../ledger/index.ts';
import { amountOfUnits, ExactDecimal } from '../money/index.ts';
import type { Check } from './check.ts';
import { amounts, finding, inPeriods, say, sayOrder } from './finding.ts';
import { countOccurrences, type InvoiceRow } from './occurrence.ts';

export const feeOnCancelled: Check = {
  code: 'fee-on-cancelled',
  severity: 'warning',
  needs: 'invoices',
  title: 'No fee is charged for a cancelled order.',
  async find({ db, periods }) {
    const charged = await sql<InvoiceRow & Record<'period' | 'reference' | 'currency' | 'fee', string>>`
      select i.number, i.period, o.position, o.order_id, o.reference_id as reference,
        a.currency, ${unitsText('a.delivery_fee')} as fee
      from invoice i
      join invoice_order o on o.invoice_number = i.number
      join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
      where ${inPeriods(periods)} and o.delivery_state = 'CANCELLED' and a.delivery_fee <> 0
      order by i.number, o.position, a.currency`.execute(db);
    return countOccurrences(charged.rows).map(({ row, occurrence }) => {
      const fee = amountOfUnits(row.fee);
      return finding({
        period: row.period,
        invoice_number: row.number,
        order_id: row.order_id,
        reference_id: row.reference,
        currency: row.currency,
        field: 'delivery_fee',
        occurrence,
        ...amounts(new ExactDecimal(0), fee),
        message: `Invoice ${row.number} charges a fee of ${say(fee, row.currency)} for the cancelled ${sayOrder(row.order_id, row.reference)}, where 0.00 is expected: ask for it back unless your agreement has fees for cancelled orders.`,
      });
    });
  },
};
