import { expect } from 'vitest';
import type { Area } from '../../../src/api/wire.ts';
import type { Api } from '../api.ts';
import { areaDetails, newArea, newCustomer, newLocation } from '../makers.ts';
import { samplesOf } from '../samples.ts';
import { section } from './row.ts';

export const areaRows = [
  ...section('Endpoints: Areas', [
    {
      id: 'areas.list',
      says: 'The available areas are an array without pages',
      async test(api) {
        const reply = await api.get<unknown[]>('areas/');
        expect(reply.body).toBeInstanceOf(Array);
        expect(reply.body.length).toBeGreaterThan(0);
      },
    },
    {
      id: 'areas.available',
      says: 'Which areas are available is not shown: those that all merchants share',
      choice: 'Available areas',
      async test(api) {
        const before = (await api.list('areas/')).items;
        const { id } = await newArea(api);
        expect((await api.list('areas/')).items).toEqual(before);
        const customer = await newCustomer(api);
        expect((await newLocation(api, customer.id, { area: { id } })).area?.id).toBe(id);
      },
    },
    {
      id: 'areas.create',
      says: 'POST /areas/create/ answers 201 with an Area, with tags, area_group and is_external true',
      async test(api) {
        const reply = await api.post<Area>('areas/create/', { lat: 33.123456, lng: -35.5, name: 'Bliss Street' });
        expect(reply.status).toBe(201);
        const { lat, long, is_external, tags } = reply.body;
        expect([Number(lat), Number(long), is_external]).toEqual([33.123456, -35.5, true]);
        expect(tags).toBeTypeOf('string');
        expect(reply.body).toHaveProperty('area_group');
        expect([reply.body.name_en, reply.body.name_ar]).toContain('Bliss Street');
      },
    },
    ...['lat', 'lng', 'name'].map((field) => ({
      id: `areas.create.${field}`,
      says: `${field} of an external area is ${field === 'name' ? 'a text' : 'a number'}, and needed`,
      async test(api: Api) {
        const body = { lat: 33.9, lng: 35.5, name: 'Hill' };
        const wrong = field === 'name' ? [5, null, undefined, {}] : ['north', null, undefined, true];
        for (const value of wrong) {
          const json = { ...body, [field]: value };
          expect((await api.refused(400, 'POST', 'areas/create/', { json })).details).toMatch(
            new RegExp(`^${field}: `),
          );
        }
      },
    })),
    {
      id: 'areas.districts',
      says: 'The valid districts are not shown: those of Lebanon; one made from coordinates takes the nearest',
      choice: 'Districts',
      async test(api) {
        const { items } = await api.list<Area>('areas/');
        const north = items.find(({ district }) => district === 'Tripoli') as Area;
        const made = await newArea(api, { lat: Number(north.lat), lng: Number(north.long) });
        expect(made.district).toBe('Tripoli');
        const { id } = await newCustomer(api);
        for (const district of new Set(items.map((area) => area.district as string))) {
          expect((await newLocation(api, id, { area: await areaDetails(api, { district }) })).area?.district).toBe(
            district,
          );
        }
      },
    },
  ]),
  ...section('Endpoints: Pickup locations', [
    {
      id: 'pickups.list',
      says: 'The pickup locations are an array without pages',
      test: async (api) => expect((await api.get('pickups/')).body).toBeInstanceOf(Array),
    },
    {
      id: 'pickups.merchant',
      says: 'They are all of one merchant, and their ids serve as merchant_location of orders',
      async test(api) {
        const { items } = await api.list<{ id: number; merchant: number }>('pickups/');
        expect(new Set(items.map(({ merchant }) => merchant)).size).toBe(1);
        const ids = items.map(({ id }) => id);
        for (const order of await samplesOf(api, 'orders')) expect(ids).toContain(order.merchant_location);
      },
    },
    {
      id: 'pickups.opening_hours',
      says: 'The structure of opening_hours is not shown: null, or days with the hours from and to',
      choice: '`opening_hours`',
      async test(api) {
        for (const { opening_hours } of await samplesOf(api, 'pickups')) {
          for (const hours of Object.values(opening_hours ?? {})) {
            expect(hours).toEqual([expect.stringMatching(/^\d\d:\d\d$/), expect.stringMatching(/^\d\d:\d\d$/)]);
          }
        }
      },
    },
  ]),
];
