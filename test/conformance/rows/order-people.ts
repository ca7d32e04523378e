import { expect } from 'vitest';
import type { Customer, CustomerLocation } from '../../../src/api/wire.ts';
import type { Api } from '../api.ts';
import { areaDetails, newArea, newCustomer, newLocation, newOrder, newPhone, orderBody } from '../makers.ts';
import { refuses } from '../refusal.ts';
import { section } from './row.ts';

const customerOf = async (api: Api, id: number) => api.read<Customer>(`customers/${id}/`);
const locationsOf = async (api: Api, id: number) =>
  (await api.list<CustomerLocation>(`customers/${id}/locations/`)).items;

export const orderPeopleRows = [
  ...section('Endpoints: Orders', [
    {
      id: 'order-customer.id',
      says: 'Rule 2 for customer: an id identifies the customer, and the other fields update that record',
      async test(api) {
        const { id, phone_number } = await newCustomer(api, { email: 'kept@example.com' });
        const order = await newOrder(api, { customer: { id, name: 'Changed by order' } });
        expect(order.customer).toMatchObject({ id, name: 'Changed by order', phone_number });
        expect(await customerOf(api, id)).toMatchObject({ name: 'Changed by order', email: 'kept@example.com' });
      },
    },
    {
      id: 'order-customer.id.unknown',
      says: 'An id that is no customer of the merchant, or a location of another customer, makes no order; how is not shown',
      choice: "`customer.id`, `customer_location.id`, `area.id` that is not the merchant's (or not the customer's)",
      async test(api) {
        expect(await refuses(api, { customer: { id: 999_999 } }, 404)).toBe('customer.id: Customer not found.');
        expect(await refuses(api, { customer: { id: 999_999 }, workflow: 'X' })).toMatch(/customer.id: /);
        const { id } = await newCustomer(api);
        const { id: foreign } = await newLocation(api, (await newCustomer(api)).id);
        const details = await refuses(api, { customer: { id }, customer_location: { id: foreign } }, 404);
        expect(details).toBe('customer_location.id: Customer location not found.');
        const area = { id: 999_999 };
        expect(await refuses(api, { customer_location: { area } }, 404)).toBe(
          'customer_location.area.id: Area not found.',
        );
      },
    },
    {
      id: 'order-customer.id.taken',
      says: "A phone number belongs to at most one customer, so that an order cannot give a customer another's",
      async test(api) {
        const [mine, other] = [await newCustomer(api), await newCustomer(api)];
        const customer = { id: mine.id, phone_number: other.phone_number };
        expect(await refuses(api, { customer })).toMatch(/\bphone_number: /);
        expect(await customerOf(api, mine.id)).toEqual(mine);
      },
    },
    {
      id: 'order-customer.phone.found',
      says: 'Rule 3 for customer: with only a phone number, the customer who has it is found',
      async test(api) {
        const { id, phone_number } = await newCustomer(api);
        const order = await newOrder(api, { customer: { phone_number, name: 'Nadia Haddad' } });
        expect(order.customer?.id).toBe(id);
      },
    },
    {
      id: 'order-customer.phone.kept',
      says: 'Whether a customer found by phone number is updated is not shown: it is used as it is',
      choice: 'Customer found by phone number on an order',
      async test(api) {
        const known = await newCustomer(api, { email: 'first@example.com' });
        const { phone_number } = known;
        await newOrder(api, { customer: { phone_number, name: 'Another', email: 'second@example.com' } });
        expect(await customerOf(api, known.id)).toEqual(known);
      },
    },
    {
      id: 'order-customer.phone.made',
      says: 'Rule 3 for customer: where nobody has the phone number, the customer is made with the other fields',
      async test(api) {
        const customer = { phone_number: newPhone(), name: 'New Person', email: 'new@example.com' };
        const order = await newOrder(api, { customer });
        expect(order.customer).toMatchObject(customer);
        expect(await customerOf(api, order.customer?.id as number)).toMatchObject(customer);
      },
    },
    {
      id: 'order-customer.phone.missing',
      says: 'A customer without id and phone_number is a missing field: 400',
      async test(api) {
        expect(await refuses(api, { customer: { name: 'Nobody' } })).toMatch(/\bphone_number: /);
        expect(await refuses(api, { customer: { phone_number: '' } })).toMatch(/\bphone_number: /);
      },
    },
    {
      id: 'order-customer.email',
      says: "The customer's email is in email format",
      async test(api) {
        const customer = { phone_number: newPhone(), email: 'not an address' };
        expect(await refuses(api, { customer })).toMatch(/\bemail: /);
      },
    },
    {
      id: 'order-location.id',
      says: 'Rule 2 for customer_location: an id names a location of the customer, and the other fields update it',
      async test(api) {
        const { id } = await newCustomer(api);
        const location = await newLocation(api, id, { directions: 'Old' });
        const order = await newOrder(api, {
          customer: { id },
          customer_location: { id: location.id, directions: 'New' },
        });
        expect(order.customer_location).toEqual({ ...location, directions: 'New' });
        expect(await locationsOf(api, id)).toEqual([{ ...location, directions: 'New' }]);
      },
    },
    {
      id: 'order-location.id.alone',
      says: 'An id alone leaves the location as it is',
      async test(api) {
        const { id } = await newCustomer(api);
        const location = await newLocation(api, id);
        const order = await newOrder(api, { customer: { id }, customer_location: { id: location.id } });
        expect(order.customer_location).toEqual(location);
      },
    },
    {
      id: 'order-location.foreign',
      says: 'Rule 2 for customer_location: a location that is not the customer’s is refused',
      async test(api) {
        const { id } = await newCustomer(api);
        const { id: location } = await newLocation(api, (await newCustomer(api)).id, { directions: 'Kept' });
        const json = await orderBody(api, {
          customer: { id },
          customer_location: { id: location, directions: 'Mine' },
        });
        const reply = await api.post('orders/', json);
        expect([400, 404], reply.text).toContain(reply.status);
      },
    },
    {
      id: 'order-location.area',
      says: 'What an area beside customer_location.id does is not shown: the location moves there',
      choice: '`customer_location.id` with `area` on an order',
      async test(api) {
        const { id } = await newCustomer(api);
        const location = await newLocation(api, id);
        const area = await newArea(api);
        const order = await newOrder(api, {
          customer: { id },
          customer_location: { id: location.id, area: { id: area.id } },
        });
        expect(order.customer_location).toEqual({ ...location, area });
      },
    },
    {
      id: 'order-location.made',
      says: 'Rule 3 for customer_location: full details make a new location of the customer',
      async test(api) {
        const { id } = await newCustomer(api);
        const area = await areaDetails(api, { name_en: 'Bliss Street', name_ar: 'شارع بلس' });
        const order = await newOrder(api, { customer: { id }, customer_location: { directions: 'Gate 2', area } });
        expect(order.customer_location).toMatchObject({ directions: 'Gate 2', area: { name_en: 'Bliss Street' } });
        expect(await locationsOf(api, id)).toEqual([order.customer_location]);
      },
    },
    {
      id: 'order-location.incomplete',
      says: 'A location without id and without area details is not made: 400',
      async test(api) {
        expect(await refuses(api, { customer_location: { directions: 'x' } })).toMatch(/\barea\b/);
      },
    },
    {
      id: 'order-location.atomic',
      says: 'An order that is refused leaves no customer and no location behind',
      async test(api) {
        const phone_number = newPhone();
        const changes = { customer: { phone_number, name: 'Ghost' }, number_of_packages: 0 };
        const before = (await api.list('customers/', { page_size: 1 })).count;
        await refuses(api, changes);
        expect((await api.list('customers/', { page_size: 1 })).count).toBe(before);
      },
    },
    {
      id: 'order-merchant_location',
      says: "merchant_location must be one of the merchant's pickup locations",
      async test(api) {
        const { items } = await api.list<{ id: number; is_active: boolean }>('pickups/');
        for (const { id } of items.filter((pickup) => pickup.is_active)) {
          expect((await newOrder(api, { merchant_location: id })).merchant_location).toBe(id);
        }
      },
    },
    {
      id: 'order-merchant_location.foreign',
      says: 'What a merchant_location that is none of them gets is not shown: 400',
      choice: "`merchant_location` that is not one of the merchant's (or not active)",
      async test(api) {
        for (const merchant_location of [0, -1, 999_999]) {
          expect(await refuses(api, { merchant_location })).toMatch(/^merchant_location: /);
        }
      },
    },
  ]),
];
