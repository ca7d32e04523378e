import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Customer, InvoiceDetail, InvoiceListItem, Order, PickupLocation } from '../../src/api/wire.ts';
import { ContractError } from '../../src/base/errors.ts';
import { decode } from '../../src/courier/index.ts';
import { invoiceDetail, invoiceOrder, listItem } from './support.ts';

const order = {
  order_id: 'A1',
  workflow: 'STANDARD',
  cod: [['USD', '1.00']],
  delivery_state: 'CREATED',
  payment_state: 'UNPAID',
};

/** An invoice whose fourth order has the given fields. */
const withFourth = (fields: object) =>
  invoiceDetail(7, { orders: [...['A', 'B', 'C'].map((id) => invoiceOrder(id)), invoiceOrder('D', fields)] });

describe('a fault is named by its path and what is wrong', () => {
  test.each([
    [
      'an amount that is no decimal',
      InvoiceDetail,
      withFourth({ cod: [['USD', '12.3x']] }),
      'orders[3].cod[0][1]: "12.3x" is not a decimal amount',
    ],
    [
      'an exponent',
      InvoiceDetail,
      withFourth({ cod: [['USD', '1e5']] }),
      'orders[3].cod[0][1]: "1e5" is not a decimal amount',
    ],
    [
      'an empty amount',
      InvoiceDetail,
      withFourth({ cod: [['USD', '']] }),
      'orders[3].cod[0][1]: "" is not a decimal amount',
    ],
    [
      'an amount that is a number',
      InvoiceDetail,
      withFourth({ cod: [['USD', 12.3]] }),
      'orders[3].cod[0][1]: expected string, got number 12.3',
    ],
    [
      'a currency that is none',
      InvoiceDetail,
      withFourth({ delivery_fee: [['US$', '1.00']] }),
      'orders[3].delivery_fee[0][0]: "US$" is not a currency code',
    ],
    [
      'a pair of three',
      InvoiceDetail,
      withFourth({ cod: [['USD', '1.00', 'x']] }),
      'orders[3].cod[0]: expected a pair of currency code and amount, got 3 elements',
    ],
    [
      'a pair of one',
      InvoiceDetail,
      withFourth({ cod: [['USD']] }),
      'orders[3].cod[0]: expected a pair of currency code and amount, got 1 element',
    ],
    [
      'a money field that is an object',
      InvoiceDetail,
      withFourth({ cod: { USD: '1.00' } }),
      'orders[3].cod: expected array, got object',
    ],
    ['a money field that is null', InvoiceDetail, withFourth({ cod: null }), 'orders[3].cod: expected array, got null'],
    [
      'a missing field',
      InvoiceListItem,
      { ...listItem(1), number: undefined },
      'number: expected integer, got nothing',
    ],
    ['a field that is not there', Customer, {}, 'id: missing'],
    ['a document that is a list', InvoiceDetail, [], 'expected object, got array'],
    [
      'an integer as text',
      InvoiceListItem,
      listItem(1, { order_count: '5' }),
      'order_count: expected integer, got string "5"',
    ],
    ['a fraction', InvoiceListItem, listItem(1.5), 'number: expected integer, got number 1.5'],
    [
      'an integer that JSON cannot hold',
      InvoiceListItem,
      listItem(2 ** 53),
      'number: 9007199254740992 is beyond the integers that can be read exactly',
    ],
    ['an empty order id', Order, { ...order, order_id: '' }, 'order_id: expected a text, got an empty one'],
    [
      'a fault inside a field that may be null',
      Order,
      { ...order, customer: { id: 'x' } },
      'customer.id: expected integer, got string "x"',
    ],
    [
      'an amount in a field that may be null',
      Order,
      { ...order, delivery_fee: [['USD', '1,00']] },
      'delivery_fee[0][1]: "1,00" is not a decimal amount',
    ],
    ['a wrong type where null may be', Order, { ...order, notes: 5 }, 'notes: expected string or null, got number 5'],
    [
      'an inexact integer where null may be',
      Order,
      { ...order, merchant_location: 2 ** 60 },
      'merchant_location: 1152921504606847000 is beyond the integers that can be read exactly',
    ],
    [
      'a deep field',
      PickupLocation,
      { id: 1, area: { id: 2, area_group: { id: 3 } } },
      'area.area_group.name: missing',
    ],
    [
      'text that a terminal would obey',
      InvoiceDetail,
      withFourth({ cod: [['USD', '\u001b[2J\u009b2J\u202e1']] }),
      'orders[3].cod[0][1]: "\\u001b[2J\\u009b2J\\u202e1" is not a decimal amount',
    ],
  ])('%s', (_, schema, value, message) => {
    const read = () => decode(schema, value);
    expect(read).toThrow(ContractError);
    expect(read).toThrow(message);
    try {
      read();
    } catch (error) {
      expect((error as ContractError).message).toBe(message);
      expect(message.startsWith((error as ContractError).path)).toBe(true);
    }
  });
});

describe('what is read', () => {
  test('unknown fields, states and currencies pass, and nothing is changed', () => {
    const value = withFourth({
      delivery_state: 'ON_THE_MOON',
      new_field: { deep: [1] },
      cod: [['usdt', '-0.123456789']],
    });
    const before = structuredClone(value);
    expect(decode(InvoiceDetail, value)).toBe(value);
    expect(value).toEqual(before);
  });

  test('what only describes may be missing, null or longer than the spec says', () => {
    expect(() => decode(Order, order)).not.toThrow();
    expect(() => decode(Order, { ...order, notes: null, customer: null, delivery_fee: null })).not.toThrow();
    expect(() => decode(PickupLocation, { id: 1, name: 'x'.repeat(5000) })).not.toThrow();
  });

  test('every amount that is a plain decimal, and no other', () => {
    const plain = fc.stringMatching(/^-?[0-9]{1,30}(\.[0-9]{1,30})?$/);
    fc.assert(
      fc.property(fc.oneof(plain, fc.string()), (amount) => {
        const read = () => decode(InvoiceDetail, invoiceDetail(1, { cod: [['USD', amount]] }));
        if (/^-?[0-9]+(\.[0-9]+)?$/.test(amount)) expect(read).not.toThrow();
        else expect(read).toThrow(/^cod\[0\]\[1\]: .* is not a decimal amount$/s);
      }),
    );
  });
});
