/**
 * Which moves between states lead backwards (spec, 'States and transitions': the spec lists the states in their order, and
 * shows few of the moves). A state that the spec does not know has no place in the order and is never judged.
 */
import { DELIVERY_STATES, PAYMENT_STATES } from './states.ts';

/** From the warehouse to the customer's door: a failed attempt sends a parcel back and forth here, as often as it takes. */
const ATTEMPTS = [
  ...DELIVERY_STATES.slice(DELIVERY_STATES.indexOf('AT_WAREHOUSE'), DELIVERY_STATES.indexOf('DELIVERED')),
  'AWAITING_RETURN',
];

/** An order's delivery or payment state, with the moves that it may not make. */
export interface StateOrder {
  readonly field: 'delivery_state' | 'payment_state';
  /** Every pair of states of which the second lies behind the first. */
  readonly backward: readonly (readonly [from: string, to: string])[];
  /** Whether an order in `state` has come as far as `mark`, or further. */
  reaches(state: string, mark: string): boolean;
}

export const deliveryOrder = stateOrder('delivery_state', DELIVERY_STATES, isAttempt);
export const paymentOrder = stateOrder('payment_state', PAYMENT_STATES, () => false);

function stateOrder(
  field: StateOrder['field'],
  states: readonly string[],
  allowed: (from: string, to: string) => boolean,
): StateOrder {
  return {
    field,
    backward: states.flatMap((from, rank) =>
      states
        .slice(0, rank)
        .filter((to) => !allowed(from, to))
        .map((to) => [from, to] as const),
    ),
    // A state from which an order may still return to the mark has not passed it: a parcel that awaits its return is not as far as a delivered one.
    reaches: (state, mark) => state === mark || (states.indexOf(state) > states.indexOf(mark) && !allowed(state, mark)),
  };
}

/** Between two syncs an order may fail an attempt and succeed at the next: awaiting its return, then delivered after all. */
function isAttempt(from: string, to: string): boolean {
  return ATTEMPTS.includes(from) && (ATTEMPTS.includes(to) || (from === 'AWAITING_RETURN' && to === 'DELIVERED'));
}

const BACKWARD = new Set([...deliveryOrder.backward, ...paymentOrder.backward].map(([from, to]) => `${from}>${to}`));

/** Whether a move between two delivery states, or two payment states, leads backwards. */
export function isBackward(from: string, to: string): boolean {
  return BACKWARD.has(`${from}>${to}`);
}
