import { notFound, ServiceError } from '../http/errors.ts';
import { presentInvoiceDetail, presentInvoiceListItem } from '../present/invoice.ts';
import type { InvoiceRow } from '../store/rows.ts';
import { type Handlers, idOf } from './handler.ts';

export const invoiceHandlers = {
  invoices: ({ store, merchant, query }) => {
    const [from, until] = issuedWithin(query.year, query.month);
    const which = 'from invoice where merchant_id = ? and hidden = 0 and issued_at >= ? and issued_at < ?';
    return {
      count: store.get<{ n: number }>(`select count(*) as n ${which}`, merchant, from, until)?.n ?? 0,
      slice: (limit, offset) =>
        store
          .all<InvoiceRow>(
            `select * ${which} order by issued_at desc, number desc limit ? offset ?`,
            merchant,
            from,
            until,
            limit,
            offset,
          )
          .map((row) => presentInvoiceListItem(store, row)),
    };
  },
  invoice: (call) => {
    const row = call.store.get<InvoiceRow>(
      'select * from invoice where number = ? and merchant_id = ? and hidden = 0',
      idOf(call, 'invoice_number', 'Invoice'),
      call.merchant,
    );
    if (!row) throw notFound('Invoice');
    return presentInvoiceDetail(call.store, row);
  },
} satisfies Pick<Handlers, 'invoices' | 'invoice'>;

/** The first moment of a year or month, and the first after it; texts, because `issued_at` sorts as text. */
function issuedWithin(year: number | undefined, month: number | undefined): [from: string, until: string] {
  if (year === undefined) {
    if (month !== undefined) throw new ServiceError(400, 'month: A month is combined with a year.');
    return ['', '~'];
  }
  const day = (y: number, m: number) => `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-01`;
  if (month === undefined) return [day(year, 1), year === 9999 ? '~' : day(year + 1, 1)];
  return [day(year, month), month === 12 ? issuedWithin(year, undefined)[1] : day(year, month + 1)];
}
