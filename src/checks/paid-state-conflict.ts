import { sql } from 'kysely';
import type { Check } from './check.ts';
import { finding, inPeriods, sayOrder, shown } from './finding.ts';
import { countOccurrences, type InvoiceRow } from './occurrence.ts';

export const paidStateConflict: Check = {
  code: 'paid-state-conflict',
  severity: 'warning',
  needs: 'invoices',
  title: 'The orders of a paid invoice are paid to the merchant, and those of an unpaid one are not.',
  async find({ db, periods }) {
    const conflicts = await sql<InvoiceRow & { period: string; reference: string; state: string; status: string }>`
      select i.number, i.period, i.status, o.position, o.order_id, o.reference_id as reference, o.payment_state as state
      from invoice i join invoice_order o on o.invoice_number = i.number
      where ${inPeriods(periods)} and (
        (i.status = 'PAID' and o.payment_state <> 'PAID_TO_MERCHANT')
        or (i.status <> 'PAID' and o.payment_state = 'PAID_TO_MERCHANT')
      )
      order by i.number, o.position`.execute(db);
    return countOccurrences(conflicts.rows).map(({ row, occurrence }) =>
      finding({
        period: row.period,
        invoice_number: row.number,
        order_id: row.order_id,
        reference_id: row.reference,
        field: 'payment_state',
        occurrence,
        message: `Invoice ${row.number} is ${shown(row.status)} but its ${sayOrder(row.order_id, row.reference)} is ${shown(row.state)}: look whether the money came in, then ask the delivery company to correct the one that is wrong.`,
      }),
    );
  },
};
