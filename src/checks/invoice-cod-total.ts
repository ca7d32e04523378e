import type { Check } from './check.ts';
import { findHeaderTotals } from './header-total.ts';

export const invoiceCodTotal: Check = {
  code: 'invoice-cod-total',
  severity: 'error',
  needs: 'invoices',
  title: 'The COD in an invoice’s header is the sum of its rows.',
  find: (context) => findHeaderTotals(context, 'cod'),
};
