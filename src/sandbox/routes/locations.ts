import type { CustomerLocation } from '../../api/wire.ts';
import { notFound } from '../http/errors.ts';
import { planArea } from '../rules/area.ts';
import { findCustomer } from '../rules/customer.ts';
import { findLocation, insertLocation, updateLocation } from '../rules/location.ts';
import { readArea } from '../store/areas.ts';
import type { CustomerLocationRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { presentArea } from './areas.ts';
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
      const id = insertLocation(store, merchant, customer, area, value.directions);
      return presentLocation(store, locationOf(call, customer, id));
    }),
  updateCustomerLocation: (call) =>
    call.store.write(() => {
      const customer = customerOf(call);
      const { id } = locationOf(call, customer, idOf(call, 'location_pk', 'Customer location'));
      call.body.problems.throwIfAny();
      updateLocation(call.store, id, call.body.value);
      return presentLocation(call.store, locationOf(call, customer, id));
    }),
} satisfies Pick<Handlers, 'customerLocations' | 'createCustomerLocation' | 'updateCustomerLocation'>;

function customerOf(call: Call): number {
  const id = idOf(call, 'customer_pk', 'Customer');
  if (!findCustomer(call.store, call.merchant, id)) throw notFound('Customer');
  return id;
}

function locationOf({ store }: Call, customer: number, id: number): CustomerLocationRow {
  const row = findLocation(store, customer, id);
  if (!row) throw notFound('Customer location');
  return row;
}

/** A customer's location with its area (spec, 'Customer location'). */
export function presentLocation(store: Store, row: CustomerLocationRow): CustomerLocation {
  return { id: row.id, area: presentArea(readArea(store, row.area_id)), directions: row.directions };
}
