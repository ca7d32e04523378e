import type { CustomerLocation } from '../../api/wire.ts';
import { notFound } from '../http/errors.ts';
import { presentLocation } from '../present/customer.ts';
import { planArea } from '../rules/area.ts';
import { findCustomer } from '../rules/customer.ts';
import { findLocation, insertLocation, updateLocation } from '../rules/location.ts';
import type { CustomerLocationRow } from '../store/rows.ts';
import { type Call, type Handlers, idOf } from './handler.ts';

export const locationHandlers = {
  customerLocations: (call) => {
    const { store } = call;
    const customer = customerOf(call);
    const counted = store.get<{ n: number }>(
      'select count(*) as n from customer_location where customer_id = ?',
      customer,
    );
    return {
      count: counted?.n ?? 0,
      slice: (limit, offset) =>
        store
          .all<CustomerLocationRow>(
            'select * from customer_location where customer_id = ? order by id limit ? offset ?',
            customer,
            limit,
            offset,
          )
          .map((row) => presentLocation(store, row)),
    };
  },
  createCustomerLocation: (call) =>
    call.store.write(() => {
      const { store, merchant } = call;
      const { value, problems } = call.body;
      const customer = customerOf(call);
      const area = problems.has('area') ? undefined : planArea(store, merchant, value.area, problems, 'area');
      problems.throwIfAny();
      if (!area) throw new Error('a plan is missing though nothing is wrong');
      return shown(call, customer, insertLocation(store, merchant, customer, area, value.directions));
    }),
  updateCustomerLocation: (call) =>
    call.store.write(() => {
      const customer = customerOf(call);
      const id = idOf(call, 'location_pk', 'Customer location');
      shown(call, customer, id);
      call.body.problems.throwIfAny();
      updateLocation(call.store, id, call.body.value);
      return shown(call, customer, id);
    }),
} satisfies Pick<Handlers, 'customerLocations' | 'createCustomerLocation' | 'updateCustomerLocation'>;

function customerOf(call: Call): number {
  const id = idOf(call, 'customer_pk', 'Customer');
  if (!findCustomer(call.store, call.merchant, id)) throw notFound('Customer');
  return id;
}

function shown({ store }: Call, customer: number, id: number): CustomerLocation {
  const row = findLocation(store, customer, id);
  if (!row) throw notFound('Customer location');
  return presentLocation(store, row);
}
