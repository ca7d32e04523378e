import { sql } from 'kysely';
import { unitsText } from '../ledger/index.ts';
import { amountOfUnits, ExactDecimal } from '../money/index.ts';
import type { Check } from './check.ts';
import { amounts, finding, inPeriods, say, sayOrder, shown } from './finding.ts';
import { countOccurrences, type InvoiceRow } from './occurrence.ts';

export const codWithoutDelivery: Check = {
  code: 'cod-without-delivery',
  severity: 'warning',
  needs: 'invoices',
  title: 'COD is credited for delivered orders only.',
  async find({ db, periods }) {
    const credited = await sql<InvoiceRow & Record<'period' | 'reference' | 'state' | 'currency' | 'cod', string>>`
      select i.number, i.period, o.position, o.order_id, o.reference_id as reference, o.delivery_state as state,
        a.currency, ${unitsText('a.cod')} as cod
      from invoice i
      join invoice_order o on o.invoice_number = i.number
      join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
      where ${inPeriods(periods)} and o.delivery_state <> 'DELIVERED' and a.cod <> 0
      order by i.number, o.position, a.currency`.execute(db);
    return countOccurrences(credited.rows).map(({ row, occurrence }) => {
      const cod = amountOfUnits(row.cod);
      return finding({
        period: row.period,
        invoice_number: row.number,
        order_id: row.order_id,
        reference_id: row.reference,
        currency: row.currency,
        field: 'cod',
        occurrence,
        ...amounts(new ExactDecimal(0), cod),
        message: `Invoice ${row.number} credits ${say(cod, row.currency)} of COD for ${sayOrder(row.order_id, row.reference)}, which is ${shown(row.state)} and not DELIVERED, where 0.00 is expected: ask the delivery company whether the order was delivered, before it takes the money back.`,
      });
    });
  },
};
