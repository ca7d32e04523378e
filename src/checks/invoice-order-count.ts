import { sql } from 'kysely';
import type { Check } from './check.ts';
import { counts, finding, inPeriods } from './finding.ts';
import { INVOICE_AND_LIST, listedPopulation, unseenLists } from './list-rows.ts';

export const invoiceOrderCount: Check = {
  code: 'invoice-order-count',
  severity: 'error',
  requires: [],
  title: 'The month’s list counts as many orders on an invoice as the invoice holds.',
  claim: "The month's list counts another number of orders than the invoice holds.",
  async find(context) {
    const off = await sql<{ number: number; period: string; row_count: number; listed: number }>`
      select i.number, i.period, i.row_count, l.order_count as listed
      from ${INVOICE_AND_LIST}
      where ${inPeriods(context.periods)} and l.order_count <> i.row_count
      order by i.number`.execute(context.db);
    const findings = off.rows.map(({ number, period, row_count, listed }) =>
      finding({
        period,
        invoice_number: number,
        field: 'order_count',
        ...counts(row_count, listed),
        message: `The list counts ${listed} orders on invoice ${number} but the invoice holds ${row_count}: ask the delivery company which orders were added or left out.`,
      }),
    );
    return { findings, ...(await listedPopulation(context)) };
  },
  unseen: unseenLists,
};
