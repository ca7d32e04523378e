import type { InvoiceDetail, InvoiceListItem, InvoiceOrder } from '../../api/wire.ts';
import { groupBy } from '../../base/group.ts';
import { MONEY_FIELDS, type MoneyField, ORDER_MONEY_FIELDS, type OrderMoneyField } from '../../money/fields.ts';
import { notFound, ServiceError } from '../http/errors.ts';
import type { PagedList } from '../http/shapes.ts';
import type { InvoiceRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { type Handlers, idOf, type MoneyRow, moneyFields, pagedRows, unitsTexts } from './handler.ts';

export const invoiceHandlers = {
  invoices: ({ store, merchant, query }) => listInvoices(store, merchant, query),
  invoice: (call) => {
    const sql = 'select * from invoice where number = ? and merchant_id = ? and hidden = 0';
    const row = call.store.get<InvoiceRow>(sql, idOf(call, 'invoice_number', 'Invoice'), call.merchant);
    if (!row) throw notFound('Invoice');
    return presentInvoiceDetail(call.store, row);
  },
} satisfies Pick<Handlers, 'invoices' | 'invoice'>;

/**
 * The invoices of a year, of a month or of all time. Planted mismatches: a `hidden` invoice is not shown, a further
 * month lists one too (`also_listed_in`), and a `listing_lie` makes a month's count too high.
 */
function listInvoices(store: Store, merchant: number, { year, month }: { year?: number; month?: number }): PagedList {
  const [from, until] = issuedWithin(year, month);
  // Empty without a month: no invoice is also listed then, and no lie is told.
  const listMonth = month === undefined ? '' : `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
  const condition = 'merchant_id = ? and hidden = 0 and (issued_at >= ? and issued_at < ? or also_listed_in = ?)';
  const params = [merchant, from, until, listMonth];
  const present = (row: InvoiceRow) => presentInvoiceListItem(store, row);
  const list = pagedRows(store, `invoice where ${condition}`, params, 'issued_at desc, number desc', present);
  const surplus = 'select surplus from listing_lie where merchant_id = ? and month = ?';
  const lie = store.get<{ surplus: number }>(surplus, merchant, listMonth);
  return { ...list, count: list.count + (lie?.surplus ?? 0) };
}

/** The first moment of a year or month and the first after it, as text like `issued_at`; `~` is after all of them. */
function issuedWithin(year: number | undefined, month: number | undefined): [from: string, until: string] {
  if (year === undefined) {
    if (month !== undefined) throw new ServiceError(400, 'month: A month is combined with a year.');
    return ['', '~'];
  }
  const day = (y: number, m: number) => `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-01`;
  // As text the year 10000 would come before 9999.
  if (month === undefined) return [day(year, 1), year === 9999 ? '~' : day(year + 1, 1)];
  return [day(year, month), month === 12 ? issuedWithin(year, undefined)[1] : day(year, month + 1)];
}

/** A line of the invoice list (spec, 'Invoice'): the figures of the detail, unless others were planted for the list. */
export function presentInvoiceListItem(store: Store, row: InvoiceRow): InvoiceListItem {
  const planted = readHeader(store, row.number, 'list');
  const status = row.list_status ?? row.status;
  return {
    number: row.number,
    status,
    status_display: row.list_status_display ?? displayStatus(status),
    issued_at: row.list_issued_at ?? row.issued_at,
    order_count: row.list_order_count ?? store.count('invoice_row where invoice_number = ?', row.number),
    ...moneyFields(MONEY_FIELDS, planted.length > 0 ? planted : readHeader(store, row.number, 'detail')),
  };
}

/** An invoice with its orders (spec, 'Invoice'). */
export function presentInvoiceDetail(store: Store, row: InvoiceRow): InvoiceDetail {
  const detail: InvoiceDetail = {
    number: row.number,
    status: row.status,
    issued_at: row.issued_at,
    ...moneyFields(MONEY_FIELDS, readHeader(store, row.number, 'detail')),
    orders: readOrders(store, row.number),
  };
  if (row.malformed === 1) spoil(detail);
  return detail;
}

/** Makes an invoice unreadable: writes the currency into its amounts. */
export function spoil(detail: InvoiceDetail): void {
  for (const pair of detail.net_due_to_merchant) pair[1] = `${pair[1]} ${pair[0]}`;
}

function readHeader(store: Store, number: number, view: 'detail' | 'list'): MoneyRow<MoneyField>[] {
  return store.all(
    `select currency, ${unitsTexts(MONEY_FIELDS)}
     from invoice_money where invoice_number = ? and view = ? order by position`,
    [number, view],
  );
}

/** `PENDING_PAYMENT` → `Pending payment`. */
function displayStatus(status: string): string {
  const words = status.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The orders of an invoice: their present states, unless others were planted, and their money as billed. */
function readOrders(store: Store, number: number): InvoiceOrder[] {
  const rows = store.all<Omit<InvoiceOrder, OrderMoneyField> & { position: number }>(
    `select r.position, r.order_id,
       coalesce(r.stated_reference_id, o.reference_id) as reference_id,
       coalesce(r.stated_workflow, o.workflow) as workflow,
       coalesce(r.stated_delivery_state, o.delivery_state) as delivery_state,
       coalesce(r.stated_payment_state, o.payment_state) as payment_state
     from invoice_row r join delivery_order o on o.order_id = r.order_id
     where r.invoice_number = ? order by r.position`,
    number,
  );
  const money = store.all<{ row: number } & MoneyRow<OrderMoneyField>>(
    `select row_position as row, currency, ${unitsTexts(ORDER_MONEY_FIELDS)}
     from invoice_row_money where invoice_number = ? order by row_position, position`,
    number,
  );
  const moneyByRow = groupBy(money, ({ row }) => row);
  return rows.map(({ position, ...order }) => {
    return { ...order, ...moneyFields(ORDER_MONEY_FIELDS, moneyByRow.get(position) ?? []) };
  });
}
