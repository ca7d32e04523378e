import type { Check } from './check.ts';
import { findHeaderTotals } from './header-total.ts';

export const invoiceFeeTotal: Check = {
  code: 'invoice-fee-total',
  severity: 'error',
  needs: 'invoices',
  title: 'The delivery fee in an invoice’s header is the sum of its rows.',
  find: (context) => findHeaderTotals(context, 'delivery_fee'),
};
