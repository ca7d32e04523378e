import { expect } from 'vitest';
import type { Customer, CustomerLocation, InvoiceDetail, InvoiceListItem, Order } from '../../../src/api/wire.ts';
import { aPickup, areaDetails, newArea, newCustomer, newLocation, newOrder } from '../makers.ts';
import { NothingToTest, section } from './row.ts';

export const overviewRows = section('What the service does', [
  {
    id: 'can.orders.create',
    says: 'A merchant creates orders, each tied to a customer, a location of that customer and a pickup location',
    async test(api) {
      const customer = await newCustomer(api);
      const location = await newLocation(api, customer.id);
      const pickup = await aPickup(api);
      const order = await newOrder(api, { customer: { id: customer.id }, customer_location: { id: location.id } });
      expect(order).toMatchObject({ customer, customer_location: location, merchant_location: pickup.id });
    },
  },
  {
    id: 'can.orders.follow',
    says: 'A merchant lists and retrieves orders, requests pickup of one, and cancels one',
    async test(api) {
      const { order_id } = await newOrder(api);
      expect((await api.list<Order>('orders/')).items.length).toBeGreaterThan(0);
      expect((await api.post(`orders/${order_id}/request-pickup/`)).status).toBeLessThan(300);
      expect((await api.post(`orders/${order_id}/cancel/`)).status).toBeLessThan(300);
      expect((await api.read<Order>(`orders/${order_id}/`)).delivery_state).not.toBe('CREATED');
    },
  },
  {
    id: 'can.customers',
    says: 'A merchant creates, lists, retrieves and updates customers and their locations',
    async test(api) {
      const { id } = await newCustomer(api);
      const location = await newLocation(api, id);
      await api.patch(`customers/${id}/`, { name: 'Updated' });
      await api.patch(`customers/${id}/locations/${location.id}/`, { directions: 'Updated' });
      expect((await api.read<Customer>(`customers/${id}/`)).name).toBe('Updated');
      const { items } = await api.list<CustomerLocation>(`customers/${id}/locations/`);
      expect(items.map(({ directions }) => directions)).toEqual(['Updated']);
      expect((await api.list<Customer>('customers/')).count).toBeGreaterThan(0);
    },
  },
  {
    id: 'can.areas',
    says: 'A merchant lists the available areas and creates an external one from coordinates',
    async test(api) {
      expect((await areaDetails(api)).district).toBeTypeOf('string');
      expect((await newArea(api)).is_external).toBe(true);
    },
  },
  {
    id: 'can.pickups',
    says: "A merchant lists the merchant's pickup locations",
    test: async (api) => expect((await aPickup(api)).id).toBeTypeOf('number'),
  },
  {
    id: 'can.invoices',
    says: "A merchant lists invoices, and retrieves one with its orders, which are the merchant's own",
    async test(api) {
      const [invoice] = (await api.list<InvoiceListItem>('invoices/')).items;
      if (invoice === undefined) throw new NothingToTest('this server has no invoice');
      const { orders } = await api.read<InvoiceDetail>(`invoices/${invoice.number}/`);
      expect(orders.length).toBeGreaterThan(0);
      for (const { order_id } of orders.slice(0, 5)) {
        const order = await api.read<Order>(`orders/${order_id}/`);
        expect(order.merchant_invoice).toBe(invoice.number);
      }
    },
  },
  {
    id: 'can.profile',
    says: "A merchant reads the organisation's branding",
    test: async (api) =>
      expect(Object.keys(await api.read<object>('profile/')).sort()).toEqual(
        ['organisation_name', 'brand', 'logo_url', 'primary_color'].sort(),
      ),
  },
]);
