import { expect, it } from 'vitest';
import { DELIVERY_STATES, PAYMENT_STATES } from '../../src/api/wire.ts';
import { deliverySequence, paymentSequence } from '../../src/base/states.ts';

const pairs = (states: readonly string[]) =>
  states.flatMap((from, i) => states.slice(0, i).map((to) => `${from}>${to}`));
const backward = (order: typeof deliverySequence) => order.backward.map((pair) => pair.join('>'));

it('ranks payment states strictly as the spec lists them', () => {
  expect(backward(paymentSequence).sort()).toEqual(pairs(PAYMENT_STATES).sort());
});

const FINAL = ['DELIVERED', 'DELIVERED_AT_WAREHOUSE', 'CANCELLED'];

it('ranks delivery states as the spec lists them, but for the moves of a failed attempt', () => {
  const open = DELIVERY_STATES.filter((state) => !FINAL.includes(state));
  const exempt = pairs(open).filter((pair) => !backward(deliverySequence).includes(pair));
  expect(exempt).toContain('IN_TRANSIT>AT_WAREHOUSE');
  expect(exempt).toContain('AWAITING_RETURN>AT_WAREHOUSE');
  expect(exempt).toContain('AWAITING_RETURN>DELIVERY_ASSIGNED');
  const leg = /^(AWAITING_RETURN|IN_TRANSIT|PICKED_UP_FOR_DELIVERY|SCANNED_FOR_DELIVERY|DELIVERY_ASSIGNED)>/;
  expect(exempt.filter((pair) => !leg.test(pair))).toEqual([]);
  expect(exempt.filter((pair) => /PICKUP|>CREATED|>PICKED_UP$/.test(pair))).toEqual([]);
  // Awaiting its return, an order is tried again, collected there, or cancelled.
  expect(backward(deliverySequence).filter((pair) => FINAL.some((end) => pair === `AWAITING_RETURN>${end}`))).toEqual(
    [],
  );
});

it('lets no order out of a final state, but from one kind of delivery to the other', () => {
  for (const end of FINAL) {
    const out = DELIVERY_STATES.filter((state) => backward(deliverySequence).includes(`${end}>${state}`));
    const same = end === 'CANCELLED' ? ['CANCELLED'] : ['DELIVERED', 'DELIVERED_AT_WAREHOUSE'];
    expect(out).toEqual(DELIVERY_STATES.filter((state) => !same.includes(state)));
  }
});

it('takes a state as reached by itself and by what lies beyond it', () => {
  expect(deliverySequence.reaches('DELIVERED', 'DELIVERED')).toBe(true);
  expect(deliverySequence.reaches('DELIVERED_AT_WAREHOUSE', 'DELIVERED')).toBe(true);
  expect(deliverySequence.reaches('CANCELLED', 'DELIVERED')).toBe(false);
  expect(deliverySequence.reaches('CANCELLED', 'IN_TRANSIT')).toBe(true);
  expect(deliverySequence.reaches('AWAITING_RETURN', 'DELIVERED')).toBe(false);
  expect(deliverySequence.reaches('LOST_AT_SEA', 'CREATED')).toBe(false);
});
