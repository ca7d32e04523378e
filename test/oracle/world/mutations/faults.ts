import { monthOf } from '../clock.ts';
import { moved } from '../sums.ts';
import { anInvoice, type Mutation } from './mutation.ts';

/** Answers that cannot be read, or do not bring what they state. */
export const faultMutations: Record<string, Mutation> = {
  'detail-unreadable': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    invoice.detailFault = scene.dice.pick(['amount', 'amount', 'amount', 'not-found', 'server-error', 'broken']);
    return true;
  },
  'restated-and-unreadable': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    for (const field of ['cod', 'net_due_to_merchant'] as const) {
      invoice.detail[field] = moved(invoice.detail[field], 'USD', 50_000n);
      invoice.row[field] = moved(invoice.row[field], 'USD', 50_000n);
    }
    invoice.detailFault = scene.dice.pick(['amount', 'not-found']);
    return true;
  },
  'row-unreadable': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    invoice.rowFault = true;
    return true;
  },
  'readable-again': ({ state, dice }) => {
    const faulty = [...state.invoices.values()].filter((invoice) => invoice.detailFault || invoice.rowFault);
    if (faulty.length === 0) return false;
    const invoice = dice.pick(faulty);
    invoice.detailFault = undefined;
    invoice.rowFault = undefined;
    return true;
  },
  'listing-incomplete': ({ state, dice }) => {
    state.countOff.set(dice.pick([...state.months.keys()]), dice.int(1, 3));
    return true;
  },
  'book-incomplete': ({ state, dice }) => {
    state.countOff.set('orders', dice.int(1, 3));
    return true;
  },
  'listing-complete-again': ({ state }) => {
    const had = state.countOff.size > 0 || state.orderFaults.size > 0;
    state.countOff.clear();
    state.orderFaults.clear();
    return had;
  },
  'amount-beyond-range': (scene) => {
    const invoice = anInvoice(scene, ({ detail }) => detail.orders.length > 0);
    if (!invoice || monthOf(invoice.detail.issued_at) === '') return false;
    const row = invoice.detail.orders[0];
    if (row) row.cod = [['LBP', '999999999999999999999.00']];
    return true;
  },
};
