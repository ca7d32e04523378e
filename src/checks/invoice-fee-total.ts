import type { Check } from './check.ts';
import { lookAtHeaders } from './headers.ts';

export const invoiceFeeTotal: Check = {
  code: 'invoice-fee-total',
  severity: 'error',
  requires: [],
  title: 'The delivery fee in an invoice’s header is the sum of its rows.',
  claim: "The delivery fee in the invoice's header is not the sum of its rows.",
  find: (context) => lookAtHeaders(context, 'delivery_fee'),
};
