import type { AreaCreate, AreaDetails } from '../../api/wire.ts';
import type { Decoded } from '../http/decode.ts';
import { type Problems, quote } from '../http/problems.ts';
import { isDistrict } from '../store/areas.ts';
import type { AreaRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

/** The area of a location: one that exists (`existing`), or the checked details of a new one. */
export type AreaPlan = { existing: AreaRow } | { details: Required<AreaDetails> };

/**
 * Checks the area that a location names: by the id of a shared area or one of the merchant's own, or by full details (a
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
      id: 0, // it has none until it is made
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
export function districtOf(plan: AreaPlan): string {
  return 'existing' in plan ? plan.existing.district : plan.details.district;
}

/** Makes a planned area if it is new, for this merchant only. @returns its id */
export function applyArea(store: Store, merchant: number, plan: AreaPlan): number {
  if ('existing' in plan) return plan.existing.id;
  return insertOwnArea(store, merchant, plan.details);
}

/** Makes an area that only one merchant sees. @returns its id */
function insertOwnArea(store: Store, merchant: number, details: Omit<Required<AreaDetails>, 'id'>): number {
  const { name_ar, name_en, district, lat, long, maps_link, is_external } = details;
  const id = store.run(
    `insert into area (merchant_id, name_ar, name_en, district, lat, long, maps_link, code, is_external)
     values (?, ?, ?, ?, ?, ?, ?, '', ?)`,
    [merchant, name_ar, name_en, district, lat, long, maps_link, is_external ? 1 : 0],
  );
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
  const id = insertOwnArea(store, merchant, {
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
  const nearest = areas.reduce<AreaRow | undefined>(
    (best, area) => (best && distance(best) <= distance(area) ? best : area),
    undefined,
  );
  return nearest?.district ?? 'Beirut';
}
