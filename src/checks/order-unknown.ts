import { sql } from 'kysely';
import type { Check } from './check.ts';
import { finding, inPeriods, sayOrder } from './finding.ts';

export const orderUnknown: Check = {
  code: 'order-unknown',
  severity: 'error',
  needs: 'readable-order-book',
  title: 'Every order on an invoice is in the order book.',
  async find({ db, periods }) {
    const unknown = await sql<{ number: number; period: string; order_id: string; reference: string }>`
      select i.number, i.period, o.order_id, min(o.reference_id) as reference
      from invoice i join invoice_order o on o.invoice_number = i.number
      where ${inPeriods(periods)}
        and not exists (select 1 from courier_order b where b.order_id = o.order_id and b.vanished_at is null)
      group by i.number, i.period, o.order_id
      order by i.number, o.order_id`.execute(db);
    return unknown.rows.map(({ number, period, order_id, reference }) =>
      finding({
        period,
        invoice_number: number,
        order_id,
        reference_id: reference,
        message: `Invoice ${number} lists ${sayOrder(order_id, reference)}, which is not in the order book: run \`remit sync --orders\`, and if it is still not there ask the delivery company whose order it is.`,
      }),
    );
  },
};
