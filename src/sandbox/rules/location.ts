import type { AreaCreate, AreaDetails, LocationPatch, OrderCreate } from '../../api/wire.ts';
import type { Decoded } from '../http/decode.ts';
import { type Problems, quote } from '../http/errors.ts';
import { isDistrict, readArea } from '../store/areas.ts';
import type { AreaRow, CustomerLocationRow, CustomerRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

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
  const area_id = applyArea(store, merchant, area);
  return store.insert('customer_location', { customer_id: customer, area_id, directions: directions ?? '' });
}

/** Changes a location's directions if they were sent. */
export function updateLocation(store: Store, id: number, { directions }: LocationPatch): void {
  if (directions === undefined) return;
  store.run('update customer_location set directions = ? where id = ?', directions, id);
}

/**
 * Checks the `customer_location` of an order (spec, 'Orders'): an `id` must be one of the customer's, and the other
 * fields update that location; without `id` a new one is made.
 *
 * @param customer the plan of the order's customer; undefined if that is faulty. `existing` is undefined if the order
 *   makes the customer
 * @returns `apply` makes or updates the location, when its customer exists, and returns its id; undefined if there are
 *   faults. They are noted in `problems`: the caller throws them, and carries out no plan
 */
export function planLocation(
  store: Store,
  merchant: number,
  customer: { existing: CustomerRow | undefined } | undefined,
  fields: OrderCreate['customer_location'],
  problems: Problems,
) {
  const field = 'customer_location';
  if (problems.has(field)) return undefined;
  const area = fields.area && planArea(store, merchant, fields.area, problems, `${field}.area`);
  if (problems.has(`${field}.id`)) return undefined;
  if (fields.id === undefined) {
    // A new location needs an area.
    if (!fields.area && !problems.has(`${field}.area`)) problems.add(`${field}.area`, 'This field is required.');
    if (!area) return undefined;
    const apply = (owner: number) => insertLocation(store, merchant, owner, area, fields.directions);
    return { district: districtOf(area), apply };
  }
  // Nobody knows whose the location must be.
  if (!customer) return undefined;
  // A customer that the order makes has no location yet.
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

/** The area of a location: one that exists (`existing`), or the checked details of a new one. */
type AreaPlan = { existing: AreaRow } | { details: NewArea };
/** An area that one merchant alone sees. */
type NewArea = Omit<Required<AreaDetails>, 'id'>;

/**
 * Checks the area that a location names: by the id of a shared area or one of this merchant, or by full details (a
 * name, `district`, `lat` and `long`). Undefined if there are faults; they are noted under `field`.
 */
export function planArea(
  store: Store,
  merchant: number,
  area: AreaDetails,
  problems: Problems,
  field: string,
): AreaPlan | undefined {
  if (problems.has(`${field}.id`)) return undefined;
  if (area.id !== undefined) {
    const sql = 'select * from area where id = ? and (merchant_id is null or merchant_id = ?)';
    const existing = store.get<AreaRow>(sql, area.id, merchant);
    if (!existing) problems.addMissing(`${field}.id`, 'Area');
    return existing && { existing };
  }
  const { name_en, name_ar, district, lat, long } = area;
  const required = (name: string) => problems.add(`${field}.${name}`, 'This field is required.');
  if (!name_en?.trim() && !name_ar?.trim()) required('name_en');
  if (district === undefined) required('district');
  else if (!isDistrict(district)) problems.add(`${field}.district`, `${quote(district)} is not a valid choice.`);
  checkCoordinate(lat, 90, problems, `${field}.lat`);
  checkCoordinate(long, 180, problems, `${field}.long`);
  if (problems.within(field)) return undefined;
  return {
    details: {
      name_ar: name_ar ?? name_en ?? '',
      name_en: name_en ?? name_ar ?? '',
      district: district ?? '',
      lat: lat ?? '',
      long: long ?? '',
      maps_link: area.maps_link ?? '',
      is_external: area.is_external ?? true,
    },
  };
}

function checkCoordinate(text: string | undefined, limit: number, problems: Problems, field: string): void {
  if (text === undefined) problems.add(field, 'This field is required.');
  else if (Math.abs(Number(text)) > limit) problems.add(field, `Ensure this value is between -${limit} and ${limit}.`);
}

/** The district of a planned area, by which the delivery is priced. */
function districtOf(plan: AreaPlan): string {
  return 'existing' in plan ? plan.existing.district : plan.details.district;
}

/** Makes a planned area if it is new, for this merchant only. @returns its id */
function applyArea(store: Store, merchant: number, plan: AreaPlan): number {
  return 'existing' in plan ? plan.existing.id : insertArea(store, merchant, plan.details);
}

/** Makes an area that only one merchant sees. @returns its id */
function insertArea(store: Store, merchant: number, details: NewArea): number {
  const is_external = details.is_external ? 1 : 0;
  const id = store.insert('area', { ...details, merchant_id: merchant, code: '', is_external });
  store.run('update area set code = ? where id = ?', `EXT-${id}`, id);
  return id;
}

/** The most decimals of a coordinate (spec, 'Area'). */
const COORDINATE_DECIMALS = 15;

/**
 * Makes an external area from coordinates (spec, 'Areas'). Its district is that of the nearest shared area. Call it
 * within `store.write`.
 *
 * @returns the area's id
 * @throws ServiceError 400 with every fault of the body
 */
export function createArea(store: Store, merchant: number, { value, problems }: Decoded<AreaCreate>): number {
  const { lat, lng, name } = value;
  if (Math.abs(lat) > 90) problems.add('lat', 'Ensure this value is between -90 and 90.');
  if (Math.abs(lng) > 180) problems.add('lng', 'Ensure this value is between -180 and 180.');
  if (typeof name === 'string' && name.trim() === '') problems.add('name', 'This field may not be blank.');
  problems.throwIfAny();
  const id = insertArea(store, merchant, {
    name_ar: name,
    name_en: name,
    district: nearestDistrict(store, lat, lng),
    lat: coordinateText(lat),
    long: coordinateText(lng),
    maps_link: `https://maps.google.com/?q=${coordinateText(lat)},${coordinateText(lng)}`,
    is_external: true,
  });
  store.run("update area set tags = 'external' where id = ?", id);
  return id;
}

/** The number as a plain decimal, without an exponent. */
function coordinateText(value: number): string {
  const shortest = String(value);
  if (/^-?\d+(\.\d{1,15})?$/.test(shortest)) return shortest;
  const fixed = value.toFixed(COORDINATE_DECIMALS).replace(/\.?0+$/, '');
  return fixed === '-0' ? '0' : fixed;
}

/** By squared degrees, which are exact enough on the company's small map; 0.83 is the cosine of its latitude. */
function nearestDistrict(store: Store, lat: number, lng: number): string {
  const distance = (area: AreaRow) => (Number(area.lat) - lat) ** 2 + ((Number(area.long) - lng) * 0.83) ** 2;
  const areas = store.all<AreaRow>('select * from area where merchant_id is null order by id');
  const [nearest] = areas.sort((a, b) => distance(a) - distance(b));
  return nearest?.district ?? 'Beirut';
}
