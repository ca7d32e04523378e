import { ORDER_MONEY_FIELDS } from '../../../money/fields.ts';
import { writeHeader } from '../../operator/invoicing.ts';
import type { Store } from '../../store/store.ts';
import type { Planted } from '../planted.ts';
import type { Plant } from './plant.ts';
import type { RowTarget, Targets } from './targets.ts';
import { inDollars, worthOfOrder } from './worth.ts';

/** Plants that add a row to an invoice; its header counts the row in, so that nothing else is wrong. They come first, because they write headers anew. */
export const EXTRA_ROW_PLANTS: readonly Plant[] = [
  {
    code: 'order-repeated',
    plant(targets) {
      const row = targets.row('delivered');
      addRow(targets.store, row, row.invoice);
      return {
        invoice_number: row.invoice,
        order_id: row.orderId,
        ...inDollars(worthOfOrder(targets.store, row.orderId)),
      };
    },
  },
  {
    code: 'order-on-two-invoices',
    plant(targets) {
      const row = targets.row('delivered');
      return onSecond(targets, row, targets.invoice(row.invoice));
    },
  },
  {
    code: 'order-on-two-invoices',
    variant: 'across months',
    plant(targets) {
      const row = targets.row('delivered');
      return onSecond(targets, row, targets.invoiceOfAnotherMonth(row.invoice));
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
      state(targets, row, wrong);
      return { invoice_number: row.invoice, order_id: row.orderId };
    },
  },
];

/** Bills a row's order once more, on another invoice. */
function onSecond(targets: Targets, row: RowTarget, second: number): Partial<Omit<Planted, 'code'>> {
  const position = addRow(targets.store, row, second);
  // Where only one of the two is paid, the row agrees with the invoice that it stands on.
  const payment = paymentOf(targets.store, second);
  if (payment !== paymentOf(targets.store, row.invoice)) {
    state(targets, { ...row, invoice: second, position }, payment);
  }
  return { order_id: row.orderId, ...inDollars(worthOfOrder(targets.store, row.orderId)) };
}

/** What the payment of every order on an invoice should be. */
function paymentOf(store: Store, invoice: number): string {
  const row = store.get<{ status: string }>('select status from invoice where number = ?', invoice);
  return row?.status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT';
}

function state({ store }: Targets, row: RowTarget, payment: string): void {
  store.run(
    'update invoice_row set stated_payment_state = ? where invoice_number = ? and position = ?',
    payment,
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
    `insert into invoice_row_money (invoice_number, row_position, position, currency, ${ORDER_MONEY_FIELDS.join(', ')})
     select ?, ?, position, currency, ${ORDER_MONEY_FIELDS.join(', ')} from invoice_row_money where invoice_number = ? and row_position = ?`,
    invoice,
    position,
    row.invoice,
    row.position,
  );
  writeHeader(store, invoice);
  return position;
}
