import { DELIVERY_STATES, PAYMENT_STATES } from '../../../src/api/wire.ts';
import * as is from '../checks.ts';
import { fieldRows } from './fields.ts';

const statestamp = {
  delivery_state: is.oneOf(...DELIVERY_STATES),
  payment_state: is.oneOf(...PAYMENT_STATES),
  timestamp: is.dateTimeMicros,
};

const integrationItem = {
  name: is.text,
  quantity: is.integer,
  price: is.decimal,
  currency: is.text,
  image_url: is.orEmpty(is.url),
  source_url: is.orEmpty(is.url),
};

export const orderFieldRows = [
  ...fieldRows('Order', 'Order', 'orders', [
    ['order_id', 'a text that the service makes', is.matching(/./)],
    ['reference_id', "a text, the shop's own reference", is.text],
    ['is_exchange', 'a boolean', is.boolean],
    ['workflow', 'STANDARD or RETURN', is.oneOf('STANDARD', 'RETURN')],
    ['tracking_link', 'the public address at which the delivery is followed', is.url],
    ['order_url', "the order's address in the dashboard", is.url],
    ['is_critical', 'a boolean', is.boolean],
    ['merchant_location', 'the number of a pickup location', is.integer],
    ['cod', 'a money field', is.money],
    ['delivery_fee', 'a money field', is.money],
    ['number_of_packages', 'an integer, at least 1', is.integerWithin(1, Number.MAX_SAFE_INTEGER)],
    ['description', 'a text', is.text],
    ['notes', 'a text', is.text],
    ['return_reason', 'a text', is.text],
    ['delivery_state', 'one of the fourteen delivery states', is.oneOf(...DELIVERY_STATES)],
    ['payment_state', 'one of the five payment states', is.oneOf(...PAYMENT_STATES)],
    ['merchant_invoice', 'the number of an invoice, or null', is.orNull(is.integer)],
    ['integration_items', 'a list of integration items, which may be empty', is.listOf(is.objectOf(integrationItem))],
    ['source_url', 'an address, which may be empty', is.orEmpty(is.url)],
    ['statestamps', 'a list of statestamps', is.listOf(is.objectOf(statestamp))],
    ['customer', 'a customer', is.objectOf({ id: is.integer, phone_number: is.text })],
    [
      'customer_location',
      'a customer location',
      is.objectOf({ id: is.integer, area: is.objectOf({ id: is.integer }) }),
    ],
  ]),
  ...fieldRows('Integration item', 'Order', 'integrationItems', [
    ['name', 'a text', integrationItem.name],
    ['quantity', 'an integer', integrationItem.quantity],
    ['price', 'a decimal as text', integrationItem.price],
    ['currency', 'a text', integrationItem.currency],
    ['image_url', 'a text', integrationItem.image_url],
    ['source_url', 'a text', integrationItem.source_url],
  ]),
  ...fieldRows('Statestamp', 'Order', 'statestamps', [
    ['delivery_state', 'a text', statestamp.delivery_state],
    ['payment_state', 'a text', statestamp.payment_state],
    ['timestamp', 'an ISO 8601 moment with UTC offset and microseconds', statestamp.timestamp],
  ]),
];
