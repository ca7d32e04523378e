import type { Area, ReducedArea } from '../../api/wire.ts';
import { createArea } from '../rules/area.ts';
import { type AreaRecord, readArea, readSharedAreas } from '../store/areas.ts';
import type { Handlers } from './handler.ts';

export const areaHandlers = {
  areas: ({ store }) => readSharedAreas(store).map(presentReducedArea),
  createArea: ({ store, merchant, body }) =>
    store.write(() => presentArea(readArea(store, createArea(store, merchant, body)))),
} satisfies Pick<Handlers, 'areas' | 'createArea'>;

/** An area in full (spec, 'Area'). */
export function presentArea(row: AreaRecord): Area {
  return {
    ...presentReducedArea(row),
    maps_link: row.maps_link,
    is_external: row.is_external === 1,
    area_group: row.area_group_id === null ? null : { id: row.area_group_id, name: row.group_name ?? '' },
    tags: row.tags,
  };
}

/** An area as the list of available areas shows it. */
function presentReducedArea(row: AreaRecord): ReducedArea {
  const { id, name_ar, name_en, district, code, lat, long } = row;
  return { id, name_ar, name_en, district, code, lat, long };
}
