import { expect } from 'vitest';
import type {
  Area,
  AreaDetails,
  Customer,
  CustomerLocation,
  Order,
  OrderCreate,
  PickupLocation,
  ReducedArea,
} from '../../src/api/wire.ts';
import type { Api } from './api.ts';

let phones = 0;

/** A phone number that no customer has yet, also not after an earlier run against the same server. */
export function newPhone(): string {
  phones += 1;
  return `+961${String(Date.now()).slice(-9)}${String(phones).padStart(4, '0')}`;
}

/** The first of the merchant's pickup locations. */
export async function aPickup(api: Api): Promise<PickupLocation> {
  const { items } = await api.list<PickupLocation>('pickups/');
  expect(items.length, 'the merchant needs a pickup location').toBeGreaterThan(0);
  return items[0] as PickupLocation;
}

/** The full details of an area as a location is made with them, taken from the available areas. */
export async function areaDetails(api: Api, changes: Partial<AreaDetails> = {}): Promise<AreaDetails> {
  const { items } = await api.list<ReducedArea>('areas/');
  expect(items.length, 'the service needs an area').toBeGreaterThan(0);
  const { name_ar, name_en, district, lat, long } = items[0] as Required<ReducedArea>;
  const details = {
    name_ar,
    name_en,
    district,
    lat,
    long,
    maps_link: 'https://maps.example.com/?q=1',
    is_external: true,
  };
  return { ...(details as AreaDetails), ...changes };
}

export async function newCustomer(api: Api, fields: object = {}): Promise<Customer> {
  const body = { name: 'Nadia Haddad', phone_number: newPhone(), secondary_phone_number: '', email: '', ...fields };
  return made(await api.post<Customer>('customers/', body));
}

export async function newLocation(api: Api, customer: number, fields: object = {}): Promise<CustomerLocation> {
  const body = { area: await areaDetails(api), directions: 'Second floor', ...fields };
  return made(await api.post<CustomerLocation>(`customers/${customer}/locations/`, body));
}

export async function newArea(api: Api, fields: object = {}): Promise<Area> {
  return made(await api.post<Area>('areas/create/', { lat: 33.91, lng: 35.6, name: 'Broummana', ...fields }));
}

/** A create-order body with a new customer and a new location, as the request examples of the specification have it. */
export async function orderBody(
  api: Api,
  changes: Partial<Record<keyof OrderCreate, unknown>> = {},
): Promise<OrderCreate> {
  const body = {
    merchant_location: (await aPickup(api)).id,
    customer: { phone_number: newPhone(), secondary_phone_number: '', name: 'Rami Khoury', email: 'rami@example.com' },
    customer_location: { directions: 'Blue door', area: await areaDetails(api) },
    reference_id: '',
    is_critical: false,
    is_exchange: false,
    workflow: 'STANDARD',
    cod: [['USD', '25.00']],
    number_of_packages: 1,
    description: 'Two books',
    notes: 'Call first',
    return_reason: '',
    ...changes,
  };
  return body as OrderCreate;
}

/** A body without some of its fields. */
export function without<T extends object>(body: T, ...names: string[]): Partial<T> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name))) as Partial<T>;
}

export async function newOrder(api: Api, changes: Partial<Record<keyof OrderCreate, unknown>> = {}): Promise<Order> {
  return made(await api.post<Order>('orders/', await orderBody(api, changes)));
}

function made<T>(reply: { status: number; text: string; body: T }): T {
  expect([200, 201], reply.text).toContain(reply.status);
  return reply.body;
}
