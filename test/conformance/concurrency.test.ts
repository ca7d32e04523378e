import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Customer, Order, PickupLocation } from '../../src/api/wire.ts';
import { Api } from './api.ts';
import { areaDetails, newPhone } from './makers.ts';
import { isForeign, startSandbox, type Target } from './server.ts';

const CONNECTIONS = 50;
const MERCHANTS = 5;
/** What each connection does, one after the other. */
const ROUNDS = 4;

describe.skipIf(isForeign)('Fifty connections at once (skipped elsewhere: it makes merchants of its own)', () => {
  let target: Target;
  let api: Api;
  let merchants: { key: string; pickup: number }[];

  beforeAll(async () => {
    const started = await startSandbox();
    target = started;
    api = await Api.open(target, CONNECTIONS);
    merchants = [];
    for (let i = 0; i < MERCHANTS; i++) {
      const key = (await started.sandbox.command('key', 'create', '--merchant', `Merchant ${i}`)).trim();
      const [pickup] = (await api.list<PickupLocation>('pickups/', {}, { key })).items;
      merchants.push({ key, pickup: (pickup as PickupLocation).id });
    }
  });

  afterAll(async () => {
    await api?.close();
    await target?.close();
  });

  /** Places orders for one merchant, reading each back between the others' writes; answers their ids by reference. */
  async function place(connection: number): Promise<[reference: string, id: string][]> {
    const { key, pickup } = merchants[connection % MERCHANTS] as { key: string; pickup: number };
    const area = await areaDetails(api);
    const made: [string, string][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const reference = `${connection}-${round}`;
      const phone_number = newPhone();
      const json = {
        merchant_location: pickup,
        customer: { phone_number, name: `Customer ${reference}` },
        customer_location: { area, directions: `Door ${reference}` },
        reference_id: reference,
        cod: [['USD', `${connection}.${String(round).padStart(2, '0')}`]],
      };
      const { body: created, status, text } = await api.post<Order>('orders/', json, { key });
      expect(status, text).toBe(201);
      expect(created).toMatchObject({
        ...json,
        customer: json.customer,
        customer_location: { directions: `Door ${reference}` },
      });
      const { body: read } = await api.get<Order>(`orders/${created.order_id}/`, { key });
      expect(read).toEqual(created);
      const found = await api.list<Customer>('customers/', { phone_number }, { key });
      expect(found.items.map(({ id }) => id)).toEqual([created.customer?.id]);
      const other = merchants[(connection + 1) % MERCHANTS] as { key: string };
      expect((await api.get(`orders/${created.order_id}/`, { key: other.key })).status).toBe(404);
      made.push([reference, created.order_id]);
    }
    return made;
  }

  test('each gets right answers, and each merchant has its own rows and no others', async () => {
    const made = await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => place(connection)));
    const all = made.flat();
    expect(new Set(all.map(([, id]) => id)).size).toBe(CONNECTIONS * ROUNDS);
    for (const [index, { key }] of merchants.entries()) {
      const own = made.filter((_, connection) => connection % MERCHANTS === index).flat();
      const { items, count } = await api.list<Order>('orders/', { page_size: 100 }, { key });
      expect(count).toBe(own.length);
      expect(items.map(({ reference_id, order_id }) => [reference_id, order_id]).sort()).toEqual(own.sort());
    }
  });

  test('of fifty who move one order at once, one does', async () => {
    const { key } = merchants[0] as { key: string };
    const [order] = (await api.list<Order>('orders/', {}, { key })).items;
    const path = `orders/${order?.order_id}/request-pickup/`;
    const replies = await Promise.all(Array.from({ length: CONNECTIONS }, () => api.post(path, undefined, { key })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(CONNECTIONS - 1);
    const { body } = await api.get<Order>(`orders/${order?.order_id}/`, { key });
    expect(body.statestamps).toHaveLength(2);
  });
});
