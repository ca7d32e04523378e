import type { DeliveryState, PaymentState } from '../store/states.ts';

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
export function legOf(move: Move, deliveryState: string, paymentState: string): Leg | undefined {
  const legs: readonly Leg[] = MOVES[move];
  return legs.find(({ from, payment }) => from === deliveryState && (!payment || payment[0] === paymentState));
}

export function startsOf(move: Move): string[] {
  return MOVES[move].map(({ from }) => from);
}
