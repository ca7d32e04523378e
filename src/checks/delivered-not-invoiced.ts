import { subHours } from 'date-fns/subHours';
import { sql } from 'kysely';
import { unitsText } from '../ledger/index.ts';
import { amountOfUnits } from '../money/index.ts';
import type { Check } from './check.ts';
import { finding, say, sayList, sayOrder } from './finding.ts';
import { groupBy } from './lists.ts';

export const deliveredNotInvoiced: Check = {
  code: 'delivered-not-invoiced',
  severity: 'error',
  needs: 'order-book',
  title: 'A delivered order stands on an invoice within the agreed days.',
  async find({ db, periods, settings, now }) {
    const latest = subHours(now, settings.invoiceLagDays * 24).toISOString();
    const lines = await sql<
      Record<'order_id' | 'reference' | 'delivered', string> & Record<'currency' | 'cod', string | null>
    >`
      select b.order_id, b.reference_id as reference, b.first_delivered_at as delivered, a.currency, ${unitsText('a.cod')} as cod
      from courier_order b left join courier_order_amount a on a.order_id = b.order_id and a.cod <> 0
      where b.merchant_invoice is null and b.vanished_at is null and b.delivery_state = 'DELIVERED'
        and b.first_delivered_at < ${latest} and substr(b.first_delivered_at, 1, 7) in (${sql.join([...periods])})
        and not exists (
          select 1 from invoice_order o join invoice i on i.number = o.invoice_number
          where o.order_id = b.order_id and i.vanished_at is null
        )
      order by b.first_delivered_at, b.order_id, a.currency`.execute(db);
    return [...groupBy(lines.rows, ({ order_id }) => order_id)].map(([order_id, amounts]) => {
      const { reference, delivered } = amounts[0]!;
      const cods = amounts.flatMap(({ currency, cod }) =>
        currency === null || cod === null ? [] : say(amountOfUnits(cod), currency),
      );
      return finding({
        period: delivered.slice(0, 7),
        order_id,
        reference_id: reference,
        field: 'merchant_invoice',
        message: `No invoice lists ${sayOrder(order_id, reference)}, delivered on ${delivered.slice(0, 10)} with a COD of ${sayList(cods, 20) || '0.00'}, though more than ${settings.invoiceLagDays} days have passed: ask the delivery company to put it on the next invoice.`,
      });
    });
  },
};
