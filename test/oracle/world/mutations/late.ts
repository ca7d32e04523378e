import { addInvoice, addOrder, pay } from '../beginning.ts';
import { daysAfter } from '../clock.ts';
import { anInvoice, type Mutation } from './mutation.ts';

/** What comes after a close: in worlds with an accountant, and nowhere else. */
export const lateMutations: Record<string, Mutation> = {
  'late-invoice': ({ state, dice, now }) => {
    const issued = daysAfter(now, -dice.int(20, 80));
    const invoice = addInvoice(state, dice, [addOrder(state, dice, daysAfter(issued, -dice.int(1, 6)))], issued);
    if (dice.chance(0.3)) pay(state, invoice);
    return true;
  },
  'late-pay': (scene) => {
    const invoice = anInvoice(scene, ({ detail }) => detail.status !== 'PAID');
    if (invoice) pay(scene.state, invoice);
    return invoice !== undefined;
  },
  'late-unpaid': (scene) => {
    const invoice = anInvoice(scene, ({ detail }) => detail.status === 'PAID');
    if (!invoice) return false;
    invoice.detail.status = 'PENDING_PAYMENT';
    invoice.row.status = 'PENDING_PAYMENT';
    invoice.row.status_display = 'Pending payment';
    return true;
  },
};
