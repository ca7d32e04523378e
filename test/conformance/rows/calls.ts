import type { operations } from '../../../src/api/operations.ts';
import type { InvoiceListItem } from '../../../src/api/wire.ts';
import type { Api } from '../api.ts';
import { areaDetails, newCustomer, newLocation, newOrder, newPhone, orderBody } from '../makers.ts';
import { samplesOf } from '../samples.ts';
import { NothingToTest } from './row.ts';

/** The path, and the body, of a request for each operation that succeeds. */
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

/** The newest invoice. */
export async function anInvoice(api: Api): Promise<InvoiceListItem> {
  const [first] = (await samplesOf(api, 'invoices')) as unknown as InvoiceListItem[];
  if (first === undefined) throw new NothingToTest('this server has no invoice');
  return first;
}
