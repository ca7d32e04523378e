import type { MoneyPairs, OrderCreate } from '../../api/wire.ts';
import { isDelivered } from '../../base/states.ts';
import { parseUnits } from '../../money/units.ts';
import type { Decoded } from '../http/decode.ts';
import { type Problems, quote, ServiceError } from '../http/errors.ts';
import { insertOrder, type NewOrder } from '../store/insert-order.ts';
import type { OrderRow } from '../store/rows.ts';
import { changeStates, type PaymentState } from '../store/states.ts';
import type { Store } from '../store/store.ts';
import { checkCustomer, findCustomer, findCustomerByPhone, insertCustomer, updateCustomer } from './customer.ts';
import { planLocation } from './location.ts';
import type { AmountUnits } from './rate-card.ts';

const CURRENCY = /^[A-Z]{3}$/;
/** Twelve whole digits and two decimals: sums of thousands of such amounts stay within the range of units. */
const AMOUNT = /^[0-9]{1,12}(?:\.[0-9]{1,2})?$/;

/**
 * Reads the COD that a merchant sends: currency codes of three capital letters, each at most once, and plain decimal
 * amounts, zero or more, with at most two decimals. Faults are noted under `cod`.
 */
function readMoney(pairs: MoneyPairs, problems: Problems): AmountUnits[] {
  const amounts: AmountUnits[] = [];
  const seen = new Set<string>();
  for (const [i, pair] of pairs.entries()) {
    if (problems.isFull) break; // later faults are not listed
    if (problems.within(`cod[${i}]`)) continue;
    const [currency = '', amount = ''] = pair;
    if (!CURRENCY.test(currency)) {
      problems.add(`cod[${i}][0]`, `${quote(currency)} is not a currency code of three capital letters.`);
    } else if (seen.has(currency)) {
      problems.add(`cod[${i}][0]`, `${currency} stands twice.`);
    }
    seen.add(currency);
    if (AMOUNT.test(amount)) amounts.push({ currency, units: parseUnits(amount) });
    else {
      const fault = `${quote(amount)} is not a decimal amount of at most 12 digits and 2 decimals, zero or more.`;
      problems.add(`cod[${i}][1]`, fault);
    }
  }
  return amounts;
}

/**
 * The merchant's `request-pickup`: CREATED becomes PICKUP_REQUESTED (spec, 'States and transitions'). Call it within
 * the `store.write` in which the order was read.
 *
 * @throws ServiceError 400 from any other state
 */
export function requestPickup(store: Store, order: OrderRow, at: string): void {
  if (order.delivery_state !== 'CREATED') {
    throw refusal(`Pickup can be requested only for an order in CREATED; this one is ${order.delivery_state}.`);
  }
  move(store, order, 'PICKUP_REQUESTED', at);
}

/**
 * The merchant's `cancel`. Refused for an order that is delivered or billed; cancelling again changes nothing. Call it
 * within the `store.write` in which the order was read.
 *
 * @throws ServiceError 400 when it is refused
 */
export function cancelOrder(store: Store, order: OrderRow, at: string): void {
  if (isDelivered(order.delivery_state)) throw refusal('Delivered orders cannot be cancelled.');
  if (order.merchant_invoice !== null) throw refusal('Invoiced orders cannot be cancelled.');
  if (order.delivery_state !== 'CANCELLED') move(store, order, 'CANCELLED', at);
}

const refusal = (reason: string) => new ServiceError(400, `delivery_state: ${reason}`);

function move(store: Store, order: OrderRow, delivery_state: 'PICKUP_REQUESTED' | 'CANCELLED', at: string): void {
  changeStates(store, order.order_id, { delivery_state, payment_state: order.payment_state as PaymentState }, at);
}

/**
 * Makes an order from a request's body (spec, 'Orders'). All faults are found before anything changes, and answered
 * together. Call it within `store.write`.
 *
 * @param at the moment, as `timestamp()` writes it
 * @returns the new order's id
 * @throws ServiceError 400 with every fault, or 404 if all faults are ids that the merchant does not have
 */
export function createOrder(store: Store, merchant: number, { value, problems }: Decoded<OrderCreate>, at: string) {
  const workflow = value.workflow ?? 'STANDARD';
  checkPickupLocation(store, merchant, value.merchant_location, problems);
  if (value.is_exchange === true && workflow === 'RETURN') {
    problems.add('is_exchange', 'An exchange applies only when workflow is STANDARD.');
  }
  const cod = readMoney(value.cod ?? [], problems);
  const customer = planCustomer(store, merchant, value.customer, problems);
  const location = planLocation(store, merchant, customer, value.customer_location, problems);
  problems.throwIfAny();
  if (!customer || !location) throw new Error('a plan is missing though nothing is wrong');

  const owner = customer.apply();
  const order: NewOrder = {
    ...value,
    merchant,
    pickupLocation: value.merchant_location,
    customer: owner,
    customerLocation: location.apply(owner),
    district: location.district,
    workflow,
    cod,
  };
  return insertOrder(store, order, at);
}

function checkPickupLocation(store: Store, merchant: number, id: number, problems: Problems): void {
  if (problems.within('merchant_location')) return;
  const sql = 'select 1 from pickup_location where id = ? and merchant_id = ? and is_active = 1';
  if (!store.get(sql, id, merchant)) problems.add('merchant_location', `${id} is not one of your pickup locations.`);
}

/**
 * Checks the `customer` of an order: one with an `id` is updated with the other fields; without it, the customer with
 * the phone number is used as it is, or a new one is made. Faults are noted in `problems`; the caller throws them, and
 * then carries out no plan. The other fields are checked even if it is not known whose they are: all faults are
 * answered together.
 *
 * @returns `existing`: the customer, if it exists already; `apply` makes or updates it, and returns its id. Undefined
 *   if it is not known which customer is meant
 */
function planCustomer(store: Store, merchant: number, fields: OrderCreate['customer'], problems: Problems) {
  if (problems.has('customer')) return undefined;
  const { id, ...changes } = fields;
  const check = (whose?: number) => checkCustomer(store, merchant, changes, whose, problems, 'customer.');
  if (problems.has('customer.id')) {
    check();
    return undefined;
  }
  if (id !== undefined) {
    const existing = findCustomer(store, merchant, id);
    if (!existing) problems.addMissing('customer.id', 'Customer');
    check(id);
    if (!existing) return undefined;
    const apply = () => {
      updateCustomer(store, existing, changes);
      return existing.id;
    };
    return { existing, apply };
  }
  const { phone_number } = changes;
  if (phone_number === undefined) {
    if (!problems.has('customer.phone_number')) problems.add('customer.phone_number', 'This field is required.');
    check();
    return undefined;
  }
  const existing = findCustomerByPhone(store, merchant, phone_number);
  check(existing?.id);
  return { existing, apply: () => existing?.id ?? insertCustomer(store, merchant, { ...changes, phone_number }) };
}
