import { Area, AreaCreate, ReducedArea } from '../../api/wire.ts';
import { presentArea, presentReducedArea, readArea, readSharedAreas } from '../present/area.ts';
import { createArea } from '../rules/external-area.ts';
import { operation } from './operation.ts';

export const areaOperations = [
  operation({
    id: 'areas',
    method: 'GET',
    path: '/areas/',
    summary: 'List the available areas',
    answers: 'list',
    schema: ReducedArea,
    handle: ({ store }) => readSharedAreas(store).map(presentReducedArea),
  }),
  operation({
    id: 'createArea',
    method: 'POST',
    path: '/areas/create/',
    summary: 'Create an external area from coordinates, where no internal area matches',
    body: AreaCreate,
    status: 201,
    answers: 'one',
    schema: Area,
    handle: ({ store, merchant, body }) =>
      store.write(() => presentArea(readArea(store, createArea(store, merchant, body)))),
  }),
];
