import type { Area, CustomerLocation, PickupLocation, ReducedArea } from '../../api/wire.ts';
import { notFound } from '../http/errors.ts';
import { createArea, findLocation, insertLocation, planArea, updateLocation } from '../rules/location.ts';
import { type AreaRecord, readArea, readSharedAreas } from '../store/areas.ts';
import type { CustomerLocationRow, PickupLocationRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { type Call, customerOf, type Handlers, idOf, pagedRows } from './handler.ts';

type LocationOperation = 'customerLocations' | 'createCustomerLocation' | 'updateCustomerLocation';

export const locationHandlers = {
  areas: ({ store }) => readSharedAreas(store).map(presentReducedArea),
  createArea: ({ store, merchant, body }) => presentArea(readArea(store, createArea(store, merchant, body))),
  pickups: ({ store, merchant }) => {
    const sql = 'select * from pickup_location where merchant_id = ? order by id';
    return store.all<PickupLocationRow>(sql, merchant).map((row) => presentPickup(store, row));
  },
  customerLocations: (call) => {
    const present = (row: CustomerLocationRow) => presentLocation(call.store, row);
    const { id } = customerOf(call, 'customer_pk');
    return pagedRows(call.store, 'customer_location where customer_id = ?', [id], 'id', present);
  },
  createCustomerLocation: (call) => {
    const { store, merchant } = call;
    const { value, problems } = call.body;
    const customer = customerOf(call, 'customer_pk');
    const area = problems.has('area') ? undefined : planArea(store, merchant, value.area, problems, 'area');
    problems.throwIfAny();
    if (!area) throw new Error('a plan is missing though nothing is wrong');
    const id = insertLocation(store, merchant, customer.id, area, value.directions);
    return presentLocation(store, locationOf(call, customer.id, id));
  },
  updateCustomerLocation: (call) => {
    const customer = customerOf(call, 'customer_pk');
    const { id } = locationOf(call, customer.id, idOf(call, 'location_pk', 'Customer location'));
    call.body.problems.throwIfAny();
    updateLocation(call.store, id, call.body.value);
    return presentLocation(call.store, locationOf(call, customer.id, id));
  },
} satisfies Pick<Handlers, 'areas' | 'createArea' | 'pickups' | LocationOperation>;

/** An area in full (spec, 'Area'). */
function presentArea(row: AreaRecord): Area {
  return {
    ...presentReducedArea(row),
    maps_link: row.maps_link,
    is_external: row.is_external === 1,
    area_group: row.area_group_id === null ? null : { id: row.area_group_id, name: row.group_name ?? '' },
    tags: row.tags,
  };
}

/** An area as the list of available areas shows it. */
function presentReducedArea({ id, name_ar, name_en, district, code, lat, long }: AreaRecord): ReducedArea {
  return { id, name_ar, name_en, district, code, lat, long };
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

/** A pickup location (spec, 'Pickup location'). */
function presentPickup(store: Store, row: PickupLocationRow): PickupLocation {
  const { merchant_id, area_id, opening_hours, is_default, is_open, is_active, ...sameFields } = row;
  return {
    ...sameFields,
    merchant: merchant_id,
    is_default: is_default === 1,
    area: presentArea(readArea(store, area_id)),
    opening_hours: opening_hours === null ? null : JSON.parse(opening_hours),
    is_open: is_open === 1,
    is_active: is_active === 1,
  };
}
