import { at, DAY, dayText } from './days.ts';
import { isPlain, type Plant } from './garden.ts';
import { headerOf } from './invoice-figures.ts';
import { type Invoice, NIGHTS, PAYER } from './model.ts';
import { Purse, plain } from './money.ts';

/** Paid so early that the night before the last shows it. */
const wasPaid = ({ paid }: Invoice) => paid !== null && paid < at(NIGHTS[1]!) - 3 * DAY;
const isUnpaid = ({ paid, issued }: Invoice) => paid === null && issued < at(NIGHTS[1]!);
const any = () => true;

/** What is wrong with an invoice or its payment. */
export const ON_INVOICES: readonly Plant[] = [
  // Few invoices are unpaid: these choose first.
  [
    1,
    (g) => {
      const invoice = g.invoice(isUnpaid);
      invoice.status = 'ON_HOLD';
      g.expect('status-unknown', invoice.number);
    },
  ],
  [
    2,
    (g) => {
      const invoice = g.invoice(isUnpaid);
      invoice.isVanished = true;
      for (const [currency, cents] of headerOf(invoice, false).net.entries()) {
        if (cents !== 0n) g.expect('invoice-vanished', invoice.number, currency, -cents);
      }
    },
  ],
  [
    3,
    (g) => {
      const [invoice, more] = [g.invoice(any), g.some()];
      invoice.moreCod.add('USD', more);
      g.expect('invoice-cod-total', invoice.number, 'USD', more);
    },
  ],
  [
    3,
    (g) => {
      const [invoice, more] = [g.invoice(any), g.some()];
      invoice.moreFee.add('USD', more);
      g.expect('invoice-fee-total', invoice.number, 'USD', -more);
    },
  ],
  [
    3,
    (g) => {
      const [invoice, less] = [g.invoice(any), g.some()];
      invoice.moreNet.add('USD', -less);
      g.expect('invoice-net', invoice.number, 'USD', -less);
    },
  ],
  [
    2,
    (g) => {
      const invoice = g.invoice(any);
      invoice.listCount = g.dice.one([-1, 1, 2]);
      g.expect('invoice-order-count', invoice.number);
    },
  ],
  [
    2,
    (g) => {
      const invoice = g.invoice(any);
      invoice.listNet.add('USD', g.some());
      g.expect('invoice-list-detail', invoice.number, 'USD');
    },
  ],
  [
    2,
    (g) => {
      const invoice = g.invoice(({ issued }) => dayText(issued) < '2026-10-01');
      invoice.alsoListedIn = `2026-${dayText(invoice.issued).startsWith('2026-08') ? '09' : '10'}`;
      g.expect('invoice-in-two-months', invoice.number);
    },
  ],
  [
    2,
    (g) => {
      const invoice = g.invoice(({ issued }) => dayText(issued) < '2026-10-10');
      invoice.paid = null;
      for (const [currency, cents] of headerOf(invoice, false).net.entries()) {
        if (cents > 0n) g.expect('payment-overdue', invoice.number, currency);
      }
    },
  ],
  [
    4,
    (g) => {
      const invoice = g.invoice((one) => wasPaid(one) && one.orders.some(isPlain));
      const order = invoice.orders.find(isPlain)!;
      const less = g.leftover(-1);
      invoice.restated = { order, currency: 'USD', by: -less };
      // Its COD and its net, its row against the record, and what came in against the new net.
      g.expect('invoice-restated', invoice.number, 'USD');
      g.expect('invoice-restated', invoice.number, 'USD');
      g.expect('order-amount-differs', order.id, 'USD', -less);
      g.expect('remittance-over', invoice.number, 'USD', less);
      g.unusual.set(invoice.number, { currency: 'USD', off: 0n });
    },
  ],
  [
    4,
    (g) => {
      const invoice = g.invoice(wasPaid);
      g.unusual.set(invoice.number, { currency: 'USD', off: null });
      g.expect('remittance-missing', invoice.number, 'USD', -headerOf(invoice, false).net.of('USD'));
    },
  ],
  [
    4,
    (g) => {
      const invoice = g.invoice(wasPaid);
      const less = g.leftover(1);
      g.unusual.set(invoice.number, { currency: 'USD', off: -less });
      g.expect('remittance-short', invoice.number, 'USD', -less);
    },
  ],
  [
    4,
    (g) => {
      const invoice = g.invoice(wasPaid);
      const more = g.leftover(-1);
      g.unusual.set(invoice.number, { currency: 'USD', off: more });
      g.expect('remittance-over', invoice.number, 'USD', more);
    },
  ],
  [
    2,
    (g) => {
      const first = g.invoice((one) => wasPaid(one) && one.orders.some(isPlain));
      const second = g.invoice((one) => wasPaid(one) && one.issued === first.issued && one.orders.some(isPlain));
      const [a, b] = [first, second].map((one) => headerOf(one, false).net.of('USD')) as [bigint, bigint];
      const order = (a < b ? first : second).orders.find(isPlain)!;
      const asked = Purse.of([['USD', order.cod.of('USD') + (a < b ? b - a : a - b)]]);
      order.asked = asked;
      order.cod = asked.copy();
      order.own = { reference: order.reference, cod: asked.copy() };
      const net = a < b ? b : a;
      const date = dayText(first.paid! < second.paid! ? second.paid! : first.paid!);
      g.lines.push({ date, currency: 'USD', cents: net, text: `${PAYER} COD remittance`, invoice: '', inCash: false });
      g.expect('receipt-ambiguous', plain(net), 'USD');
      for (const { number } of [first, second]) {
        g.unusual.set(number, { currency: 'USD', off: null });
        g.expect('remittance-missing', number, 'USD', -net);
      }
    },
  ],
];
