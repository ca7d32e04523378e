import type { Check } from './check.ts';
import { counts, finding } from './finding.ts';

export const invoiceOrderCount: Check = {
  code: 'invoice-order-count',
  severity: 'error',
  needs: 'invoices',
  title: 'The month’s list counts as many orders on an invoice as the invoice holds.',
  async find({ db, periods }) {
    const off = await db
      .selectFrom('invoice')
      .select(['number', 'period', 'row_count', 'list_order_count'])
      .where('period', 'in', [...periods])
      .where('vanished_at', 'is', null)
      .whereRef('list_order_count', '<>', 'row_count')
      .orderBy('number')
      .execute();
    return off.map(({ number, period, row_count, list_order_count }) => {
      const listed = list_order_count ?? 0;
      return finding({
        period,
        invoice_number: number,
        field: 'order_count',
        ...counts(row_count, listed),
        message: `The list counts ${listed} orders on invoice ${number} but the invoice holds ${row_count}: ask the delivery company which orders were added or left out.`,
      });
    });
  },
};
