import { Type } from '@sinclair/typebox';
import { Customer, CustomerCreate, CustomerPatch } from '../../api/wire.ts';
import { notFound } from '../http/errors.ts';
import { presentCustomer, presentCustomerWithLocations } from '../present/customer.ts';
import { checkCustomer, findCustomer, findCustomerByPhone, insertCustomer, updateCustomer } from '../rules/customer.ts';
import type { CustomerRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { type Call, idOf, operation } from './operation.ts';
import { paged } from './paged.ts';

/** The spec does not show the names of these parameters, so that a caller may know them by another. */
const locationsSwitch = {
  include_locations: Type.Optional(
    Type.Boolean({
      description: "Adds each customer's locations.",
      aliases: ['with_locations', 'show_locations', 'expand_locations', 'locations'],
    }),
  ),
};
const phoneFilter = {
  phone_number: Type.Optional(
    Type.String({ description: 'Only the customer with this phone number.', aliases: ['phone'] }),
  ),
};

export const customerOperations = [
  operation({
    id: 'customers',
    method: 'GET',
    path: '/customers/',
    summary: 'List the customers',
    query: paged({ ...locationsSwitch, ...phoneFilter }),
    answers: 'page',
    schema: Customer,
    handle: ({ store, merchant, query }) => {
      const show = presenter(store, query.include_locations);
      if (query.phone_number !== undefined) {
        const found = findCustomerByPhone(store, merchant, query.phone_number);
        const rows = found ? [found] : [];
        return { count: rows.length, slice: () => rows.map(show) };
      }
      return {
        count: countCustomers(store, merchant),
        slice: (limit, offset) => readCustomers(store, merchant, limit, offset).map(show),
      };
    },
  }),
  operation({
    id: 'createCustomer',
    method: 'POST',
    path: '/customers/',
    summary: 'Create a customer',
    body: CustomerCreate,
    status: 201,
    answers: 'one',
    schema: Customer,
    handle: (call) =>
      call.store.write(() => {
        const { store, merchant, body } = call;
        checkCustomer(store, merchant, body.value, undefined, body.problems);
        body.problems.throwIfAny();
        return presentCustomer(find(call, insertCustomer(store, merchant, body.value)));
      }),
  }),
  operation({
    id: 'customer',
    method: 'GET',
    path: '/customers/{id}/',
    summary: 'Retrieve a customer',
    query: Type.Object(locationsSwitch),
    answers: 'one',
    schema: Customer,
    handle: (call) => presenter(call.store, call.query.include_locations)(find(call, idOf(call, 'id', 'Customer'))),
  }),
  operation({
    id: 'updateCustomer',
    method: 'PATCH',
    path: '/customers/{id}/',
    summary: 'Change the fields of a customer that are sent',
    body: CustomerPatch,
    answers: 'one',
    schema: Customer,
    handle: (call) =>
      call.store.write(() => {
        const { store, merchant, body } = call;
        const known = find(call, idOf(call, 'id', 'Customer'));
        checkCustomer(store, merchant, body.value, known.id, body.problems);
        body.problems.throwIfAny();
        updateCustomer(store, known, body.value);
        return presentCustomer(find(call, known.id));
      }),
  }),
];

function presenter(store: Store, withLocations = false): (row: CustomerRow) => Customer {
  return withLocations ? (row) => presentCustomerWithLocations(store, row) : presentCustomer;
}

function find({ store, merchant }: Call, id: number): CustomerRow {
  const row = findCustomer(store, merchant, id);
  if (!row) throw notFound('Customer');
  return row;
}

function countCustomers(store: Store, merchant: number): number {
  return store.get<{ n: number }>('select count(*) as n from customer where merchant_id = ?', merchant)?.n ?? 0;
}

function readCustomers(store: Store, merchant: number, limit: number, offset: number): CustomerRow[] {
  return store.all<CustomerRow>(
    'select * from customer where merchant_id = ? order by id limit ? offset ?',
    merchant,
    limit,
    offset,
  );
}
