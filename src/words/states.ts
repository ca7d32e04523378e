import type { DELIVERY_STATES, INVOICE_STATUSES, PAYMENT_STATES } from '../base/states.ts';

/** A status of the courier's that its documentation names. */
export type State =
  | (typeof DELIVERY_STATES)[number]
  | (typeof PAYMENT_STATES)[number]
  | (typeof INVOICE_STATUSES)[number];
