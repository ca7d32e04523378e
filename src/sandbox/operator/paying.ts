import type { Store } from '../store/store.ts';
import { setPaymentState } from './invoicing.ts';
import { OperatorError } from './move-order.ts';

/**
 * Pays an invoice: it becomes PAID, and each of its orders PAID_TO_MERCHANT.
 *
 * @param at when it is paid, as `timestamp()` writes it
 * @throws OperatorError when there is no such invoice, or it is already paid
 */
export function payInvoice(
  store: Store,
  number: number,
  at: string,
): { number: number; status: 'PAID'; paid_at: string } {
  return store.write(() => {
    const invoice = store.get<{ status: string; paid_at: string | null; issued_at: string }>(
      'select status, paid_at, issued_at from invoice where number = ?',
      number,
    );
    if (!invoice) {
      throw new OperatorError(
        'not-found',
        `there is no invoice ${number}`,
        'Check the number: it is the one the API lists.',
      );
    }
    if (invoice.status === 'PAID') {
      throw new OperatorError(
        'refused',
        `invoice ${number} was paid already${invoice.paid_at ? `, at ${invoice.paid_at}` : ''}`,
        'An invoice is paid once; nothing was changed.',
      );
    }
    // An invoice of a world that is ahead of the clock is paid when it is issued, not before.
    const paidAt = at > invoice.issued_at ? at : invoice.issued_at;
    store.run(`update invoice set status = 'PAID', paid_at = ? where number = ?`, paidAt, number);
    setPaymentState(store, number, 'PAID_TO_MERCHANT', paidAt);
    return { number, status: 'PAID', paid_at: paidAt };
  });
}
