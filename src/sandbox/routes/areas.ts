import { presentArea, presentReducedArea, readArea, readSharedAreas } from '../present/area.ts';
import { createArea } from '../rules/external-area.ts';
import type { Handlers } from './handler.ts';

export const areaHandlers = {
  areas: ({ store }) => readSharedAreas(store).map(presentReducedArea),
  createArea: ({ store, merchant, body }) =>
    store.write(() => presentArea(readArea(store, createArea(store, merchant, body)))),
} satisfies Pick<Handlers, 'areas' | 'createArea'>;
