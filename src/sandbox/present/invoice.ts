import type { InvoiceDetail, InvoiceListItem, InvoiceOrder } from '../../api/wire.ts';
import type { InvoiceMoneyRow, InvoiceOrderMoneyRow, InvoiceRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { moneyField } from './money.ts';

type HeaderMoney = Pick<InvoiceMoneyRow, 'currency' | 'cod' | 'delivery_fee' | 'net_due_to_merchant'>;

function readHeader(store: Store, number: number, view: 'detail' | 'list'): HeaderMoney[] {
  return store.all<HeaderMoney>(
    `select currency, cast(cod as text) as cod, cast(delivery_fee as text) as delivery_fee,
       cast(net_due_to_merchant as text) as net_due_to_merchant
     from invoice_money where invoice_number = ? and view = ? order by position`,
    number,
    view,
  );
}

const header = (rows: HeaderMoney[]) => ({
  cod: moneyField(rows, 'cod'),
  delivery_fee: moneyField(rows, 'delivery_fee'),
  net_due_to_merchant: moneyField(rows, 'net_due_to_merchant'),
});

/** `PENDING_PAYMENT` → `Pending payment`. */
function displayStatus(status: string): string {
  const words = status.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What the invoice list says of an invoice: the truth, but for what is planted otherwise. */
export function presentInvoiceListItem(store: Store, row: InvoiceRow): InvoiceListItem {
  const planted = readHeader(store, row.number, 'list');
  const status = row.list_status ?? row.status;
  return {
    number: row.number,
    status,
    status_display: row.list_status_display ?? displayStatus(status),
    issued_at: row.list_issued_at ?? row.issued_at,
    order_count: row.list_order_count ?? countRows(store, row.number),
    ...header(planted.length > 0 ? planted : readHeader(store, row.number, 'detail')),
  };
}

function countRows(store: Store, number: number): number {
  const counted = store.get<{ n: number }>('select count(*) as n from invoice_row where invoice_number = ?', number);
  return counted?.n ?? 0;
}

type RowOfInvoice = Omit<InvoiceOrder, 'cod' | 'delivery_fee'> & { position: number };

/** An invoice with its orders (spec, 'Invoice'). */
export function presentInvoiceDetail(store: Store, row: InvoiceRow): InvoiceDetail {
  const rows = store.all<RowOfInvoice>(
    `select r.position, r.order_id, coalesce(r.stated_reference_id, o.reference_id) as reference_id,
       coalesce(r.stated_workflow, o.workflow) as workflow,
       coalesce(r.stated_delivery_state, o.delivery_state) as delivery_state,
       coalesce(r.stated_payment_state, o.payment_state) as payment_state
     from invoice_row r join delivery_order o on o.order_id = r.order_id
     where r.invoice_number = ? order by r.position`,
    row.number,
  );
  const money = readRowMoney(store, row.number);
  const detail: InvoiceDetail = {
    number: row.number,
    status: row.status,
    issued_at: row.issued_at,
    ...header(readHeader(store, row.number, 'detail')),
    orders: rows.map(({ position, ...order }) => {
      const pairs = money.get(position) ?? [];
      return { ...order, cod: moneyField(pairs, 'cod'), delivery_fee: moneyField(pairs, 'delivery_fee') };
    }),
  };
  if (row.malformed === 1) spoil(detail);
  return detail;
}

/** Writes the currency into an amount, as a hurried change of the service might: nobody can read the invoice any more. */
export function spoil(detail: InvoiceDetail): void {
  for (const pair of detail.net_due_to_merchant) pair[1] = `${pair[1]} ${pair[0]}`;
}

type RowMoney = Pick<InvoiceOrderMoneyRow, 'row_position' | 'currency' | 'cod' | 'delivery_fee'>;

function readRowMoney(store: Store, number: number): Map<number, RowMoney[]> {
  const byRow = new Map<number, RowMoney[]>();
  const rows = store.all<RowMoney>(
    `select row_position, currency, cast(cod as text) as cod, cast(delivery_fee as text) as delivery_fee
     from invoice_row_money where invoice_number = ? order by row_position, position`,
    number,
  );
  for (const row of rows) {
    const pairs = byRow.get(row.row_position);
    if (pairs) pairs.push(row);
    else byRow.set(row.row_position, [row]);
  }
  return byRow;
}
