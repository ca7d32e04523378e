import { expect } from 'vitest';
import type { Api, PageRead } from '../api.ts';
import * as is from '../checks.ts';
import { newCustomer, newLocation, newOrder } from '../makers.ts';
import { NothingToTest, section } from './row.ts';

interface Wrapper {
  count: unknown;
  next: unknown;
  previous: unknown;
  results: unknown;
}

/** The four lists with pages: where each is, after making sure that it holds at least three items. */
const LISTS: Record<string, (api: Api) => Promise<string>> = {
  orders: async (api) => atLeastThree(api, 'orders/', () => newOrder(api)),
  customers: async (api) => atLeastThree(api, 'customers/', () => newCustomer(api)),
  locations: async (api) => {
    const { id } = await newCustomer(api);
    return atLeastThree(api, `customers/${id}/locations/`, () => newLocation(api, id));
  },
  invoices: (api) =>
    atLeastThree(api, 'invoices/', () => {
      throw new NothingToTest('this server has fewer than three invoices');
    }),
};

async function atLeastThree(api: Api, path: string, make: () => Promise<unknown>): Promise<string> {
  const { count } = await api.list(path);
  for (let held = count ?? 0; held < 3; held++) await make();
  return path;
}

const idOf = (item: unknown): unknown => {
  const { order_id, number, id } = item as Record<string, unknown>;
  return order_id ?? number ?? id;
};

async function walk(api: Api, path: string, pageSize: number): Promise<PageRead<unknown>[]> {
  const pages: PageRead<unknown>[] = [];
  for (let next: string | null = `${path}?page_size=${pageSize}`; next !== null; ) {
    const page: PageRead<unknown> = await api.list(relative(api, next));
    pages.push(page);
    next = page.next;
    expect(pages.length, 'pages without an end').toBeLessThan(1_000);
  }
  return pages;
}

function relative(api: Api, address: string): string {
  const url = new URL(address, api.target.url);
  expect(url.href.startsWith(api.target.url), address).toBe(true);
  return url.href.slice(api.target.url.length);
}

export const paginationRows = section('Common conventions', [
  ...Object.entries(LISTS).flatMap(([name, prepare]) => [
    {
      id: `pages.${name}.wrapper`,
      says: `The list of ${name} is wrapped in count, next, previous and results`,
      async test(api: Api) {
        const wrapper = await api.read<Wrapper>(await prepare(api));
        is.integerWithin(0, Number.MAX_SAFE_INTEGER)(wrapper.count, 'count');
        is.orNull(is.url)(wrapper.next, 'next');
        is.orNull(is.url)(wrapper.previous, 'previous');
        expect(wrapper.results).toBeTypeOf('object');
        expect(Object.keys(wrapper).sort()).toEqual(['count', 'next', 'previous', 'results']);
      },
    },
    {
      id: `pages.${name}.links`,
      says: `Pages of ${name}: next leads to the page after, previous to the one before, both null at the ends`,
      async test(api: Api) {
        const path = await prepare(api);
        const first = await api.list(path, { page_size: 1 });
        expect(first.previous).toBeNull();
        const second = await api.list(relative(api, first.next as string));
        const back = await api.list(relative(api, second.previous as string));
        expect(back.items).toEqual(first.items);
        const last = await api.list(path, { page_size: 1, page: first.count as number });
        expect(last.next).toBeNull();
        expect(last.items).toHaveLength(1);
      },
    },
    {
      id: `pages.${name}.parameters`,
      says: `page and page_size choose a page of ${name}; all pages together hold count items, each once`,
      async test(api: Api) {
        const path = await prepare(api);
        const { items, count } = await api.list(path, { page: 2, page_size: 1 });
        expect(items).toHaveLength(1);
        const size = Math.min(100, Math.max(2, Math.ceil((count as number) / 7)));
        const pages = await walk(api, path, size);
        const ids = pages.flatMap((page) => page.items.map(idOf));
        expect(ids).toHaveLength(count as number);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids[1]).toBe(idOf(items[0]));
        for (const page of pages.slice(0, -1)) expect(page.items).toHaveLength(size);
      },
    },
    {
      id: `pages.${name}.flat`,
      says: `The declared schema of the list of ${name} makes results a flat array of items`,
      choice: 'Wrapper shape',
      async test(api: Api) {
        const { results } = await api.read<Wrapper>(await prepare(api));
        for (const item of results as object[]) expect(idOf(item)).toBeDefined();
      },
    },
  ]),
  {
    id: 'pages.size',
    says: 'The default and the maximum page_size are not shown',
    choice: 'Page size',
    async test(api) {
      const { items, count } = await api.list('orders/');
      expect(count).toBeGreaterThan(100);
      expect(items).toHaveLength(20);
      expect((await api.list('orders/', { page_size: 100 })).items).toHaveLength(100);
      expect((await api.list('orders/', { page_size: 101 })).items).toHaveLength(100);
      expect((await api.list('orders/', { page_size: 1_000_000 })).items).toHaveLength(100);
    },
  },
  {
    id: 'pages.wrong',
    says: 'What a page or page_size that cannot be gets is not shown',
    choice: 'Page that is no number from 1 on, page size that is none',
    async test(api) {
      const { id } = await newCustomer(api);
      const lists = ['orders/', 'customers/', `customers/${id}/locations/`, 'invoices/'];
      for (const path of lists) {
        await api.refused(400, 'GET', path, { query: { page: 'x' } });
        await api.refused(404, 'GET', path, { query: { page: 1_000 } });
      }
      for (const name of ['page', 'page_size']) {
        for (const value of ['0', '-1', '1.5', 'abc', 'NaN', '1e3', '٣']) {
          const { details } = await api.refused(400, 'GET', 'orders/', { query: { [name]: value } });
          expect(details).toMatch(new RegExp(`^${name}: `));
        }
      }
      for (const page of [1_000_000, 2_147_483_647]) {
        const { details } = await api.refused(404, 'GET', 'orders/', { query: { page } });
        expect(details).toBe('detail: Invalid page.');
      }
      const empty = await api.list(`customers/${id}/locations/`, { page: 1 });
      expect(empty).toEqual({ items: [], count: 0, next: null, previous: null });
    },
  },
  {
    id: 'queries.unknown',
    says: 'What unknown parameters and unknown or read-only body fields do is not shown: they are ignored',
    choice: 'Unknown query parameters, unknown and read-only body fields',
    async test(api) {
      const plain = await api.list('orders/', { page_size: 2 });
      const more = await api.list('orders/', { page_size: 2, colour: 'blue' });
      expect(more.items).toEqual(plain.items);
      const fields = { id: 1, locations: [], colour: 'blue', merchant: 2 };
      const customer = await newCustomer(api, fields);
      expect(customer.id).not.toBe(1);
      expect(customer).not.toHaveProperty('colour');
    },
  },
  {
    id: 'queries.empty',
    says: 'What an empty query parameter means is not shown: it counts as left out',
    choice: 'A query parameter that is empty',
    async test(api) {
      const plain = await api.list('orders/');
      const more = await api.list('orders/', { page: '', page_size: '' });
      expect(more.items).toEqual(plain.items);
      expect((await api.list('invoices/', { year: '', month: '' })).count).toBe((await api.list('invoices/')).count);
      expect((await api.list('customers/', { phone_number: '' })).count).toBe((await api.list('customers/')).count);
    },
  },
  {
    id: 'lists.order',
    says: 'The order of the lists, but for invoices, is not shown',
    choice: 'Sort order',
    async test(api) {
      const created = await newOrder(api);
      const orders = (await api.list<{ order_id: string; statestamps: { timestamp: string }[] }>('orders/')).items;
      expect(orders[0]?.order_id).toBe(created.order_id);
      const moments = orders.map((order) => String(order.statestamps[0]?.timestamp));
      expect(moments).toEqual([...moments].sort().reverse());
      for (const path of ['customers/', 'areas/', 'pickups/']) {
        const ids = (await api.list<{ id: number }>(path)).items.map(({ id }) => id);
        expect(ids, path).toEqual([...ids].sort((a, b) => a - b));
      }
    },
  },
]);
