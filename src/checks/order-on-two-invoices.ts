import { sql } from 'kysely';
import type { Check } from './check.ts';
import { counts, finding, inPeriods, sayList, sayOrder, sentence } from './finding.ts';
import { groupBy } from './lists.ts';

export const orderOnTwoInvoices: Check = {
  code: 'order-on-two-invoices',
  severity: 'error',
  needs: 'invoices',
  title: 'No order stands on more than one invoice, whatever their months.',
  async find({ db, periods }) {
    // One line for each invoice of an order that has several, one of which is of these months.
    const billed = await sql<{ order_id: string; reference: string; number: number; period: string }>`
      select all_of.order_id, min(all_of.reference_id) as reference, j.number, j.period
      from (
        select distinct o.order_id
        from invoice i join invoice_order o on o.invoice_number = i.number
        where ${inPeriods(periods)} and exists (
          select 1 from invoice_order other join invoice j on j.number = other.invoice_number
          where other.order_id = o.order_id and other.invoice_number <> o.invoice_number and j.vanished_at is null
        )
      ) twice
      join invoice_order all_of on all_of.order_id = twice.order_id
      join invoice j on j.number = all_of.invoice_number and j.vanished_at is null
      group by all_of.order_id, j.number, j.period
      order by all_of.order_id, j.period, j.number`.execute(db);
    return [...groupBy(billed.rows, ({ order_id }) => order_id)].map(([order_id, invoices]) => {
      const { period, reference } = invoices.at(-1)!;
      return finding({
        period,
        order_id,
        reference_id: reference,
        ...counts(1, invoices.length),
        message: sentence(
          `${sayOrder(order_id, reference)} stands on ${invoices.length} invoices where 1 is right, ${sayList(invoices.map(({ number }) => number))}: ask the delivery company which one holds, and to take the order off the others.`,
        ),
      });
    });
  },
};
