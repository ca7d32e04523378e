import { expect, it } from 'vitest';
import { DELIVERY_STATES, PAYMENT_STATES } from '../../src/api/wire.ts';
import { deliveryOrder, paymentOrder } from '../../src/base/state-order.ts';

const pairs = (states: readonly string[]) =>
  states.flatMap((from, i) => states.slice(0, i).map((to) => `${from}>${to}`));
const backward = (order: typeof deliveryOrder) => order.backward.map((pair) => pair.join('>'));

it('ranks payment states strictly as the spec lists them', () => {
  expect(backward(paymentOrder).sort()).toEqual(pairs(PAYMENT_STATES).sort());
});

it('ranks delivery states as the spec lists them, but for the moves of a failed attempt', () => {
  const exempt = pairs(DELIVERY_STATES).filter((pair) => !backward(deliveryOrder).includes(pair));
  expect(exempt).toContain('IN_TRANSIT>AT_WAREHOUSE');
  expect(exempt).toContain('AWAITING_RETURN>AT_WAREHOUSE');
  expect(exempt).toContain('AWAITING_RETURN>DELIVERY_ASSIGNED');
  const leg = /^(AWAITING_RETURN|IN_TRANSIT|PICKED_UP_FOR_DELIVERY|SCANNED_FOR_DELIVERY|DELIVERY_ASSIGNED)>/;
  expect(exempt.filter((pair) => !leg.test(pair))).toEqual([]);
  expect(exempt.filter((pair) => /PICKUP|>CREATED|>PICKED_UP$/.test(pair))).toEqual([]);
  for (const end of ['DELIVERED', 'CANCELLED', 'DELIVERED_AT_WAREHOUSE']) {
    expect(backward(deliveryOrder).filter((pair) => pair.startsWith(`${end}>`))).toHaveLength(
      DELIVERY_STATES.indexOf(end as 'DELIVERED'),
    );
  }
});

it('takes a state as reached by itself and by what lies beyond it', () => {
  expect(deliveryOrder.reaches('DELIVERED', 'DELIVERED')).toBe(true);
  expect(deliveryOrder.reaches('CANCELLED', 'DELIVERED')).toBe(true);
  expect(deliveryOrder.reaches('AWAITING_RETURN', 'DELIVERED')).toBe(false);
  expect(deliveryOrder.reaches('LOST_AT_SEA', 'CREATED')).toBe(false);
});
