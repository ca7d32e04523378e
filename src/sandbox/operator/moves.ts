import { RemitError } from '../../base/errors.ts';
import { changeStates, type DeliveryState, type PaymentState, type States } from '../store/states.ts';
import type { Store } from '../store/store.ts';

/** One way to make a move: from a state, through others, to the last. */
interface Leg {
  readonly from: DeliveryState;
  /** The states that are stamped on the way; the order stays in the last. */
  readonly through: readonly DeliveryState[];
  /** The payment state before and after; if absent, any payment state is allowed and kept. */
  readonly payment?: readonly [from: PaymentState, to: PaymentState];
}

const leg = (from: DeliveryState, ...through: DeliveryState[]): Leg => ({ from, through });

/** The states from the warehouse to the road; `dispatch` passes all that are left in one move. */
const TO_THE_ROAD: readonly DeliveryState[] = [
  'AT_WAREHOUSE',
  'DELIVERY_ASSIGNED',
  'SCANNED_FOR_DELIVERY',
  'PICKED_UP_FOR_DELIVERY',
  'IN_TRANSIT',
];

/**
 * The operator's moves, each with the states that it starts from. As dispatchers do, one word names a step of the
 * pickup (shop to warehouse) and the same step of the delivery (warehouse to customer).
 */
export const MOVES = {
  assign: [leg('PICKUP_REQUESTED', 'PICKUP_ASSIGNED'), leg('AT_WAREHOUSE', 'DELIVERY_ASSIGNED')],
  scan: [leg('PICKUP_ASSIGNED', 'SCANNED_FOR_PICKUP'), leg('DELIVERY_ASSIGNED', 'SCANNED_FOR_DELIVERY')],
  pickup: [leg('SCANNED_FOR_PICKUP', 'PICKED_UP'), leg('SCANNED_FOR_DELIVERY', 'PICKED_UP_FOR_DELIVERY')],
  warehouse: [leg('PICKED_UP', 'AT_WAREHOUSE')],
  dispatch: TO_THE_ROAD.slice(0, -1).map((from, i) => leg(from, ...TO_THE_ROAD.slice(i + 1))),
  deliver: [{ from: 'IN_TRANSIT', through: ['DELIVERED'], payment: ['UNPAID', 'PENDING_PAYMENT_BY_DRIVER'] }],
  fail: [leg('IN_TRANSIT', 'AT_WAREHOUSE')],
  return: [
    leg('IN_TRANSIT', 'AWAITING_RETURN'),
    leg('AT_WAREHOUSE', 'AWAITING_RETURN'),
    leg('AWAITING_RETURN', 'CANCELLED'),
  ],
  handover: (['AT_WAREHOUSE', 'AWAITING_RETURN'] as const).map((from) => ({
    from,
    through: ['DELIVERED_AT_WAREHOUSE'],
    payment: ['UNPAID', 'PAID_BY_DRIVER'],
  })),
  collect: [{ from: 'DELIVERED', through: ['DELIVERED'], payment: ['PENDING_PAYMENT_BY_DRIVER', 'PAID_BY_DRIVER'] }],
} as const satisfies Record<string, readonly Leg[]>;

export type Move = keyof typeof MOVES;

export type OperatorAction = Move | 'invoice' | 'pay' | 'key';

/** What the operator can do: move an order, issue an invoice, pay one, or make the key of the operator's API. */
export const OPERATOR_ACTIONS: readonly OperatorAction[] = [...(Object.keys(MOVES) as Move[]), 'invoice', 'pay', 'key'];

export function isMove(word: string): word is Move {
  return Object.hasOwn(MOVES, word);
}

/** The way to make a move from these states; undefined if they do not allow it. */
function legOf(move: Move, deliveryState: string, paymentState: string): Leg | undefined {
  const legs: readonly Leg[] = MOVES[move];
  return legs.find(({ from, payment }) => from === deliveryState && (!payment || payment[0] === paymentState));
}

/**
 * Makes one move of one order, such as `deliver`, and stamps every state that it passes (spec, 'States and
 * transitions').
 *
 * The last step of `return` gives the parcel up: nothing was collected, so the COD becomes zero; the fee stays.
 *
 * @param at the moment, as `timestamp()` writes it
 * @returns the order's states after the move
 * @throws OperatorError when there is no such order, or its states do not allow the move; then nothing changes
 */
export function moveOrder(store: Store, orderId: string, move: Move, at: string): States {
  return store.write(() => {
    const sql = 'select delivery_state, payment_state from delivery_order where order_id = ?';
    const now = store.get<{ delivery_state: string; payment_state: PaymentState }>(sql, orderId);
    if (!now) {
      const hint = 'Check the id: it is the order_id of the API.';
      throw new OperatorError('not-found', `there is no order ${orderId}`, hint);
    }
    const way = legOf(move, now.delivery_state, now.payment_state);
    if (!way) {
      const what = `order ${orderId} is ${now.delivery_state} and ${now.payment_state}, which does not allow ${move}`;
      const starts = MOVES[move].map(({ from }) => from).join(' or ');
      const once = move === 'collect' ? ', once, before the order is billed' : '';
      throw new OperatorError('refused', what, `The move ${move} starts from ${starts}${once}.`);
    }
    const states = { delivery_state: way.from, payment_state: way.payment?.[1] ?? now.payment_state };
    for (const delivery_state of way.through) {
      states.delivery_state = delivery_state;
      changeStates(store, orderId, states, at);
    }
    if (states.delivery_state === 'CANCELLED') {
      store.run('update order_money set cod = 0 where order_id = ? and cod is not null', orderId);
    }
    return states;
  });
}

/** The operator asked for something that does not exist, or that its state does not allow. */
export class OperatorError extends RemitError {
  readonly code = 'operator';
  readonly kind: 'not-found' | 'refused';

  constructor(kind: 'not-found' | 'refused', message: string, hint: string) {
    super(message, hint);
    this.kind = kind;
  }
}
