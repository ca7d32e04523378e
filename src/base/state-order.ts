/**
 * Which moves between states lead backwards (spec, 'States and transitions': the spec lists the states in their order, and
 * shows few of the moves). A state that the spec does not know has no place in the order and is never judged.
 */
import { DELIVERED_STATES, DELIVERY_STATES, isDelivered, PAYMENT_STATES } from './states.ts';

const TO_THE_DOOR = DELIVERY_STATES.slice(0, DELIVERY_STATES.indexOf('DELIVERED'));

/** From the warehouse to the customer's door, and back after a delivery that broke off: as often as it takes. */
const ATTEMPTS: readonly string[] = [...TO_THE_DOOR.slice(TO_THE_DOOR.indexOf('AT_WAREHOUSE')), 'AWAITING_RETURN'];

/** No order leaves these. */
const FINAL: readonly string[] = [...DELIVERED_STATES, 'CANCELLED'];

/** The delivery states as an order comes to them. */
const DELIVERY_ORDER: readonly string[] = [...TO_THE_DOOR, 'AWAITING_RETURN', ...FINAL];

/** An order's delivery or payment state, with the moves that it may not make. */
export interface StateOrder {
  readonly field: 'delivery_state' | 'payment_state';
  /** Every pair of states of which the second lies behind the first. */
  readonly backward: readonly (readonly [from: string, to: string])[];
  /** Whether an order in `state` has come as far as `mark`, or further. */
  reaches(state: string, mark: string): boolean;
}

export const deliveryOrder = stateOrder('delivery_state', DELIVERY_ORDER, (from, to, isBefore) => {
  if (isDelivered(from) && isDelivered(to)) return false;
  return FINAL.includes(from) || (isBefore && !(ATTEMPTS.includes(from) && ATTEMPTS.includes(to)));
});
export const paymentOrder = stateOrder('payment_state', PAYMENT_STATES, (_from, _to, isBefore) => isBefore);

/** @param isWrong whether a move between two states leads backwards; `isBefore` where the second comes before the first */
function stateOrder(
  field: StateOrder['field'],
  states: readonly string[],
  isWrong: (from: string, to: string, isBefore: boolean) => boolean,
): StateOrder {
  const backward = states.flatMap((from, rank) =>
    states.flatMap((to, place) => (to !== from && isWrong(from, to, place < rank) ? [[from, to] as const] : [])),
  );
  const wrong = new Set(backward.map(([from, to]) => `${from}>${to}`));
  const isBehind = (from: string, to: string) => wrong.has(`${from}>${to}`);
  return {
    field,
    backward,
    // A state from which an order may still come to the mark has not passed it: a parcel that awaits its return is not as far as a delivered one.
    reaches: (state, mark) =>
      state === mark || (isDelivered(state) && isDelivered(mark)) || (isBehind(state, mark) && !isBehind(mark, state)),
  };
}

const BACKWARD = new Set([...deliveryOrder.backward, ...paymentOrder.backward].map(([from, to]) => `${from}>${to}`));

/** Whether a move between two delivery states, or two payment states, leads backwards. */
export function isBackward(from: string, to: string): boolean {
  return BACKWARD.has(`${from}>${to}`);
}
