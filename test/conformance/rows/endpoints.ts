import { expect } from 'vitest';
import { type Operation, operations } from '../../../src/courier/operations.ts';
import type {
  Area,
  Customer,
  CustomerLocation,
  InvoiceDetail,
  InvoiceListItem,
  Order,
} from '../../../src/courier/wire.ts';
import type { Api } from '../api.ts';
import { areaDetails, newArea, newCustomer, newLocation, newOrder, newPhone, orderBody } from '../makers.ts';
import { samplesOf } from '../samples.ts';
import { NothingToTest, section } from './row.ts';

/** What a success of each operation is sent, and the status of the sandbox's choice. */
export const CALLS: Record<keyof typeof operations, (api: Api) => Promise<readonly [path: string, json?: unknown]>> = {
  orders: async () => ['orders/'],
  createOrder: async (api) => ['orders/', await orderBody(api)],
  order: async (api) => [`orders/${(await newOrder(api)).order_id}/`],
  requestPickup: async (api) => [`orders/${(await newOrder(api)).order_id}/request-pickup/`],
  cancelOrder: async (api) => [`orders/${(await newOrder(api)).order_id}/cancel/`],
  customers: async () => ['customers/'],
  createCustomer: async () => [
    'customers/',
    { name: 'A', phone_number: newPhone(), secondary_phone_number: '', email: '' },
  ],
  customer: async (api) => [`customers/${(await newCustomer(api)).id}/`],
  updateCustomer: async (api) => [`customers/${(await newCustomer(api)).id}/`, { name: 'B' }],
  customerLocations: async (api) => [`customers/${(await newCustomer(api)).id}/locations/`],
  createCustomerLocation: async (api) => [
    `customers/${(await newCustomer(api)).id}/locations/`,
    { area: await areaDetails(api), directions: 'Left' },
  ],
  updateCustomerLocation: async (api) => {
    const { id } = await newCustomer(api);
    return [`customers/${id}/locations/${(await newLocation(api, id)).id}/`, { directions: 'Right' }];
  },
  areas: async () => ['areas/'],
  createArea: async () => ['areas/create/', { lat: 33.9, lng: 35.5, name: 'Hill' }],
  pickups: async () => ['pickups/'],
  invoices: async () => ['invoices/'],
  invoice: async (api) => [`invoices/${(await anInvoice(api)).number}/`],
  profile: async () => ['profile/'],
};

async function anInvoice(api: Api): Promise<InvoiceListItem> {
  const [first] = (await samplesOf(api, 'invoices')) as unknown as InvoiceListItem[];
  if (first === undefined) throw new NothingToTest('this server has no invoice');
  return first;
}

const CREATES = ['createOrder', 'createCustomer', 'createCustomerLocation', 'createArea'];

const endpointRows = Object.entries<Operation>(operations).flatMap(([name, { method, path, section: heading, body }]) =>
  section(`Endpoints: ${heading}`, [
    {
      id: `endpoint.${name}`,
      says: `${method} /${path} answers${body === null ? '' : ' with a body as described'}`,
      async test(api) {
        const [at, json] = await CALLS[name as keyof typeof operations](api);
        const reply = await api.call(method, at, json === undefined ? {} : { json });
        expect([200, 201], reply.text).toContain(reply.status);
      },
    },
  ]),
);

const paths = [...new Set(Object.values<Operation>(operations).map(({ path }) => path))];

/** A path with its parameters filled in. */
const concrete = (path: string) => path.replace(/\{\w+\}/g, '1');

const customersOf = (api: Api, query: Record<string, string | number | boolean>) =>
  api.list<Customer>('customers/', query);

export const endpointsRows = [
  ...endpointRows,
  ...section('Endpoints', [
    {
      id: 'paths.slash',
      says: 'Paths end with a slash; what one without it gets is not shown: 404',
      choice: 'A path without its final slash',
      async test(api) {
        for (const path of paths) {
          const { message } = await api.refused(404, 'GET', concrete(path).replace(/\/$/, ''));
          expect(message, path).toBe('Resource not found.');
        }
      },
    },
    {
      id: 'paths.integers',
      says: 'id, customer_pk, location_pk and invoice_number are integers: anything else names nothing',
      async test(api) {
        for (const id of ['abc', '1.5', '-1', '0', '1e3', '0x1', '%20', '99999999999999999999', '1%00', 'null', '٣']) {
          for (const path of [`customers/${id}/`, `customers/${id}/locations/`, `invoices/${id}/`]) {
            await api.refused(404, 'GET', path);
          }
          await api.refused(404, 'PATCH', `customers/${id}/`, { json: { name: 'x' } });
        }
      },
    },
    {
      id: 'paths.order_id',
      says: 'order_id is a text',
      async test(api) {
        const { order_id } = await newOrder(api);
        expect((await api.read<Order>(`orders/${order_id}/`)).order_id).toBe(order_id);
        for (const id of ["'", '%2e%2e', '%00', '%ff', 'a%2Fb', '%F0%9F%93%A6', 'x'.repeat(1_000), '__proto__']) {
          await api.refused(404, 'GET', `orders/${id}/`);
        }
      },
    },
    {
      id: 'success.codes',
      says: 'Success codes, but for area creation, are not shown',
      choice: 'Success codes',
      async test(api) {
        for (const [name, { method }] of Object.entries<Operation>(operations)) {
          const [at, json] = await CALLS[name as keyof typeof operations](api);
          const reply = await api.call(method, at, json === undefined ? {} : { json });
          expect(reply.status, `${name}: ${reply.text}`).toBe(CREATES.includes(name) ? 201 : 200);
        }
      },
    },
    {
      id: 'methods',
      says: 'What other methods get is not shown: 405 with the methods that are allowed',
      choice: 'Errors beside 400, 404, 500',
      async test(api) {
        for (const path of paths) {
          for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const) {
            const allowed = Object.values<Operation>(operations).some((o) => o.path === path && o.method === method);
            if (allowed) continue;
            const reply = await api.call<{ message: string }>(method, concrete(path));
            expect(reply.status, `${method} ${path}`).toBe(405);
            expect(reply.body.message).toBe('Method not allowed.');
            expect(reply.headers.allow, `${method} ${path}`).not.toContain(method);
          }
        }
      },
    },
  ]),
  ...section('Endpoints: Orders', [
    {
      id: 'orders.retrieve',
      says: 'GET an order answers the order as the list and its creation show it',
      async test(api) {
        const created = await newOrder(api);
        expect(await api.read<Order>(`orders/${created.order_id}/`)).toEqual(created);
        const { items } = await api.list<Order>('orders/', { page_size: 100 });
        const listed = items.find(({ order_id }) => order_id === created.order_id);
        if (listed === undefined && api.target.sandbox === null)
          throw new NothingToTest('its list does not begin with the newest');
        expect(listed).toEqual(created);
      },
    },
    {
      id: 'orders.moves.body',
      says: 'What request-pickup and cancel answer is not shown: the order',
      choice: 'Success body of request-pickup and cancel',
      async test(api) {
        const { order_id } = await newOrder(api);
        for (const action of ['request-pickup', 'cancel']) {
          const reply = await api.post<Order>(`orders/${order_id}/${action}/`);
          expect(reply.body).toEqual(await api.read<Order>(`orders/${order_id}/`));
        }
      },
    },
    {
      id: 'orders.moves.no-body',
      says: 'request-pickup and cancel take no body; an empty one in any encoding is no fault',
      async test(api) {
        for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
          const { order_id } = await newOrder(api);
          for (const raw of ['', '{}']) {
            if (raw === '{}' && type !== 'application/json') continue;
            const sent = { raw, headers: { 'Content-Type': type } };
            const action = raw === '' ? 'request-pickup' : 'cancel';
            const reply = await api.call('POST', `orders/${order_id}/${action}/`, sent);
            expect(reply.status, reply.text).toBeLessThan(300);
          }
        }
      },
    },
  ]),
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
  ...section('Endpoints: Invoices', [
    {
      id: 'invoices.order',
      says: 'Invoices are listed newest first',
      async test(api) {
        const moments = (await samplesOf(api, 'invoices')).map(({ issued_at }) => Date.parse(String(issued_at)));
        expect(moments).toEqual([...moments].sort((a, b) => b - a));
      },
    },
    {
      id: 'invoices.metadata',
      says: 'The list is metadata only: no orders',
      async test(api) {
        for (const invoice of await samplesOf(api, 'invoices')) expect(invoice).not.toHaveProperty('orders');
      },
    },
    {
      id: 'invoices.month',
      says: 'year and month choose the invoices of that month, year alone those of the year',
      async test(api) {
        const { issued_at } = await anInvoice(api);
        const [year, month] = [Number(issued_at.slice(0, 4)), Number(issued_at.slice(5, 7))];
        const all = (await samplesOf(api, 'invoices')) as unknown as InvoiceListItem[];
        const ofMonth = await api.list<InvoiceListItem>('invoices/', { year, month, page_size: 100 });
        expect(ofMonth.items.length).toBeGreaterThan(0);
        expect(ofMonth.items.map(({ number }) => number).sort()).toEqual(
          all
            .filter((invoice) => invoice.issued_at.startsWith(issued_at.slice(0, 7)))
            .map(({ number }) => number)
            .sort(),
        );
        const ofYear = await api.list<InvoiceListItem>('invoices/', { year, page_size: 100 });
        expect(ofYear.items.every((invoice) => invoice.issued_at.startsWith(String(year)))).toBe(true);
        expect((await api.list('invoices/', { year: year - 40 })).count).toBe(0);
      },
    },
    {
      id: 'invoices.month.combined',
      says: 'month is combined with year; what it means alone, and which clock counts, is not shown: 400, UTC',
      choice: '`year`, `month`',
      async test(api) {
        expect((await api.refused(400, 'GET', 'invoices/', { query: { month: 10 } })).details).toMatch(/^month: /);
        for (let month = 1; month <= 12; month++) {
          const { items } = await api.list<InvoiceListItem>('invoices/', { year: 2026, month, page_size: 100 });
          const prefix = `2026-${String(month).padStart(2, '0')}-`;
          for (const { issued_at } of items) {
            expect(issued_at.startsWith(prefix)).toBe(true);
            expect(issued_at.endsWith('+00:00')).toBe(true);
          }
        }
      },
    },
    {
      id: 'invoices.status',
      says: 'The complete set of statuses is not shown: PENDING_PAYMENT, then PAID',
      choice: 'Invoice statuses',
      async test(api) {
        const seen = new Map(
          (await samplesOf(api, 'invoices')).map((invoice) => [invoice.status, invoice.status_display]),
        );
        expect(Object.fromEntries(seen)).toEqual({ PAID: 'Paid', PENDING_PAYMENT: 'Pending payment' });
      },
    },
    {
      id: 'invoices.detail',
      says: 'The detail has number, status, issued_at and money as the list, and its orders',
      async test(api) {
        for (const sample of await samplesOf(api, 'invoiceDetails')) {
          const detail = sample as unknown as InvoiceDetail;
          const { items } = await api.list<InvoiceListItem>('invoices/', { page_size: 100 });
          const listed = items.find(({ number }) => number === detail.number) as InvoiceListItem;
          const { status_display: _display, order_count, ...rest } = listed;
          const { orders, ...header } = detail;
          expect(header).toEqual(rest);
          expect(orders).toHaveLength(order_count);
        }
      },
    },
    {
      id: 'invoices.reconcile',
      says: 'An invoice can be reconciled: its money is what its orders sum to, net being COD less fee',
      needs: ['operator'],
      async test(api) {
        for (const sample of await samplesOf(api, 'invoiceDetails')) {
          const { cod, delivery_fee, net_due_to_merchant, orders } = sample as unknown as InvoiceDetail;
          const sumOf = (lists: (typeof cod)[]) => {
            const sums = new Map<string, bigint>();
            for (const [currency, amount] of lists.flat() as [string, string][]) {
              sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount.replace('.', '')));
            }
            return sums;
          };
          const [paid, fees] = [sumOf(orders.map((o) => o.cod)), sumOf(orders.map((o) => o.delivery_fee))];
          for (const [currency, sum] of sumOf([cod])) expect(sum).toBe(paid.get(currency) ?? 0n);
          for (const [currency, sum] of sumOf([delivery_fee])) expect(sum).toBe(fees.get(currency) ?? 0n);
          for (const [currency, sum] of sumOf([net_due_to_merchant])) {
            expect(sum).toBe((paid.get(currency) ?? 0n) - (fees.get(currency) ?? 0n));
          }
          const currencies = [...new Set([...paid.keys(), ...fees.keys()])].sort();
          expect(net_due_to_merchant.map(([currency]) => currency).sort()).toEqual(currencies);
        }
      },
    },
  ]),
  ...section('Endpoints: Profile', [
    {
      id: 'profile.logo',
      says: 'What logo_url leads to is not shown: a PNG',
      choice: '`logo_url`',
      async test(api) {
        const { logo_url } = await api.read<{ logo_url: string }>('profile/');
        const logo = await api.send('GET', new URL(logo_url), { key: null });
        expect(logo.status).toBe(200);
        expect(logo.headers['content-type']).toBe('image/png');
      },
    },
  ]),
];
