import type {
  Customer,
  CustomerLocation,
  InvoiceListItem,
  Order,
  PickupLocation,
  Profile,
} from '../../src/api/wire.ts';
import type { Api } from './api.ts';
import { newArea, newCustomer, newLocation, newOrder } from './makers.ts';

export type Sample = Record<string, unknown>;

type Source = (api: Api) => Promise<object[]>;

export type SampleName =
  | 'orders'
  | 'integrationItems'
  | 'statestamps'
  | 'customers'
  | 'locations'
  | 'areas'
  | 'reducedAreas'
  | 'pickups'
  | 'invoices'
  | 'invoiceDetails'
  | 'invoiceOrders'
  | 'profiles';

/** Documents of every resource, from every operation that answers with it; read once for each server. */
const sources: Record<SampleName, Source> = {
  async orders(api) {
    const { items } = await api.list<Order>('orders/', { page_size: 100 });
    const created = await newOrder(api);
    return [...items, created, await api.read<Order>(`orders/${created.order_id}/`)];
  },
  integrationItems: async (api) => fieldOf(await samplesOf(api, 'orders'), 'integration_items').flat() as object[],
  statestamps: async (api) => fieldOf(await samplesOf(api, 'orders'), 'statestamps').flat() as object[],
  async customers(api) {
    const { items } = await api.list<Customer>('customers/', { page_size: 100 });
    const created = await newCustomer(api);
    const ofOrders = fieldOf(await samplesOf(api, 'orders'), 'customer') as object[];
    return [...items, created, await api.read<Customer>(`customers/${created.id}/`), ...ofOrders];
  },
  async locations(api) {
    const customer = await newCustomer(api);
    const created = await newLocation(api, customer.id);
    const { items } = await api.list<CustomerLocation>(`customers/${customer.id}/locations/`);
    const ofOrders = fieldOf(await samplesOf(api, 'orders'), 'customer_location') as object[];
    return [created, ...items, ...ofOrders];
  },
  async areas(api) {
    const ofLocations = fieldOf(await samplesOf(api, 'locations'), 'area') as object[];
    const ofPickups = fieldOf(await samplesOf(api, 'pickups'), 'area') as object[];
    return [await newArea(api), ...ofLocations, ...ofPickups];
  },
  reducedAreas: async (api) => (await api.list<object>('areas/')).items,
  pickups: async (api) => (await api.list<PickupLocation>('pickups/')).items,
  invoices: async (api) => (await api.list<InvoiceListItem>('invoices/', { page_size: 100 })).items,
  async invoiceDetails(api) {
    const invoices = (await samplesOf(api, 'invoices')) as unknown as InvoiceListItem[];
    return Promise.all(invoices.slice(0, 10).map(({ number }) => api.read<object>(`invoices/${number}/`)));
  },
  invoiceOrders: async (api) => fieldOf(await samplesOf(api, 'invoiceDetails'), 'orders').flat() as object[],
  profiles: async (api) => [await api.read<Profile>('profile/')],
};

const kept = new WeakMap<Api, Map<SampleName, Promise<Sample[]>>>();

/** Documents of one resource. */
export function samplesOf(api: Api, name: SampleName): Promise<Sample[]> {
  const ofApi = kept.get(api) ?? new Map<SampleName, Promise<Sample[]>>();
  kept.set(api, ofApi);
  const samples = ofApi.get(name) ?? (sources[name](api) as Promise<Sample[]>);
  ofApi.set(name, samples);
  return samples;
}

function fieldOf(samples: readonly Sample[], field: string): unknown[] {
  return samples.map((sample) => sample[field]);
}
