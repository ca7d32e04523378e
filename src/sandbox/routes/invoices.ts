import { Type } from '@sinclair/typebox';
import { InvoiceDetail, InvoiceListItem } from '../../api/wire.ts';
import { notFound, ServiceError } from '../http/errors.ts';
import { presentInvoiceDetail, presentInvoiceListItem } from '../present/invoice.ts';
import type { InvoiceRow } from '../store/rows.ts';
import { idOf, operation } from './operation.ts';
import { paged } from './paged.ts';

export const invoiceOperations = [
  operation({
    id: 'invoices',
    method: 'GET',
    path: '/invoices/',
    summary: 'List the invoices, newest first',
    query: paged({
      year: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 9999, description: 'Only those issued in this year (UTC).' }),
      ),
      month: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 12, description: 'Only those of this month of `year`.' }),
      ),
    }),
    answers: 'page',
    schema: InvoiceListItem,
    handle: ({ store, merchant, query }) => {
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
  }),
  operation({
    id: 'invoice',
    method: 'GET',
    path: '/invoices/{invoice_number}/',
    summary: 'Retrieve an invoice with its orders',
    answers: 'one',
    schema: InvoiceDetail,
    handle: (call) => {
      const row = call.store.get<InvoiceRow>(
        'select * from invoice where number = ? and merchant_id = ? and hidden = 0',
        idOf(call, 'invoice_number', 'Invoice'),
        call.merchant,
      );
      if (!row) throw notFound('Invoice');
      return presentInvoiceDetail(call.store, row);
    },
  }),
];

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
