import type { Customer } from '../../api/wire.ts';
import { checkCustomer, findCustomer, findCustomerByPhone, insertCustomer, updateCustomer } from '../rules/customer.ts';
import type { CustomerLocationRow, CustomerRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { customerOf, type Handlers, pagedRows } from './handler.ts';
import { presentLocation } from './locations.ts';

export const customerHandlers = {
  customers: ({ store, merchant, query }) => {
    const show = presenter(store, query.include_locations);
    if (query.phone_number !== undefined) {
      const found = findCustomerByPhone(store, merchant, query.phone_number);
      const rows = found ? [found] : [];
      return { count: rows.length, read: () => rows.map(show) };
    }
    return pagedRows(store, 'customer where merchant_id = ?', [merchant], 'id', show);
  },
  createCustomer: ({ store, merchant, body }) => {
    checkCustomer(store, merchant, body.value, undefined, body.problems);
    body.problems.throwIfAny();
    const id = insertCustomer(store, merchant, body.value);
    return presentCustomer(findCustomer(store, merchant, id)!);
  },
  customer: (call) => presenter(call.store, call.query.include_locations)(customerOf(call, 'id')),
  updateCustomer: (call) => {
    const { store, merchant, body } = call;
    const customer = customerOf(call, 'id');
    checkCustomer(store, merchant, body.value, customer.id, body.problems);
    body.problems.throwIfAny();
    updateCustomer(store, customer, body.value);
    return presentCustomer(customerOf(call, 'id'));
  },
} satisfies Pick<Handlers, 'customers' | 'createCustomer' | 'customer' | 'updateCustomer'>;

/** A customer (spec, 'Customer') without locations. */
export function presentCustomer({ merchant_id: _, ...shown }: CustomerRow): Customer {
  return shown;
}

/** Presents customers with or without locations, as `include_locations` asks. */
function presenter(store: Store, withLocations = false): (row: CustomerRow) => Customer {
  if (!withLocations) return presentCustomer;
  return (row) => {
    const sql = 'select * from customer_location where customer_id = ? order by id';
    const locations = store.all<CustomerLocationRow>(sql, row.id);
    return { ...presentCustomer(row), locations: locations.map((location) => presentLocation(store, location)) };
  };
}
