import type { Customer, CustomerLocation } from '../../api/wire.ts';
import type { CustomerLocationRow, CustomerRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { presentArea, readArea, readAreas } from './area.ts';

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

/** Customers by id. */
export function readCustomers(store: Store, ids: readonly number[]): Map<number, CustomerRow> {
  const rows = store.all<CustomerRow>(
    'select * from customer where id in (select value from json_each(?))',
    JSON.stringify(ids),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locations as they travel, by id; each area is read once. */
export function presentLocations(store: Store, ids: readonly number[]): Map<number, CustomerLocation> {
  const rows = store.all<CustomerLocationRow>(
    'select * from customer_location where id in (select value from json_each(?))',
    JSON.stringify(ids),
  );
  const areas = readAreas(store, [...new Set(rows.map(({ area_id }) => area_id))]);
  return new Map(
    rows.map(({ id, area_id, directions }) => [id, { id, area: presentArea(areas.get(area_id)!), directions }]),
  );
}

/** A customer's location with its area (spec, 'Customer location'). */
export function presentLocation(store: Store, row: CustomerLocationRow): CustomerLocation {
  return { id: row.id, area: presentArea(readArea(store, row.area_id)), directions: row.directions };
}
