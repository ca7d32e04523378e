import { expect } from 'vitest';
import type { Customer, CustomerLocation } from '../../../src/api/wire.ts';
import type { Api } from '../api.ts';
import { areaDetails, newCustomer, newLocation, newPhone } from '../makers.ts';
import { section } from './row.ts';

const customersOf = (api: Api, query: Record<string, string | number | boolean>) =>
  api.list<Customer>('customers/', query);

export const customerRows = [
  ...section('Endpoints: Customers', [
    {
      id: 'customers.locations.off',
      says: 'locations are present only where the option is switched on',
      async test(api) {
        const { id } = await newCustomer(api);
        await newLocation(api, id);
        expect(await api.read<Customer>(`customers/${id}/`)).not.toHaveProperty('locations');
        for (const customer of (await customersOf(api, {})).items) expect(customer).not.toHaveProperty('locations');
        const patched = await api.patch<Customer>(`customers/${id}/`, { name: 'X' });
        expect(patched.body).not.toHaveProperty('locations');
        expect(await newCustomer(api)).not.toHaveProperty('locations');
      },
    },
    {
      id: 'customers.locations.on',
      says: "A boolean includes each customer's locations in list and retrieve; its name is not shown",
      choice: 'Names of the customer parameters',
      async test(api) {
        const { id, phone_number } = await newCustomer(api);
        const locations = [await newLocation(api, id), await newLocation(api, id)];
        const on = { include_locations: true };
        expect((await api.read<Customer>(`customers/${id}/`, on)).locations).toEqual(locations);
        const { items } = await customersOf(api, { ...on, phone_number: String(phone_number) });
        expect(items[0]?.locations).toEqual(locations);
        for (const customer of (await customersOf(api, on)).items) expect(customer.locations).toBeInstanceOf(Array);
        expect(await api.read<Customer>(`customers/${id}/`, { include_locations: false })).not.toHaveProperty(
          'locations',
        );
        for (const name of ['with_locations', 'show_locations', 'expand_locations', 'locations']) {
          expect((await api.read<Customer>(`customers/${id}/`, { [name]: true })).locations).toEqual(locations);
        }
        await api.refused(400, 'GET', `customers/${id}/`, { query: { include_locations: 'perhaps' } });
      },
    },
    {
      id: 'customers.phone-filter',
      says: 'A phone-number filter yields at most one customer; its name is not shown',
      choice: 'Names of the customer parameters',
      async test(api) {
        const customer = await newCustomer(api);
        const found = await customersOf(api, { phone_number: String(customer.phone_number) });
        expect(found).toEqual({ items: [customer], count: 1, next: null, previous: null });
        expect(await customersOf(api, { phone: String(customer.phone_number) })).toEqual(found);
        const part = await customersOf(api, { phone_number: String(customer.phone_number).slice(0, -1) });
        expect(part.items).toEqual([]);
        expect((await customersOf(api, { phone_number: newPhone() })).count).toBe(0);
        expect((await customersOf(api, { phone_number: "' or 1=1 --" })).count).toBe(0);
      },
    },
    {
      id: 'customers.phone-filter.plus',
      says: 'What an unencoded + in the filter or a form means is not shown: the plus of the number',
      choice: 'Phone number in a query or form whose `+` was not encoded',
      async test(api) {
        const { id, phone_number } = await newCustomer(api);
        const { items } = await api.list<Customer>(`customers/?phone_number=${phone_number}`);
        expect(items.map((customer) => customer.id)).toEqual([id]);
        const phone = newPhone();
        const raw = `name=A&phone_number=${phone}`;
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
        const made = await api.post<Customer>('customers/', undefined, { raw, headers });
        expect(made.body.phone_number).toBe(phone);
        const spaced = newPhone();
        expect((await newCustomer(api, { phone_number: `  ${spaced} ` })).phone_number).toBe(spaced);
      },
    },
    {
      id: 'customers.create',
      says: 'POST makes a customer of name, phone_number, secondary_phone_number and email',
      async test(api) {
        const body = {
          name: 'Hadi',
          phone_number: newPhone(),
          secondary_phone_number: newPhone(),
          email: 'h@example.com',
        };
        const customer = await newCustomer(api, body);
        expect(customer).toEqual({ id: customer.id, ...body });
        expect(await api.read<Customer>(`customers/${customer.id}/`)).toEqual(customer);
      },
    },
    {
      id: 'customers.patch',
      says: 'PATCH changes any of the four fields and leaves the others',
      async test(api) {
        let customer = await newCustomer(api, { email: 'a@example.com', secondary_phone_number: newPhone() });
        for (const change of [
          { name: 'New name' },
          { phone_number: newPhone() },
          { secondary_phone_number: newPhone() },
          { email: 'b@example.com' },
          { name: 'Both', email: '' },
          {},
        ]) {
          const reply = await api.patch<Customer>(`customers/${customer.id}/`, change);
          expect(reply.body, reply.text).toEqual({ ...customer, ...change });
          customer = await api.read<Customer>(`customers/${customer.id}/`);
          expect(customer).toEqual(reply.body);
        }
      },
    },
  ]),
  ...section('Endpoints: Customer locations', [
    {
      id: 'locations.create',
      says: 'POST makes a location of an area object and directions',
      async test(api) {
        const { id } = await newCustomer(api);
        const area = await areaDetails(api, { name_en: 'Corniche', is_external: true });
        const location = await newLocation(api, id, { area, directions: 'By the sea' });
        expect(location).toMatchObject({ directions: 'By the sea', area });
        expect((await api.list<CustomerLocation>(`customers/${id}/locations/`)).items).toEqual([location]);
      },
    },
    {
      id: 'locations.create.details',
      says: 'Which area details are needed is not shown: an id, or a name, district, lat and long',
      choice: 'Full area details of a new location',
      async test(api) {
        const { id } = await newCustomer(api);
        const path = `customers/${id}/locations/`;
        const full = await areaDetails(api);
        for (const field of ['district', 'lat', 'long'] as const) {
          const area = { ...full, [field]: undefined };
          const { details } = await api.refused(400, 'POST', path, { json: { area } });
          expect(details).toMatch(new RegExp(`^area\\.${field}: `));
        }
        const nameless = { ...full, name_en: undefined, name_ar: undefined };
        expect((await api.refused(400, 'POST', path, { json: { area: nameless } })).details).toMatch(
          /^area\.name_en: /,
        );
        const { district, lat, long } = full;
        const least = await newLocation(api, id, { area: { name_ar: 'كورنيش', district, lat, long } });
        expect(least.area).toMatchObject({ name_en: 'كورنيش', name_ar: 'كورنيش', is_external: true, maps_link: '' });
        const byId = await newLocation(api, id, { area: { id: least.area?.id }, directions: undefined });
        expect(byId).toEqual({ ...least, id: byId.id, directions: '' });
        for (const [field, value] of [
          ['lat', '90.1'],
          ['lat', '-91'],
          ['long', '180.5'],
        ]) {
          const area = { ...full, [field as string]: value };
          expect((await api.refused(400, 'POST', path, { json: { area } })).details).toMatch(`area.${field}: `);
        }
      },
    },
    {
      id: 'locations.create.area',
      says: 'The area object is needed',
      async test(api) {
        const { id } = await newCustomer(api);
        for (const json of [{ directions: 'x' }, { area: null }, { area: 'Hamra' }, { area: [] }]) {
          expect((await api.refused(400, 'POST', `customers/${id}/locations/`, { json })).details).toMatch(/^area: /);
        }
      },
    },
    {
      id: 'locations.patch',
      says: 'PATCH changes directions, and nothing else',
      async test(api) {
        const { id } = await newCustomer(api);
        const location = await newLocation(api, id);
        const path = `customers/${id}/locations/${location.id}/`;
        const area = await areaDetails(api, { name_en: 'Elsewhere' });
        const changed = await api.patch<CustomerLocation>(path, { directions: 'Third door', area });
        expect(changed.body, changed.text).toEqual({ ...location, directions: 'Third door' });
        expect((await api.patch(path, {})).body).toEqual(changed.body);
        expect((await api.refused(400, 'PATCH', path, { json: { directions: 4 } })).details).toMatch(/^directions: /);
      },
    },
  ]),
];
