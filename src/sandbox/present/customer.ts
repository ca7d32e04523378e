import type { Customer, CustomerLocation } from '../../api/wire.ts';
import type { CustomerLocationRow, CustomerRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { presentArea, readArea } from './area.ts';

/** A customer without its locations (spec, 'Customer'). */
export function presentCustomer(row: CustomerRow): Customer {
  const { id, name, phone_number, secondary_phone_number, email } = row;
  return { id, name, phone_number, secondary_phone_number, email };
}

/** The customer with all of its locations (the switched-on form of list and retrieve). */
export function presentCustomerWithLocations(store: Store, row: CustomerRow): Customer {
  const locations = store.all<CustomerLocationRow>(
    'select * from customer_location where customer_id = ? order by id',
    row.id,
  );
  return { ...presentCustomer(row), locations: locations.map((location) => presentLocation(store, location)) };
}

/** A customer's location with its area (spec, 'Customer location'). */
export function presentLocation(store: Store, row: CustomerLocationRow): CustomerLocation {
  return { id: row.id, area: presentArea(readArea(store, row.area_id)), directions: row.directions };
}
