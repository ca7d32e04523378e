import type { InvoiceDetail, InvoiceListItem, InvoiceOrder, MoneyField } from '../../api/wire.ts';
import type { InvoiceMoneyRow, InvoiceRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { formatUnits, moneyField } from './money.ts';

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

/** A row as it is read, one column after the other: its position, then its order as the invoice states it. */
type RowOfInvoice = readonly [
  position: number,
  order_id: string,
  reference_id: string,
  workflow: string,
  delivery_state: string,
  payment_state: string,
];

/** An invoice with its orders (spec, 'Invoice'). */
export function presentInvoiceDetail(store: Store, row: InvoiceRow): InvoiceDetail {
  const rows = store.lists<RowOfInvoice>(
    `select r.position, r.order_id, coalesce(r.stated_reference_id, o.reference_id),
       coalesce(r.stated_workflow, o.workflow),
       coalesce(r.stated_delivery_state, o.delivery_state),
       coalesce(r.stated_payment_state, o.payment_state)
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
    orders: rows.map(([position, order_id, reference_id, workflow, delivery_state, payment_state]) => {
      const { cod = [], delivery_fee = [] } = money.get(position) ?? {};
      return { order_id, reference_id, workflow, delivery_state, payment_state, cod, delivery_fee };
    }),
  };
  if (row.malformed === 1) spoil(detail);
  return detail;
}

/** Writes the currency into an amount, as a hurried change of the service might: nobody can read the invoice any more. */
export function spoil(detail: InvoiceDetail): void {
  for (const pair of detail.net_due_to_merchant) pair[1] = `${pair[1]} ${pair[0]}`;
}

type RowMoney = readonly [position: number, currency: string, cod: string | null, delivery_fee: string | null];

/** The money of an invoice's rows, by their position, as it travels. */
function readRowMoney(store: Store, number: number): Map<number, Pick<InvoiceOrder, 'cod' | 'delivery_fee'>> {
  const byRow = new Map<number, { cod: MoneyField; delivery_fee: MoneyField }>();
  const rows = store.lists<RowMoney>(
    `select row_position, currency, cast(cod as text), cast(delivery_fee as text)
     from invoice_row_money where invoice_number = ? order by row_position, position`,
    number,
  );
  for (const [position, currency, cod, fee] of rows) {
    let money = byRow.get(position);
    if (!money) {
      money = { cod: [], delivery_fee: [] };
      byRow.set(position, money);
    }
    if (cod !== null) money.cod.push([currency, formatUnits(cod)]);
    if (fee !== null) money.delivery_fee.push([currency, formatUnits(fee)]);
  }
  return byRow;
}
