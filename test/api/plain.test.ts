import { expect, it } from 'vitest';
import { decode } from '../../src/api/decode.ts';
import { decodeList } from '../../src/api/list.ts';
import { Order } from '../../src/api/wire.ts';
import { readOrder } from '../../src/derive/order-record.ts';

const ORDER = {
  order_id: 'A',
  workflow: 'STANDARD',
  cod: [['USD', '25.00']],
  delivery_state: 'DELIVERED',
  payment_state: 'UNPAID',
  notes: 'false',
};

/** As the service's examples write them. */
const AS_TEXT = {
  ...ORDER,
  reference_id: 'null',
  is_exchange: 'false',
  is_critical: 'true',
  delivery_fee: 'null',
  merchant_invoice: 'null',
  statestamps: 'null',
  customer: { id: 7, secondary_phone_number: 'null' },
  customer_location: { id: 8, area: 'null' },
};

it('reads null, true and false that are written as texts, and changes no other text', () => {
  const before = structuredClone(AS_TEXT);
  expect(decode(Order, AS_TEXT)).toEqual({
    ...ORDER,
    reference_id: null,
    is_exchange: false,
    is_critical: true,
    delivery_fee: null,
    merchant_invoice: null,
    statestamps: null,
    customer: { id: 7, secondary_phone_number: null },
    customer_location: { id: 8, area: null },
  });
  expect(AS_TEXT).toEqual(before);
  expect(decode(Order, ORDER)).toBe(ORDER);
  expect(() => decode(Order, { ...ORDER, is_exchange: 'perhaps' })).toThrow(
    'is_exchange: expected boolean or null, got string "perhaps"',
  );
});

it('derives the rows of what the texts stand for', () => {
  const { order } = readOrder(AS_TEXT, { sha256: 'x', part: 1 });
  expect(order).toMatchObject({ reference_id: '', is_exchange: 0, merchant_invoice: null, fee_stated: 0 });
});

it('a list whose next is "null" ends there', () => {
  const list = { count: 'null', next: 'null', previous: 'null', results: [AS_TEXT] };
  const { items, next, count } = decodeList(Order, list);
  expect([items[0]?.ok, next, count]).toEqual([true, null, null]);
});
