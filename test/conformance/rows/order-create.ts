import { expect } from 'vitest';
import type { Order } from '../../../src/api/wire.ts';
import type { Api } from '../api.ts';
import { areaDetails, newOrder, newPhone, orderBody, without } from '../makers.ts';
import { refuses } from '../refusal.ts';
import { section } from './row.ts';

/** A field that is kept as it is sent. */
const kept = (field: string, says: string, value: unknown) => ({
  id: `order-create.${field}`,
  says: `${field}: ${says}`,
  test: async (api: Api) => expect((await newOrder(api, { [field]: value }))[field as keyof Order]).toEqual(value),
});

/** A value that a field refuses. */
const refused = (field: string, name: string, says: string, value: unknown) => ({
  id: `order-create.${field}.${name}`,
  says: `${field}: ${says}`,
  test: async (api: Api) => expect(await refuses(api, { [field]: value })).toMatch(new RegExp(`^${field}: .`)),
});

export const orderCreateRows = [
  ...section('Order', [
    {
      id: 'order-create.order_id',
      says: 'order_id is made by the service and read-only',
      async test(api) {
        const first = await newOrder(api, { order_id: 'MINE' } as object);
        const second = await newOrder(api, { order_id: 'MINE' } as object);
        expect(first.order_id).not.toBe('MINE');
        expect(second.order_id).not.toBe(first.order_id);
      },
    },
    kept('reference_id', "is the shop's own text", 'WEB-1001 / ٥ "x"'),
    kept('is_critical', 'marks the order for prioritised handling', true),
    kept('is_exchange', 'asks for a return package with a STANDARD order', true),
    {
      ...kept('workflow', 'may be RETURN', 'RETURN'),
      test: async (api: Api) => {
        expect((await newOrder(api, { workflow: 'RETURN', return_reason: 'Too small' })).workflow).toBe('RETURN');
        expect((await newOrder(api, { workflow: 'STANDARD' })).workflow).toBe('STANDARD');
      },
    },
    refused('workflow', 'choice', 'anything else is not a valid choice', 'EXPRESS'),
    refused('workflow', 'case', 'its words are in capitals', 'standard'),
    kept('number_of_packages', 'may be more than one', 12),
    refused('number_of_packages', 'zero', 'is at least 1, so that 0 is refused', 0),
    refused('number_of_packages', 'negative', 'is at least 1, so that -1 is refused', -1),
    refused('number_of_packages', 'fraction', 'is an integer, so that 1.5 is refused', 1.5),
    refused('number_of_packages', 'text', 'is an integer, so that a word is refused', 'two'),
    refused('number_of_packages', 'huge', 'is an integer that can be kept', 1e300),
    refused('is_critical', 'type', 'is a boolean, so that a word is refused', 'very'),
    refused('is_exchange', 'type', 'is a boolean, so that a number is refused', 2),
    kept('description', 'describes the contents', 'Two shirts'),
    kept('notes', 'are texts for everyone', 'Mind the dog\nTwo floors'),
    refused('description', 'type', 'is a text', { a: 1 }),
    refused('notes', 'type', 'is a text', 7),
    refused('reference_id', 'type', 'is a text', 7),
    refused('return_reason', 'type', 'is a text', []),
    {
      id: 'order-create.description.optional',
      says: 'description is optional',
      async test(api) {
        const reply = await api.post<Order>('orders/', without(await orderBody(api), 'description'));
        expect(reply.status, reply.text).toBeLessThan(300);
      },
    },
    {
      id: 'order-create.return_reason',
      says: 'return_reason applies when the order is a return',
      test: async (api) =>
        expect(await newOrder(api, { workflow: 'RETURN', return_reason: 'Wrong colour' })).toMatchObject({
          return_reason: 'Wrong colour',
        }),
    },
    {
      id: 'order-create.return_reason.standard',
      says: 'What becomes of a return_reason of a STANDARD order is not shown: it is kept',
      choice: '`return_reason` with workflow STANDARD',
      test: async (api) => expect((await newOrder(api, { return_reason: 'None yet' })).return_reason).toBe('None yet'),
    },
    {
      id: 'order-create.is_exchange.return',
      says: 'is_exchange applies only when workflow is STANDARD; what happens otherwise is not shown: 400',
      choice: '`is_exchange` with workflow RETURN',
      test: async (api) =>
        expect(await refuses(api, { workflow: 'RETURN', is_exchange: true })).toMatch(/^is_exchange: /),
    },
    {
      id: 'order-create.delivery_fee',
      says: 'delivery_fee is read-only, and stated for a STANDARD order',
      async test(api) {
        const stated = await newOrder(api);
        expect(stated.delivery_fee).not.toEqual([]);
        const sent = await newOrder(api, { delivery_fee: [['USD', '0.01']] } as object);
        expect(sent.delivery_fee).toEqual(stated.delivery_fee);
      },
    },
    {
      id: 'order-create.delivery_fee.card',
      says: 'What the fee comes to is not shown: the rate card sets it by workflow and district',
      choice: '`delivery_fee` on creation',
      async test(api) {
        const feeTo = async (district: string, workflow: string) => {
          const area = await areaDetails(api, { district });
          return (await newOrder(api, { workflow, customer_location: { area } })).delivery_fee?.[0];
        };
        const near = await feeTo('Beirut', 'STANDARD');
        const [currency, far] = (await feeTo('Akkar', 'STANDARD')) as string[];
        expect(currency).toBe('USD');
        expect(Number(far)).toBeGreaterThan(Number(near?.[1]));
        expect(Number((await feeTo('Beirut', 'RETURN'))?.[1])).toBeLessThan(Number(near?.[1]));
      },
    },
    {
      id: 'order-create.read-only',
      says: 'tracking_link, order_url, delivery_state, payment_state, merchant_invoice and statestamps are not set by the shop',
      async test(api) {
        const sent = {
          tracking_link: 'https://example.com/mine',
          order_url: 'https://example.com/mine',
          delivery_state: 'DELIVERED',
          payment_state: 'PAID_TO_MERCHANT',
          merchant_invoice: 1,
          statestamps: [],
        };
        const order = await newOrder(api, sent as object);
        expect(order).toMatchObject({ delivery_state: 'CREATED', payment_state: 'UNPAID', merchant_invoice: null });
        expect(order.tracking_link).not.toBe(sent.tracking_link);
        expect(order.order_url).not.toBe(sent.order_url);
        expect(order.statestamps).toHaveLength(1);
      },
    },
    {
      id: 'order-create.links',
      says: 'Where tracking_link and order_url lead is not shown: to a page of the states, with nothing of the customer',
      choice: '`tracking_link`, `order_url`',
      async test(api) {
        const order = await newOrder(api);
        for (const link of [order.tracking_link, order.order_url]) {
          const page = await api.send('GET', new URL(String(link)), { key: null });
          expect(page.status).toBe(200);
          expect(page.headers['content-type']).toMatch(/^text\/html/);
          expect(page.text).toContain(order.order_id);
          for (const secret of ['Rami Khoury', order.customer?.phone_number, '25.00'])
            expect(page.text).not.toContain(secret);
        }
      },
    },
    {
      id: 'order-create.example',
      says: 'A body as in the request examples is taken: empty reference_id, flags false, STANDARD, one package',
      async test(api) {
        const fields = {
          reference_id: '',
          is_critical: false,
          is_exchange: false,
          workflow: 'STANDARD',
          number_of_packages: 1,
        };
        expect(await newOrder(api, fields)).toMatchObject(fields);
      },
    },
    {
      id: 'order-create.mandatory',
      says: 'Which fields are mandatory is not shown: merchant_location, customer and customer_location',
      choice: 'Mandatory on order creation',
      async test(api) {
        const body = await orderBody(api);
        for (const field of ['merchant_location', 'customer', 'customer_location']) {
          const { details } = await api.refused(400, 'POST', 'orders/', { json: without(body, field) });
          expect(details).toMatch(new RegExp(`^${field}: This field is required`));
        }
        const { merchant_location, customer, customer_location } = body;
        const least = { merchant_location, customer: { phone_number: customer.phone_number }, customer_location };
        expect((await api.post('orders/', least)).status).toBe(201);
      },
    },
    {
      id: 'order-create.defaults',
      says: 'Defaults of omitted fields are not shown',
      choice: 'Defaults of omitted order fields',
      async test(api) {
        const { merchant_location, customer, customer_location } = await orderBody(api);
        const reply = await api.post<Order>('orders/', { merchant_location, customer, customer_location });
        expect(reply.body).toMatchObject({
          reference_id: '',
          description: '',
          notes: '',
          return_reason: '',
          is_critical: false,
          is_exchange: false,
          workflow: 'STANDARD',
          cod: [],
          number_of_packages: 1,
          source_url: '',
          integration_items: [],
        });
      },
    },
    {
      id: 'order-create.faults',
      says: 'Whether all faults of a body are answered is not shown: they are, in one text',
      choice: 'Several faults',
      async test(api) {
        const changes = {
          workflow: 'X',
          number_of_packages: 0,
          cod: [['usd', '1.0x']],
          merchant_location: 999_999,
          customer: { phone_number: newPhone(), email: 'nobody' },
          customer_location: { area: await areaDetails(api, { district: 'Atlantis' }) },
        };
        const details = await refuses(api, changes);
        for (const field of [
          'workflow',
          'number_of_packages',
          'cod[0][0]',
          'cod[0][1]',
          'merchant_location',
          'customer.email',
          'customer_location.area.district',
        ]) {
          expect(
            details.split('; ').filter((fault) => fault.startsWith(`${field}: `)),
            field,
          ).toHaveLength(1);
        }
        const many = await refuses(api, { cod: Array.from({ length: 200 }, () => [1, 2]) });
        expect(many.split('; ').length).toBeLessThanOrEqual(51);
      },
    },
  ]),
];
