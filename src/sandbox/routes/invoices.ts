import { notFound, ServiceError } from '../http/errors.ts';
import type { Listing } from '../http/paging.ts';
import { readyInvoice, readyInvoices } from '../present/bodies.ts';
import type { Store } from '../store/store.ts';
import { type Handlers, idOf } from './handler.ts';

export const invoiceHandlers = {
  invoices: ({ store, merchant, query }) => listInvoices(store, merchant, query),
  invoice: (call) => {
    const invoice = readyInvoice(call.store, call.merchant, idOf(call, 'invoice_number', 'Invoice'));
    if (!invoice) throw notFound('Invoice');
    return invoice;
  },
} satisfies Pick<Handlers, 'invoices' | 'invoice'>;

/** The invoices of a year, of a month or of all time; a month's list may be made to lie (see store/schema.ts). */
function listInvoices(store: Store, merchant: number, { year, month }: { year?: number; month?: number }): Listing {
  const [from, until] = issuedWithin(year, month);
  const listed = month === undefined ? '' : `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
  const which = 'merchant_id = ? and hidden = 0 and (issued_at >= ? and issued_at < ? or also_listed_in = ?)';
  const held =
    store.get<{ n: number }>(`select count(*) as n from invoice where ${which}`, merchant, from, until, listed)?.n ?? 0;
  const lie = store.get<{ surplus: number }>(
    'select surplus from listing_lie where merchant_id = ? and month = ?',
    merchant,
    listed,
  );
  return {
    count: held + (lie?.surplus ?? 0),
    slice: (limit, offset) => readyInvoices(store, which, [merchant, from, until, listed], limit, offset),
  };
}

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
