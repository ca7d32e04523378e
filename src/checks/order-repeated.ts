import { sql } from 'kysely';
import type { Check } from './check.ts';
import { counts, finding, inPeriods, sayOrder } from './finding.ts';

export const orderRepeated: Check = {
  code: 'order-repeated',
  severity: 'error',
  needs: 'invoices',
  title: 'No order stands more than once on one invoice.',
  async find({ db, periods }) {
    const repeated = await sql<{ number: number; period: string; order_id: string; reference: string; times: number }>`
      select i.number, i.period, o.order_id, min(o.reference_id) as reference, count(*) + 1 as times
      from invoice i join invoice_order o on o.invoice_number = i.number
      where ${inPeriods(periods)} and exists (
        select 1 from invoice_order earlier
        where earlier.order_id = o.order_id and earlier.invoice_number = o.invoice_number and earlier.position < o.position
      )
      group by i.number, i.period, o.order_id
      order by i.number, o.order_id`.execute(db);
    return repeated.rows.map(({ number, period, order_id, reference, times }) =>
      finding({
        period,
        invoice_number: number,
        order_id,
        reference_id: reference,
        ...counts(1, times),
        message: `Invoice ${number} lists ${sayOrder(order_id, reference)} ${times} times where 1 is right: ask the delivery company to take the surplus rows off, because each one is billed.`,
      }),
    );
  },
};
