import type { AreaCreate } from '../../api/wire.ts';
import type { Decoded } from '../http/decode.ts';
import type { AreaRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { insertOwnArea } from './area.ts';

/** The most decimals of a coordinate (spec, 'Area'). */
const COORDINATE_DECIMALS = 15;

/**
 * Makes an external area of coordinates (spec, 'Areas'); its district is that of the nearest shared area. Only within
 * `store.write`.
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

/** The shortest text of the number, without an exponent. */
function coordinateText(value: number): string {
  const shortest = String(value);
  if (/^-?\d+(\.\d{1,15})?$/.test(shortest)) return shortest;
  const fixed = value.toFixed(COORDINATE_DECIMALS).replace(/\.?0+$/, '');
  return fixed === '-0' ? '0' : fixed;
}

/** On a map as small as the company's, the nearest in degrees (a degree of longitude is shorter there) is near enough. */
function nearestDistrict(store: Store, lat: number, lng: number): string {
  const distance = (area: AreaRow) => (Number(area.lat) - lat) ** 2 + ((Number(area.long) - lng) * 0.83) ** 2;
  const areas = store.all<AreaRow>('select * from area where merchant_id is null order by id');
  const nearest = areas.reduce<AreaRow | undefined>(
    (best, area) => (best && distance(best) <= distance(area) ? best : area),
    undefined,
  );
  return nearest?.district ?? 'Beirut';
}
