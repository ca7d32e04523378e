import { at, DAY } from './days.ts';
import { isPlain, type Plant } from './garden.ts';
import { type Invoice, NIGHTS, type Order, PAYER } from './model.ts';
import { Purse, plain } from './money.ts';
import { UNPRICED } from './prices.ts';

/** Paid so early that the night before the last shows it. */
const wasPaid = ({ paid }: Invoice) => paid !== null && paid < at(NIGHTS[1]!) - 3 * DAY;
const any = () => true;
const worth = ({ cod, fee }: Order) => cod.of('USD') - fee.of('USD');

/** What is wrong with an order, on its invoice, in its record or in the own book. */
export const ON_ORDERS: readonly Plant[] = [
  [
    2,
    (g) => {
      const order = g.order();
      order.invoice!.orders.push(order);
      g.expect('order-repeated', order.id, 'USD', worth(order));
    },
  ],
  [
    3,
    (g) => {
      const order = g.order((one) => isPlain(one) && one.invoice!.issued < at('2026-10-01'));
      const beside = g.order((one) => isPlain(one) && one.invoice!.issued > order.invoice!.issued + 10 * DAY);
      beside.invoice!.orders.push(order);
      g.expect('order-on-two-invoices', order.id, 'USD', worth(order));
    },
  ],
  [
    2,
    (g) => {
      const order = g.order((one) => isPlain(one) && wasPaid(one.invoice!));
      order.rowPayment = 'PENDING_PAYMENT_TO_MERCHANT';
      g.expect('paid-state-conflict', order.id);
    },
  ],
  [
    3,
    (g) => {
      const order = g.order(
        ({ outcome, asked, invoice }) => outcome === 'returned' && asked.of('USD') > 0n && invoice !== null,
      );
      const cod = Purse.of([['USD', order.asked.of('USD')]]);
      order.cod = cod;
      g.expect('cod-without-delivery', order.id, 'USD', cod.of('USD'));
    },
  ],
  [
    3,
    (g) => {
      const order = g.order(({ outcome }) => outcome === 'cancelled');
      const beside = g.order((one) => isPlain(one) && one.invoice!.issued > order.ended);
      order.fee = Purse.of([['USD', g.some()]]);
      beside.invoice!.orders.push(order);
      order.invoice = beside.invoice;
      g.expect('fee-on-cancelled', order.id, 'USD', -order.fee.of('USD'));
    },
  ],
  [
    3,
    (g) => {
      const order = g.order();
      const [dollars, pounds] = [BigInt(g.dice.whole(30, 90)) * 100n, BigInt(g.dice.whole(95_000, 120_000))];
      order.asked = Purse.of([['LBP', dollars * pounds]]);
      order.cod = order.asked.copy();
      order.own!.cod = Purse.of([['USD', dollars]]);
      g.expect('implied-rate', order.id);
      g.expect('book-cod-differs', order.id, 'USD', -dollars);
      g.expect('book-cod-differs', order.id, 'LBP', dollars * pounds);
    },
  ],
  [
    5,
    (g) => {
      const [order, less] = [g.order(), g.some()];
      order.rowCod = order.cod.copy().add('USD', -less);
      g.expect('order-amount-differs', order.id, 'USD', -less);
    },
  ],
  [
    4,
    (g) => {
      const [order, more] = [g.order(), g.some()];
      order.rowFee = order.fee.copy().add('USD', more);
      g.expect('order-amount-differs', order.id, 'USD', -more);
    },
  ],
  [
    3,
    (g) => {
      const [order, other] = [g.order(), g.invoice(any)];
      order.link = other.number;
      g.expect('order-invoice-link', order.id);
    },
  ],
  [
    3,
    (g) => {
      const order = g.added(g.order(), { isUnknown: true, own: null });
      g.expect('order-unknown', order.id, 'USD', worth(order));
    },
  ],
  [
    4,
    (g) => {
      const order = g.order();
      const { orders } = order.invoice!;
      orders.splice(orders.indexOf(order), 1);
      order.invoice = null;
      g.expect('delivered-not-invoiced', order.id, 'USD', -worth(order));
    },
  ],
  [
    2,
    (g) => {
      const order = g.order((one) => isPlain(one) && wasPaid(one.invoice!));
      order.later = { night: 2, payment: 'PAID_BY_DRIVER' };
      g.expect('state-regressed', order.id);
    },
  ],
  [
    2,
    (g) => {
      const { reference } = g.added(g.order(), { own: null, reference: g.order().reference });
      g.expect('duplicate-reference', reference);
    },
  ],
  [
    3,
    (g) => {
      const order = g.order((one) => isPlain(one) && one.ended < at(NIGHTS[1]!) - 5 * DAY);
      const less = g.some();
      order.later = { night: 2, cod: order.cod.copy().add('USD', -less) };
      g.expect('order-restated', order.id, 'USD', -less);
      g.expect('order-amount-differs', order.id, 'USD', less);
    },
  ],
  [
    1,
    (g) => {
      const order = g.order(({ outcome, invoice }) => outcome === 'cancelled' && invoice === null);
      order.later = { night: 2, gone: true };
      g.expect('order-vanished', order.id);
    },
  ],
  [
    6,
    (g) => {
      const [order, more] = [g.order(), g.some()];
      order.own!.cod = order.cod.copy().add('USD', more);
      g.expect('book-cod-differs', order.id, 'USD', -more);
    },
  ],
  [
    4,
    (g) => {
      const order = g.order();
      order.own = null;
      g.expect('not-in-books', order.id, 'USD');
    },
  ],
  [
    3,
    (g) => {
      const reference = `LOST-${g.neverSent.length + 1}`;
      g.neverSent.push({ reference, day: `2026-09-${g.dice.whole(10, 28)}`, cents: g.some() });
      g.expect('not-at-courier', reference);
    },
  ],
  [
    3,
    (g) => {
      const cents = BigInt(g.lines.length + 1);
      const date = `2026-09-${g.dice.whole(10, 28)}`;
      g.lines.push({ date, currency: 'USD', cents, text: `${PAYER} correction`, invoice: '', inCash: false });
      g.expect('receipt-unmatched', plain(cents), 'USD');
    },
  ],
  [
    5,
    (g) => {
      const [order, more] = [g.order(), g.some()];
      order.fee = order.fee.copy().add('USD', more);
      g.expect('fee-off-tariff', order.id, 'USD', -more);
    },
  ],
  [
    2,
    (g) => {
      const order = g.order();
      order.district = UNPRICED;
      g.expect('fee-no-tariff', order.id, 'USD');
    },
  ],
];
