import { expect, test } from 'vitest';
import { ApiError, AuthError, createClient, type Page } from '../../src/courier/index.ts';
import { usingSandbox } from './seeded-sandbox.ts';
import { failureOf } from './support.ts';

/** The values of a page of which every item can be read. */
function values<T>({ items }: Page<T>): T[] {
  return items.map((item) => {
    if (!item.ok) throw item.fault;
    return item.value;
  });
}

test.each(['flat', 'array', 'wrapper', 'object'] as const)('all 18 operations, results as %s', async (shape) => {
  await usingSandbox(shape, async (access) => {
    const client = createClient({ ...access, pageSize: 2 });
    expect((await client.profile()).value.organisation_name).not.toBe('');
    const [pickup] = values(await client.pickups());
    const [area] = values(await client.areas());

    const external = await client.createArea({ lat: 33.8938, lng: 35.5018, name: 'شارع الحمرا' });
    expect(external).toMatchObject({ status: 201, value: { is_external: true } });

    const { value: made } = await client.createCustomer({ name: 'ليلى "لولو" 🌿', phone_number: '+9613999888' });
    const { value: changed } = await client.updateCustomer(made.id, { email: 'layla@example.com' });
    expect(changed).toMatchObject({ id: made.id, name: 'ليلى "لولو" 🌿', email: 'layla@example.com' });
    const { value: location } = await client.createCustomerLocation(made.id, {
      area: { id: external.value.id },
      directions: 'line one\nline two',
    });
    await client.updateCustomerLocation(made.id, location.id, { directions: '=1+1' });
    expect(values(await client.customerLocations(made.id))).toMatchObject([{ id: location.id, directions: '=1+1' }]);
    const { value: whole } = await client.customer(made.id, { includeLocations: true });
    expect(whole.locations).toHaveLength(1);
    expect(values(await client.customers({ phoneNumber: '+9613999888' }))).toMatchObject([{ id: made.id }]);

    const cod: [string, string][] = [
      ['USD', '25.00'],
      ['LBP', '900000.00'],
    ];
    const { value: order } = await client.createOrder({
      merchant_location: pickup!.id,
      customer: { id: made.id },
      customer_location: { area: { id: area!.id } },
      cod,
    });
    expect(order).toMatchObject({ delivery_state: 'CREATED', payment_state: 'UNPAID', cod, merchant_invoice: null });
    await client.requestPickup(order.order_id);
    expect((await client.order(order.order_id)).value.delivery_state).toBe('PICKUP_REQUESTED');
    await client.cancelOrder(order.order_id);
    expect(values(await client.orders())[0]).toMatchObject({ order_id: order.order_id, delivery_state: 'CANCELLED' });

    const [newest] = values(await client.invoices({ year: 2026, month: 10 }));
    const { value: invoice } = await client.invoice(newest!.number);
    expect(invoice).toMatchObject({ number: newest!.number, net_due_to_merchant: newest!.net_due_to_merchant });
    expect(invoice.orders).toHaveLength(newest!.order_count);

    const invoices = await client.walkInvoices({ year: 2026, month: 10 }, () => {});
    expect(invoices).toMatchObject({ complete: true, walks: 1 });
    const ids = new Set<string>();
    const orders = await client.walkOrders((page) => void values(page).map((read) => ids.add(read.order_id)));
    expect(orders).toMatchObject({ complete: true, seenCount: ids.size, statedCount: ids.size });
    expect(ids.size).toBeGreaterThan(50);
    await client.close();
  });
});

test('what the service refuses is told in its own words', async () => {
  await usingSandbox('flat', async ({ baseUrl, apiKey }) => {
    const client = createClient({ baseUrl, apiKey });
    const missing = await failureOf(client.invoice(999_999));
    expect(missing).toBeInstanceOf(ApiError);
    expect(missing).toMatchObject({ status: 404 });
    const invalid = await failureOf(client.createCustomer({ phone_number: '' }));
    expect(invalid.message).toMatch(/400: Validation failed\. \(phone_number: /);
    await client.close();

    const stranger = createClient({ baseUrl, apiKey: 'dlv_nobody' });
    expect(await failureOf(stranger.profile())).toBeInstanceOf(AuthError);
    await stranger.close();
  });
});
