import { RemitError } from '../../base/errors.ts';
import { changeStates, type PaymentState, type States } from '../store/states.ts';
import type { Store } from '../store/store.ts';
import { legOf, type Move, startsOf } from './moves.ts';

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
    const now = store.get<{ delivery_state: string; payment_state: PaymentState }>(
      'select delivery_state, payment_state from delivery_order where order_id = ?',
      orderId,
    );
    if (!now) {
      throw new OperatorError(
        'not-found',
        `there is no order ${orderId}`,
        'Check the id: it is the order_id of the API.',
      );
    }
    const leg = legOf(move, now.delivery_state, now.payment_state);
    if (!leg) {
      throw new OperatorError(
        'refused',
        `order ${orderId} is ${now.delivery_state} and ${now.payment_state}, which does not allow ${move}`,
        `The move ${move} starts from ${startsOf(move).join(' or ')}${move === 'collect' ? ', once, before the order is billed' : ''}.`,
      );
    }
    const states = { delivery_state: leg.from, payment_state: leg.payment?.[1] ?? now.payment_state };
    for (const delivery_state of leg.through) {
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
