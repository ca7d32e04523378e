/** Where an order is: in the order in which the spec lists the states ('States and transitions'). */
export const DELIVERY_STATES = [
  'CREATED',
  'PICKUP_REQUESTED',
  'PICKUP_ASSIGNED',
  'SCANNED_FOR_PICKUP',
  'PICKED_UP',
  'AT_WAREHOUSE',
  'DELIVERY_ASSIGNED',
  'SCANNED_FOR_DELIVERY',
  'PICKED_UP_FOR_DELIVERY',
  'IN_TRANSIT',
  'DELIVERED',
  'AWAITING_RETURN',
  'CANCELLED',
  'DELIVERED_AT_WAREHOUSE',
] as const;

/** Where an order is that was delivered, by a driver or at the company's warehouse: its COD was collected. A RETURN order was brought back to the shop. */
export const DELIVERED_STATES: readonly string[] = ['DELIVERED', 'DELIVERED_AT_WAREHOUSE'];

/** Whether an order in a state is delivered. */
export function isDelivered(state: string): boolean {
  return DELIVERED_STATES.includes(state);
}

/** Where an order is of which nothing is collected, unless it was delivered before: cancelled, or on its way back after a delivery that broke off. */
export const NOT_COLLECTED_STATES: readonly string[] = ['CANCELLED', 'AWAITING_RETURN'];

/** Likewise: how far an order's cash has come. */
export const PAYMENT_STATES = [
  'UNPAID',
  'PENDING_PAYMENT_BY_DRIVER',
  'PAID_BY_DRIVER',
  'PENDING_PAYMENT_TO_MERCHANT',
  'PAID_TO_MERCHANT',
] as const;

/**
 * Where the COD of a delivered order is: with the driver, at the company, made ready for the merchant, paid by what the company says, and
 * received by receipts. `unknown`: its payment state is none that says where.
 */
export const CUSTODY_PLACES = ['driver', 'company', 'ready', 'paid', 'received', 'unknown'] as const;
export type CustodyPlace = (typeof CUSTODY_PLACES)[number];

/** After how many days COD is overdue where it is; a place without a number has no limit. */
export type CustodyDays = Readonly<Partial<Record<(typeof CUSTODY_LIMITS)[number], number>>>;
export const CUSTODY_LIMITS = ['driver', 'company', 'ready'] as const satisfies readonly CustodyPlace[];

/** Where a delivered order's COD is by its payment state, as far as nothing was received for it. */
export function custodyOf(paymentState: string | null): Exclude<CustodyPlace, 'received'> {
  const at = (PAYMENT_STATES as readonly (string | null)[]).indexOf(paymentState);
  return at < 1 ? 'unknown' : (['driver', 'company', 'ready', 'paid'] as const)[at - 1]!;
}

/** An invoice's status: the values that the spec has seen ('Invoice'). Any other counts as unpaid. */
export const INVOICE_STATUSES = ['PAID', 'PENDING_PAYMENT'] as const;

/**
 * What becomes of a claim on the courier, in the order of its life.
 *
 * - `claimed`: sent to the courier; `answered`: the courier has said something
 * - `mended-in-part`: its finding is open with less than was claimed; `changed`: with other figures, or again
 * - `mended`: the data no longer shows it; `settled`: a person resolved its finding; `written-off`: a person gave it up
 * - `withdrawn`: a person took it back, and its finding is to do again
 */
export const CLAIM_STATES = [
  'claimed',
  'answered',
  'mended-in-part',
  'changed',
  'mended',
  'settled',
  'written-off',
  'withdrawn',
] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

type ClaimEnd = 'mended' | 'settled' | 'written-off' | 'withdrawn';

/** Whether a claim has ended: the courier is asked for nothing more. */
export function isOver(state: ClaimState): state is ClaimEnd {
  return state === 'mended' || state === 'settled' || state === 'written-off' || state === 'withdrawn';
}
