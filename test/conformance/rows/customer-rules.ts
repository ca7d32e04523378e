import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { areaDetails, newArea, newCustomer, newLocation, newPhone } from '../makers.ts';
import { section } from './row.ts';

/** Sends an area with a location, and answers the details of the refusal. */
async function refusesArea(api: Api, changes: Record<string, unknown>): Promise<string> {
  const { id } = await newCustomer(api);
  const json = { area: await areaDetails(api, changes) };
  return (await api.refused(400, 'POST', `customers/${id}/locations/`, { json })).details;
}

async function takesArea(api: Api, changes: Record<string, unknown>): Promise<void> {
  const { id } = await newCustomer(api);
  const { area } = await newLocation(api, id, { area: await areaDetails(api, changes) });
  expect(area).toMatchObject(changes);
}

/** A text of the area's table with its greatest length. */
const lengthOf = (field: string, length: number) => ({
  id: `area.${field}.length`,
  says: `${field} of an area has at most ${length} characters`,
  async test(api: Api) {
    await takesArea(api, { [field]: 'é'.repeat(length) });
    expect(await refusesArea(api, { [field]: 'é'.repeat(length + 1) })).toMatch(new RegExp(`\\b${field}: `));
  },
});

export const customerRuleRows = [
  ...section('Customer', [
    {
      id: 'customer.id.read-only',
      says: 'id is read-only',
      async test(api) {
        const { id } = await newCustomer(api);
        const reply = await api.patch<{ id: number }>(`customers/${id}/`, { id: id + 1_000, name: 'X' });
        expect(reply.body.id).toBe(id);
      },
    },
    {
      id: 'customer.phone_number.required',
      says: 'phone_number is required on creation; the other fields are not',
      choice: 'Mandatory for a customer',
      async test(api) {
        for (const json of [{}, { name: 'A' }, { phone_number: '' }, { phone_number: '  ' }, { phone_number: null }]) {
          expect((await api.refused(400, 'POST', 'customers/', { json })).details).toMatch(/^phone_number: /);
        }
        expect((await api.refused(400, 'POST', 'customers/')).details).toMatch(/^phone_number: /);
        expect((await api.post('customers/', { phone_number: newPhone() })).status).toBe(201);
      },
    },
    {
      id: 'customer.phone_number.missing',
      says: 'A customer without phone_number is not created',
      async test(api) {
        const { details } = await api.refused(400, 'POST', 'customers/', { json: { name: 'Nobody' } });
        expect(details).toMatch(/phone_number/);
      },
    },
    {
      id: 'customer.phone_number.unique',
      says: 'phone_number is unique: a second customer cannot have it, neither made nor changed',
      async test(api) {
        const { phone_number } = await newCustomer(api);
        const again = { name: 'Again', phone_number };
        expect((await api.refused(400, 'POST', 'customers/', { json: again })).details).toMatch(/^phone_number: /);
        const other = await newCustomer(api);
        const path = `customers/${other.id}/`;
        expect((await api.refused(400, 'PATCH', path, { json: { phone_number } })).details).toMatch(/^phone_number: /);
        expect(await api.read(path)).toEqual(other);
        expect((await api.patch(path, { phone_number: other.phone_number })).status).toBe(200);
      },
    },
    {
      id: 'customer.absent',
      says: 'What absent texts are shown as is not shown for each: null, and an empty text',
      choice: '`secondary_phone_number`, `email` absent',
      async test(api) {
        const reply = await api.post('customers/', { phone_number: newPhone() });
        expect(reply.body).toMatchObject({ name: '', secondary_phone_number: null, email: '' });
      },
    },
    {
      id: 'customer.secondary.absent',
      says: 'secondary_phone_number is an empty text or null when absent; email an empty text',
      async test(api) {
        const customer = await newCustomer(api, { secondary_phone_number: '', email: '' });
        expect(['', null]).toContain(customer.secondary_phone_number);
        expect(customer.email).toBe('');
        const none = await newCustomer(api, { secondary_phone_number: null });
        expect(['', null]).toContain(none.secondary_phone_number);
      },
    },
    {
      id: 'customer.email.format',
      says: 'email is in email format',
      async test(api) {
        for (const email of ['nobody', 'a@', '@b.com', 'a b@c.com', 'a@b', 5]) {
          const json = { phone_number: newPhone(), email };
          expect((await api.refused(400, 'POST', 'customers/', { json })).details).toMatch(/^email: /);
        }
        expect((await newCustomer(api, { email: 'first.last+tag@shop.example.com' })).email).toContain('+tag');
      },
    },
    ...['name', 'phone_number', 'secondary_phone_number', 'email'].map((field) => ({
      id: `customer.${field}.type`,
      says: `${field} is a text`,
      async test(api: Api) {
        const { id } = await newCustomer(api);
        for (const value of [5, true, {}, ['x']]) {
          const { details } = await api.refused(400, 'PATCH', `customers/${id}/`, { json: { [field]: value } });
          expect(details).toMatch(new RegExp(`^${field}: `));
        }
      },
    })),
  ]),
  ...section('Customer location', [
    {
      id: 'location.id.read-only',
      says: 'id of a location is read-only',
      async test(api) {
        const { id } = await newCustomer(api);
        const location = await newLocation(api, id, { id: 77_777 });
        expect(location.id).not.toBe(77_777);
      },
    },
    {
      id: 'location.directions.absent',
      says: 'directions are an empty text when absent',
      async test(api) {
        const { id } = await newCustomer(api);
        expect((await newLocation(api, id, { directions: undefined })).directions).toBe('');
      },
    },
  ]),
  ...section('Area', [
    lengthOf('name_ar', 200),
    lengthOf('name_en', 200),
    lengthOf('maps_link', 200),
    {
      id: 'area.district.length',
      says: 'district of an area has at most 50 characters',
      test: async (api) => expect(await refusesArea(api, { district: 'D'.repeat(51) })).toMatch(/\bdistrict: /),
    },
    {
      id: 'area.district.choice',
      says: 'An invalid district is rejected with a validation error: not a valid choice',
      async test(api) {
        for (const district of ['Atlantis', 'beirut', 'toString', '__proto__']) {
          expect(await refusesArea(api, { district })).toMatch(/\bdistrict: .*not a valid choice/);
        }
      },
    },
    ...['lat', 'long'].flatMap((field) => [
      {
        id: `area.${field}.format`,
        says: `${field} is a decimal with an optional minus sign, up to 3 integer and up to 15 fractional digits`,
        async test(api: Api) {
          for (const value of ['5', '-5.5', '33.123456789012345', '-0.000000000000001', '012.5']) {
            await takesArea(api, { [field]: value });
          }
          for (const value of [
            '1234',
            '33.1234567890123456',
            '+5',
            '.5',
            '5.',
            '1e1',
            'north',
            '',
            '٣٣',
            '5,5',
            ' 5',
          ]) {
            expect(await refusesArea(api, { [field]: value }), value).toMatch(new RegExp(`\\b${field}: `));
          }
        },
      },
      {
        id: `area.${field}.text`,
        says: `${field} is a text`,
        test: async (api: Api) =>
          expect(await refusesArea(api, { [field]: 33.5 })).toMatch(new RegExp(`\\b${field}: `)),
      },
    ]),
    {
      id: 'area.is_external.coordinates',
      says: 'is_external is true for areas created from coordinates',
      async test(api) {
        const { id, is_external } = await newArea(api);
        expect(is_external).toBe(true);
        const customer = await newCustomer(api);
        expect((await newLocation(api, customer.id, { area: { id } })).area?.is_external).toBe(true);
      },
    },
    {
      id: 'area.tags.created',
      says: 'tags are returned by external-area creation',
      test: async (api) => expect(await newArea(api)).toHaveProperty('tags'),
    },
    {
      id: 'area.name.length',
      says: 'The name of an external area has at most 200 characters, as name_ar and name_en have',
      async test(api) {
        await newArea(api, { name: 'n'.repeat(200) });
        const json = { lat: 33.9, lng: 35.5, name: 'n'.repeat(201) };
        expect((await api.refused(400, 'POST', 'areas/create/', { json })).details).toMatch(/^name: /);
      },
    },
    {
      id: 'area.coordinates',
      says: 'A coordinate that a number holds is shown in the format of lat and long',
      async test(api) {
        for (const lat of [0, -0, 1e-15, 89.999999999999, -33.000000000001, 1e-20]) {
          expect((await newArea(api, { lat })).lat).toMatch(/^-?\d{1,3}(\.\d{1,15})?$/);
        }
      },
    },
  ]),
];
