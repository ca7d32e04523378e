import type { Area, ReducedArea } from '../../api/wire.ts';
import type { AreaRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

/** An area with the name of its group. */
export type AreaRecord = AreaRow & { group_name: string | null };

const SELECT =
  'select area.*, area_group.name as group_name from area left join area_group on area_group.id = area_group_id';

/** An area by id, whoever owns it. */
export function readArea(store: Store, id: number): AreaRecord {
  return store.get<AreaRecord>(`${SELECT} where area.id = ?`, id) as AreaRecord;
}

/** Areas by id, whoever owns them. */
export function readAreas(store: Store, ids: readonly number[]): Map<number, AreaRecord> {
  const rows = store.all<AreaRecord>(
    `${SELECT} where area.id in (select value from json_each(?))`,
    JSON.stringify(ids),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The areas that all merchants share. */
export function readSharedAreas(store: Store): AreaRecord[] {
  return store.all<AreaRecord>(`${SELECT} where area.merchant_id is null order by area.id`);
}

/** An area as it travels (spec, 'Area'). */
export function presentArea(row: AreaRecord): Area {
  return {
    ...presentReducedArea(row),
    maps_link: row.maps_link,
    is_external: row.is_external === 1,
    area_group: row.area_group_id === null ? null : { id: row.area_group_id, name: row.group_name ?? '' },
    tags: row.tags,
  };
}

/** The form of the available-areas list. */
export function presentReducedArea(row: AreaRecord): ReducedArea {
  const { id, name_ar, name_en, district, code, lat, long } = row;
  return { id, name_ar, name_en, district, code, lat, long };
}
