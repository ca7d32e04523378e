/** Delivery states, in the order in which the spec lists them ('States and transitions'). */
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

/**
 * Delivered by a driver or at the company's warehouse: the COD was collected. Of a RETURN order it means that it was
 * brought back to the shop.
 */
export const DELIVERED_STATES: readonly string[] = ['DELIVERED', 'DELIVERED_AT_WAREHOUSE'];

export function isDelivered(state: string): boolean {
  return DELIVERED_STATES.includes(state);
}

/** Cancelled, or on its way back: nothing is collected, unless the order was delivered before. */
export const NOT_COLLECTED_STATES: readonly string[] = ['CANCELLED', 'AWAITING_RETURN'];

/** Payment states: how far an order's cash has come, in the spec's order. */
export const PAYMENT_STATES = [
  'UNPAID',
  'PENDING_PAYMENT_BY_DRIVER',
  'PAID_BY_DRIVER',
  'PENDING_PAYMENT_TO_MERCHANT',
  'PAID_TO_MERCHANT',
] as const;

/**
 * Where the COD of a delivered order is: with the driver, at the company, ready for the merchant, paid according to the
 * company, or received according to receipts. `unknown`: its payment state does not say where.
 */
export const CUSTODY_PLACES = ['driver', 'company', 'ready', 'paid', 'received', 'unknown'] as const;
export type CustodyPlace = (typeof CUSTODY_PLACES)[number];

/** The places at which COD can become overdue. */
export const PLACES_WITH_LIMIT = ['driver', 'company', 'ready'] as const satisfies readonly CustodyPlace[];
/** After how many days COD is overdue at a place; a place without a number has no limit. */
export type CustodyDays = Readonly<Partial<Record<(typeof PLACES_WITH_LIMIT)[number], number>>>;

const PLACE_BY_PAYMENT_STATE = new Map<string | null, Exclude<CustodyPlace, 'received'>>([
  ['PENDING_PAYMENT_BY_DRIVER', 'driver'],
  ['PAID_BY_DRIVER', 'company'],
  ['PENDING_PAYMENT_TO_MERCHANT', 'ready'],
  ['PAID_TO_MERCHANT', 'paid'],
]);

/** The place of a delivered order's COD by its payment state, while no receipt pays it. */
export function custodyOf(paymentState: string | null): Exclude<CustodyPlace, 'received'> {
  return PLACE_BY_PAYMENT_STATE.get(paymentState) ?? 'unknown';
}

/** An invoice's status: the values that the spec has seen ('Invoice'). Any other counts as unpaid. */
export const INVOICE_STATUSES = ['PAID', 'PENDING_PAYMENT'] as const;

/**
 * The states of a claim on the courier, in the order in which they come.
 *
 * - `claimed`: sent to the courier; `answered`: the courier has said something
 * - `mended-in-part`: its finding is open with less than was claimed; `changed`: with other figures, or it is open
 *   again
 * - `mended`: the data no longer shows it; `settled`: a person resolved its finding; `written-off`: a person gave it up
 * - `withdrawn`: a person took it back, and its finding is open again for a decision
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

// Forbidden moves. The spec lists the states in order, and only few of the moves ('States and transitions').
// A state that it does not know has no place in the order and is never judged.

/** From `CREATED` to `IN_TRANSIT`: before the customer has the order, or refused it. */
const TO_THE_DOOR = DELIVERY_STATES.slice(0, DELIVERY_STATES.indexOf('DELIVERED'));

/** From the warehouse to the customer's door, and back after a delivery that failed: an order may repeat these. */
const ATTEMPTS: readonly string[] = [...TO_THE_DOOR.slice(TO_THE_DOOR.indexOf('AT_WAREHOUSE')), 'AWAITING_RETURN'];

/** No order leaves these. */
const FINAL: readonly string[] = [...DELIVERED_STATES, 'CANCELLED'];

/** The delivery states in the order in which an order reaches them. */
const DELIVERY_SEQUENCE: readonly string[] = [...TO_THE_DOOR, 'AWAITING_RETURN', ...FINAL];

/** An order's delivery or payment state, with the moves that it may not make. */
export interface StateSequence {
  readonly field: 'delivery_state' | 'payment_state';
  /** Every forbidden move: one that leads back, or between delivered and cancelled, either way. */
  readonly backward: readonly (readonly [from: string, to: string])[];
  /** Whether an order in `state` has come as far as the state `mark`, or further. */
  reaches(state: string, mark: string): boolean;
}

export const deliverySequence = stateSequence('delivery_state', DELIVERY_SEQUENCE, (from, to, isBefore) => {
  if (isDelivered(from) && isDelivered(to)) return false;
  if (FINAL.includes(from)) return true;
  const isAnotherAttempt = ATTEMPTS.includes(from) && ATTEMPTS.includes(to);
  return isBefore && !isAnotherAttempt;
});
export const paymentSequence = stateSequence('payment_state', PAYMENT_STATES, (_from, _to, isBefore) => isBefore);

/**
 * @param isForbiddenMove is also told whether the second state comes before the first (`isBefore`)
 */
function stateSequence(
  field: StateSequence['field'],
  states: readonly string[],
  isForbiddenMove: (from: string, to: string, isBefore: boolean) => boolean,
): StateSequence {
  const backward = states.flatMap((from, fromPlace) =>
    states
      .filter((to, toPlace) => to !== from && isForbiddenMove(from, to, toPlace < fromPlace))
      .map((to) => [from, to] as const),
  );
  return {
    field,
    backward,
    // It has passed the mark if going to the mark would be a step back. Neither of two attempts, which repeat, has
    // passed the other; nor has DELIVERED passed CANCELLED, or the reverse: both moves between them are forbidden.
    reaches: (state, mark) =>
      state === mark ||
      (isDelivered(state) && isDelivered(mark)) ||
      (isBackward(state, mark) && !isBackward(mark, state)),
  };
}

const BACKWARD = new Set(
  [...deliverySequence.backward, ...paymentSequence.backward].map(([from, to]) => `${from}>${to}`),
);

/** Whether an order may not move from one state to the other. Both are delivery states, or both payment states. */
export function isBackward(from: string, to: string): boolean {
  return BACKWARD.has(`${from}>${to}`);
}

/** How bad a mismatch is. */
export type Severity = 'error' | 'warning' | 'info';
