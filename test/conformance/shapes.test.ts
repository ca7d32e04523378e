import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../src/courier/index.ts';
import { Api } from './api.ts';
import { newCustomer, newLocation } from './makers.ts';
import { isForeign, type Sandbox, serve, startSandbox, type Target } from './server.ts';

const SHAPES = ['flat', 'array', 'wrapper', 'object'] as const;
type Shape = (typeof SHAPES)[number];
type Results = { results: unknown };

/** What each form of `results` holds, by the form. */
const itemsIn: Record<Shape, (results: unknown) => unknown> = {
  flat: (results) => results,
  array: (results) => (results as unknown[][])[0],
  wrapper: (results) => (results as Results[])[0]?.results,
  object: (results) => (results as Results).results,
};

describe.skipIf(isForeign)('Wrapper shapes (skipped elsewhere: another server has one)', () => {
  let target: Target & { sandbox: Sandbox };
  const apis = new Map<Shape, Api>();
  const closing: (() => Promise<void>)[] = [];
  let customer: number;

  beforeAll(async () => {
    target = await startSandbox();
    closing.push(() => target.close());
    for (const shape of SHAPES) {
      const served = shape === 'flat' ? target : await serve(target.sandbox.file, ['--results', shape]);
      if (shape !== 'flat') closing.unshift(() => served.close());
      const api = await Api.open({ ...target, url: served.url });
      closing.unshift(() => api.close());
      apis.set(shape, api);
    }
    const flat = apis.get('flat') as Api;
    customer = (await newCustomer(flat)).id;
    await newLocation(flat, customer);
  });

  afterAll(async () => {
    for (const close of closing) await close();
  });

  const paginated = () => ['orders/', 'customers/', `customers/${customer}/locations/`, 'invoices/'];

  /** What is the same whichever port the service has. */
  const withoutPorts = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll(/127\.0\.0\.1:\d+/g, 'here'));

  describe.each(SHAPES)('%s', (shape) => {
    test('paginated lists hold their items in that form, and lists without pages nest when the form does', async () => {
      const [api, flat] = [apis.get(shape) as Api, apis.get('flat') as Api];
      for (const path of paginated()) {
        const wrapper = await api.read<Results & { count: number }>(path);
        const plain = await flat.read<{ results: unknown[]; count: number }>(path);
        expect(withoutPorts(itemsIn[shape](wrapper.results)), path).toEqual(withoutPorts(plain.results));
        expect(wrapper.count).toBe(plain.count);
        expect(plain.results.length, path).toBeGreaterThan(0);
      }
      for (const path of ['areas/', 'pickups/']) {
        const list = await api.read<unknown[]>(path);
        const plain = await flat.read<unknown[]>(path);
        expect(list, path).toEqual(shape === 'flat' ? plain : [plain]);
      }
    });

    test('the client reads the same of every list, page by page', async () => {
      const read = async (url: string) => {
        const client = createClient({ baseUrl: url, apiKey: target.key, pageSize: 40 });
        const orders: unknown[] = [];
        const invoices: unknown[] = [];
        await client.walkOrders(async (page) => void orders.push(...page.items));
        await client.walkInvoices({ year: 2026, month: 10 }, async (page) => void invoices.push(...page.items));
        const rest = await Promise.all([
          client.areas(),
          client.pickups(),
          client.customers(),
          client.customerLocations(customer),
        ]);
        await client.close();
        const items = [orders, invoices, ...rest.map((page) => page.items)].map((list) => {
          for (const item of list as { ok: boolean }[]) expect(item.ok).toBe(true);
          return (list as { raw: unknown }[]).map(({ raw }) => raw);
        });
        return withoutPorts(items) as unknown[][];
      };
      const [flat, own] = [await read(target.url), await read((apis.get(shape) as Api).target.url)];
      expect(own).toEqual(flat);
      for (const list of own) expect(list.length).toBeGreaterThan(0);
      expect(own[0]?.length).toBeGreaterThan(100);
    });
  });
});
