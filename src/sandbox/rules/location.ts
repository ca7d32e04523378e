import type { LocationPatch, OrderCreate } from '../../api/wire.ts';
import type { Problems } from '../http/problems.ts';
import { readArea } from '../store/areas.ts';
import type { CustomerLocationRow, CustomerRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { type AreaPlan, applyArea, districtOf, planArea } from './area.ts';

export function findLocation(store: Store, customer: number, id: number): CustomerLocationRow | undefined {
  return store.get('select * from customer_location where id = ? and customer_id = ?', id, customer);
}

export function insertLocation(
  store: Store,
  merchant: number,
  customer: number,
  area: AreaPlan,
  directions: string | undefined,
): number {
  const sql = 'insert into customer_location (customer_id, area_id, directions) values (?, ?, ?)';
  return store.run(sql, customer, applyArea(store, merchant, area), directions ?? '');
}

/** Changes a location's directions if they were sent. */
export function updateLocation(store: Store, id: number, { directions }: LocationPatch): void {
  if (directions === undefined) return;
  store.run('update customer_location set directions = ? where id = ?', directions, id);
}

/** The checked `customer_location` of an order. */
export interface LocationPlan {
  district: string;
  /** Makes or updates the location, when its customer exists. @returns its id */
  apply(customer: number): number;
}

/**
 * Checks the `customer_location` of an order (spec, 'Orders'): an `id` must be one of the customer's, and the other
 * fields update that location; without `id` a new one is made. Undefined if there are faults; they are noted.
 *
 * @param customer `existing` is undefined for one that is not made yet; undefined if it is faulty, so that the
 *   location's owner cannot be checked
 */
export function planLocation(
  store: Store,
  merchant: number,
  customer: { existing: CustomerRow | undefined } | undefined,
  fields: OrderCreate['customer_location'],
  problems: Problems,
): LocationPlan | undefined {
  const field = 'customer_location';
  if (problems.has(field)) return undefined;
  const area = fields.area && planArea(store, merchant, fields.area, problems, `${field}.area`);
  if (problems.has(`${field}.id`)) return undefined;
  if (fields.id === undefined) {
    if (!fields.area && !problems.has(`${field}.area`)) problems.add(`${field}.area`, 'This field is required.');
    if (!area) return undefined;
    const apply = (owner: number) => insertLocation(store, merchant, owner, area, fields.directions);
    return { district: districtOf(area), apply };
  }
  if (!customer) return undefined;
  const existing = customer.existing && findLocation(store, customer.existing.id, fields.id);
  if (!existing) {
    problems.addMissing('customer_location.id', 'Customer location');
    return undefined;
  }
  return {
    district: area ? districtOf(area) : readArea(store, existing.area_id).district,
    apply() {
      updateLocation(store, existing.id, fields);
      if (area) {
        const areaId = applyArea(store, merchant, area);
        store.run('update customer_location set area_id = ? where id = ?', areaId, existing.id);
      }
      return existing.id;
    },
  };
}
