import { addInvoice, addOrder, pay } from '../beginning.ts';
import { daysAfter, monthAfter, monthOf } from '../clock.ts';
import { clone } from '../documents.ts';
import { listIn } from '../state.ts';
import { addUp, agree, moved } from '../sums.ts';
import { anInvoice, aShift, currenciesOf, listed, type Mutation, type Scene } from './mutation.ts';

const monthHolding = ({ state }: Scene, number: number): string =>
  [...state.months].find(([, held]) => held.has(number))?.[0] as string;

/** Documents as a whole: new, paid, gone, back, elsewhere; the header's own arithmetic. */
export const invoiceMutations: Record<string, Mutation> = {
  'new-invoice': ({ state, dice, now }) => {
    const issued = daysAfter(now, -dice.int(1, 20) / 10);
    const count = dice.int(1, 4);
    const orders = Array.from({ length: count }, () => addOrder(state, dice, daysAfter(issued, -dice.int(1, 6))));
    addInvoice(state, dice, orders, issued);
    return true;
  },
  'new-empty-invoice': ({ state, dice, now }) => {
    addInvoice(state, dice, [], daysAfter(now, -0.3));
    return true;
  },
  pay: (scene) => {
    const invoice = anInvoice(scene, ({ detail }) => detail.status !== 'PAID');
    if (invoice) pay(scene.state, invoice);
    return invoice !== undefined;
  },
  'invoice-vanished': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    for (const held of scene.state.months.values()) held.delete(invoice.detail.number);
    return true;
  },
  'invoice-back': ({ state, dice }) => {
    const live = new Set(listed(state));
    const gone = [...state.invoices.values()].filter((invoice) => !live.has(invoice));
    if (gone.length === 0) return false;
    const { detail } = dice.pick(gone);
    listIn(state, monthOf(detail.issued_at), detail.number);
    return true;
  },
  'listed-in-two-months': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    const month = monthHolding(scene, invoice.detail.number);
    const other = monthAfter(month, scene.dice.pick([-1, 1]));
    listIn(
      scene.state,
      other > monthOf(scene.now.toISOString()) ? monthAfter(month, -1) : other,
      invoice.detail.number,
    );
    return true;
  },
  'listed-in-another-month': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    const month = monthHolding(scene, invoice.detail.number);
    scene.state.months.get(month)?.delete(invoice.detail.number);
    listIn(scene.state, monthAfter(month, -1), invoice.detail.number);
    return true;
  },
  'restated-header': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    const { detail } = invoice;
    const currency = scene.dice.pick(['USD', ...currenciesOf(detail.cod)]);
    const field = scene.dice.pick(['cod', 'delivery_fee', 'net_due_to_merchant'] as const);
    detail[field] = moved(detail[field], currency, aShift(scene.dice, currency));
    if (scene.dice.chance(0.7)) agree(invoice);
    return true;
  },
  'cod-total-and-net': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    const { detail } = invoice;
    const by = aShift(scene.dice, 'USD');
    detail.cod = moved(detail.cod, 'USD', by);
    detail.net_due_to_merchant = moved(detail.net_due_to_merchant, 'USD', by);
    agree(invoice);
    return true;
  },
  'currency-only-in-header': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    invoice.detail.cod = moved(invoice.detail.cod, 'AED', 70_000n);
    agree(invoice);
    return true;
  },
  'put-right': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    invoice.detailFault = undefined;
    invoice.rowFault = undefined;
    addUp(invoice);
    return true;
  },
  // Two such changes of one invoice put it back as it was at the first.
  'put-back': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    const { kept } = scene.state;
    const earlier = kept.get(invoice.detail.number);
    if (!earlier) kept.set(invoice.detail.number, clone(invoice.detail));
    else {
      invoice.detail = clone(earlier);
      agree(invoice);
    }
    return true;
  },
  'list-not-detail': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    const { row } = invoice;
    const currency = scene.dice.pick(['USD', ...currenciesOf(row.cod)]);
    const field = scene.dice.pick(['cod', 'delivery_fee', 'net_due_to_merchant'] as const);
    row[field] = moved(row[field], currency, aShift(scene.dice, currency));
    return true;
  },
  'list-not-detail-date': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    invoice.row.issued_at = invoice.row.issued_at.replace(/T\d\d:/, (hour) => (hour === 'T11:' ? 'T12:' : 'T11:'));
    return true;
  },
  'list-not-detail-status': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    invoice.row.status = invoice.row.status === 'PAID' ? 'PENDING_PAYMENT' : 'PAID';
    return true;
  },
  'order-count': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    invoice.row.order_count += scene.dice.pick([-1, 1, 2]);
    return invoice.row.order_count >= 0;
  },
  'status-unknown': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    invoice.detail.status = 'ON_HOLD';
    invoice.row.status = 'ON_HOLD';
    return true;
  },
  'sum-beyond-range': (scene) => {
    const invoice = anInvoice(scene, ({ detail }) => detail.orders.length > 1);
    if (!invoice) return false;
    for (const row of invoice.detail.orders.slice(0, 2)) row.cod = moved(row.cod, 'LBP', 6_000_000_000_000_000_000n);
    invoice.detail.cod = moved(invoice.detail.cod, 'LBP', 6_000_000_000_000_000_000n);
    invoice.detail.net_due_to_merchant = moved(invoice.detail.net_due_to_merchant, 'LBP', 6_000_000_000_000_000_000n);
    agree(invoice);
    return true;
  },
};
