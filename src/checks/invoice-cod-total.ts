import type { Check } from './check.ts';
import { lookAtHeaders } from './headers.ts';

export const invoiceCodTotal: Check = {
  code: 'invoice-cod-total',
  severity: 'error',
  requires: [],
  title: 'The COD in an invoice’s header is the sum of its rows.',
  claim: "The COD in the invoice's header is not the sum of its rows.",
  find: (context) => lookAtHeaders(context, 'cod'),
};
