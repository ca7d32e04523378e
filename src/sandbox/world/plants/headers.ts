import { MONEY_FIELDS } from '../../../money/fields.ts';
import type { Store } from '../../store/store.ts';
import type { Plant } from './plant.ts';

/** Plants on what an invoice states of itself. A total that is wrong takes the net with it, so that only the total is found. */
export const HEADER_PLANTS: readonly Plant[] = [
  {
    code: 'invoice-cod-total',
    plant(targets) {
      const invoice = targets.invoice();
      shift(targets.store, invoice, 'USD', 'cod = cod + 250000, net_due_to_merchant = net_due_to_merchant + 250000');
      return { invoice_number: invoice, currency: 'USD', effect: '25.00' };
    },
  },
  {
    code: 'invoice-fee-total',
    plant(targets) {
      const invoice = targets.invoice();
      const currency = hasPounds(targets.store, invoice) ? 'LBP' : 'USD';
      shift(
        targets.store,
        invoice,
        currency,
        'delivery_fee = delivery_fee + 500000000, net_due_to_merchant = net_due_to_merchant - 500000000',
      );
      return { invoice_number: invoice, currency, effect: '-50000.00' };
    },
  },
  {
    code: 'invoice-net',
    plant(targets) {
      const invoice = targets.invoice();
      shift(targets.store, invoice, 'USD', 'net_due_to_merchant = net_due_to_merchant - 125000');
      return { invoice_number: invoice, currency: 'USD', effect: '-12.50' };
    },
  },
  {
    code: 'invoice-order-count',
    plant(targets) {
      const invoice = targets.invoice();
      targets.store.run(
        `update invoice set list_order_count = 1 + (select count(*) from invoice_row where invoice_number = ?)
         where number = ?`,
        invoice,
        invoice,
      );
      return { invoice_number: invoice };
    },
  },
  {
    code: 'payment-overdue',
    plant(targets) {
      const invoice = targets.overdue();
      unpay(targets.store, invoice);
      return { invoice_number: invoice };
    },
  },
  {
    code: 'invoice-list-detail',
    plant(targets) {
      const invoice = targets.invoice();
      targets.store.run(
        `insert into invoice_money (invoice_number, view, position, currency, ${MONEY_FIELDS.join(', ')})
         select invoice_number, 'list', position, currency, ${MONEY_FIELDS.join(', ')}
         from invoice_money where invoice_number = ? and view = 'detail'`,
        invoice,
      );
      targets.store.run(
        `update invoice_money set delivery_fee = delivery_fee + 10000
         where invoice_number = ? and view = 'list' and currency = 'USD'`,
        invoice,
      );
      return { invoice_number: invoice, currency: 'USD' };
    },
  },
];

function shift(store: Store, invoice: number, currency: string, change: string): void {
  store.run(
    `update invoice_money set ${change} where invoice_number = ? and view = 'detail' and currency = ?`,
    invoice,
    currency,
  );
}

function hasPounds(store: Store, invoice: number): boolean {
  return store.get(`select 1 from invoice_money where invoice_number = ? and currency = 'LBP'`, invoice) !== undefined;
}

/** Takes a payment back, as if the company had never made it. */
function unpay(store: Store, invoice: number): void {
  const orders = 'order_id in (select order_id from invoice_row where invoice_number = ?)';
  store.run(`update invoice set status = 'PENDING_PAYMENT', paid_at = null where number = ?`, invoice);
  store.run(`delete from statestamp where payment_state = 'PAID_TO_MERCHANT' and ${orders}`, invoice);
  store.run(`update delivery_order set payment_state = 'PENDING_PAYMENT_TO_MERCHANT' where ${orders}`, invoice);
}
