import { writeHeader } from '../../operator/invoicing.ts';
import type { Store } from '../../store/store.ts';
import type { Plant } from './plant.ts';
import type { RowTarget, Targets } from './targets.ts';

/** Plants that add a row to an invoice; its header counts the row in, so that nothing else is wrong. They come first, because they write headers anew. */
export const EXTRA_ROW_PLANTS: readonly Plant[] = [
  {
    code: 'order-repeated',
    plant(targets) {
      const row = targets.row('delivered');
      addRow(targets.store, row, row.invoice);
      return { invoice_number: row.invoice, order_id: row.orderId };
    },
  },
  {
    code: 'order-on-two-invoices',
    plant(targets) {
      const row = targets.row('delivered');
      const second = targets.invoice(row.invoice);
      const position = addRow(targets.store, row, second);
      // Where only one of the two is paid, the row agrees with the invoice that it stands on.
      const payment = paymentOf(targets.store, second);
      if (payment !== paymentOf(targets.store, row.invoice)) {
        state(targets, { ...row, invoice: second, position }, 'stated_payment_state', payment);
      }
      return { order_id: row.orderId };
    },
  },
];

/** Plants that make an invoice's row state something that its order is not. */
export const STATED_PLANTS: readonly Plant[] = [
  {
    code: 'paid-state-conflict',
    plant(targets) {
      const row = targets.row('delivered');
      const right = paymentOf(targets.store, row.invoice);
      const wrong = right === 'PAID_TO_MERCHANT' ? 'PAID_BY_DRIVER' : 'PAID_TO_MERCHANT';
      state(targets, row, 'stated_payment_state', wrong);
      return { invoice_number: row.invoice, order_id: row.orderId };
    },
  },
  {
    code: 'cod-without-delivery',
    plant(targets) {
      const row = targets.row('delivered');
      state(targets, row, 'stated_delivery_state', 'AWAITING_RETURN');
      return { invoice_number: row.invoice, order_id: row.orderId, currency: 'USD' };
    },
  },
  {
    code: 'fee-on-cancelled',
    plant(targets) {
      const row = targets.row('uncollected');
      state(targets, row, 'stated_delivery_state', 'CANCELLED');
      return { invoice_number: row.invoice, order_id: row.orderId, currency: 'USD' };
    },
  },
];

/** What the payment of every order on an invoice should be. */
function paymentOf(store: Store, invoice: number): string {
  const row = store.get<{ status: string }>('select status from invoice where number = ?', invoice);
  return row?.status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT';
}

function state(
  { store }: Targets,
  row: RowTarget,
  column: 'stated_delivery_state' | 'stated_payment_state',
  value: string,
): void {
  store.run(
    `update invoice_row set ${column} = ? where invoice_number = ? and position = ?`,
    value,
    row.invoice,
    row.position,
  );
}

/** Lists the row's order, with its money, once more at the end of an invoice. @returns its position there */
function addRow(store: Store, row: RowTarget, invoice: number): number {
  const last = store.get<{ n: number }>('select max(position) as n from invoice_row where invoice_number = ?', invoice);
  const position = (last?.n ?? -1) + 1;
  store.run(
    'insert into invoice_row (invoice_number, position, order_id) values (?, ?, ?)',
    invoice,
    position,
    row.orderId,
  );
  store.run(
    `insert into invoice_row_money (invoice_number, row_position, position, currency, cod, delivery_fee)
     select ?, ?, position, currency, cod, delivery_fee from invoice_row_money where invoice_number = ? and row_position = ?`,
    invoice,
    position,
    row.invoice,
    row.position,
  );
  writeHeader(store, invoice);
  return position;
}
