import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import type { InvoiceDetail, InvoiceListItem, MoneyPairs, Order } from '../../../src/api/wire.ts';
import { parseUnits } from '../../../src/money/units.ts';
import { buildApp } from '../../../src/sandbox/app.ts';
import { openStore } from '../../../src/sandbox/store/open.ts';
import type { Store } from '../../../src/sandbox/store/store.ts';
import { runDay } from '../../../src/sandbox/world/day.ts';
import { plantDrift } from '../../../src/sandbox/world/drift.ts';
import type { Planted } from '../../../src/sandbox/world/planted.ts';
import { type SeededWorld, seedWorld } from '../../../src/sandbox/world/seed.ts';

const NOW = new Date('2026-11-20T10:00:00Z');
const MONTHS = ['2026-08', '2026-09', '2026-10', '2026-11'];

/** All that a merchant's key is shown at one look. */
interface Look {
  months: Record<string, { count: number; items: InvoiceListItem[] }>;
  listed: Map<number, InvoiceListItem>;
  details: Map<number, InvoiceDetail>;
  orders: Map<string, Order>;
}

function plantedWorld(): { store: Store; world: SeededWorld } {
  const store = openStore(':memory:');
  const months = { from: '2026-08', to: '2026-10' };
  return { store, world: seedWorld(store, { months, orders: 500, seed: '5', asOf: NOW, plant: true }) };
}

async function look(app: FastifyInstance, key: string): Promise<Look> {
  const get = async (path: string) =>
    (await app.inject({ url: `/v1/external/${path}`, headers: { 'x-api-key': key } })).json();
  const walk = async <T>(path: string): Promise<{ count: number; items: T[] }> => {
    const items: T[] = [];
    for (let page = 1; ; page++) {
      const body = await get(`${path}page=${page}&page_size=100`);
      items.push(...body.results);
      if (body.next === null) return { count: body.count, items };
    }
  };
  const months: Look['months'] = {};
  for (const month of MONTHS)
    months[month] = await walk(`invoices/?year=${month.slice(0, 4)}&month=${month.slice(5)}&`);
  const listed = new Map(
    Object.values(months).flatMap(({ items }) => items.map((item) => [item.number, item] as const)),
  );
  const details = new Map<number, InvoiceDetail>();
  for (const number of listed.keys()) details.set(number, await get(`invoices/${number}/`));
  const orders = new Map((await walk<Order>('orders/?')).items.map((order) => [order.order_id, order]));
  return { months, listed, details, orders };
}

/** The keys under which two maps hold different things. */
function differing<K>(a: Map<K, unknown>, b: Map<K, unknown>): K[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((k) => JSON.stringify(a.get(k)) !== JSON.stringify(b.get(k)));
}

const amount = (field: MoneyPairs | null | undefined, currency = 'USD'): bigint =>
  parseUnits(field?.find(([code]) => code === currency)?.[1] ?? '0');
const worth = (of: { cod?: MoneyPairs | null; delivery_fee?: MoneyPairs | null } | undefined): bigint =>
  amount(of?.cod) - amount(of?.delivery_fee);

let first: Look;
let second: Look;
let world: SeededWorld;
let drift: Planted[];

beforeAll(async () => {
  const made = plantedWorld();
  world = made.world;
  const app = await buildApp({ store: made.store, results: 'flat', now: () => NOW });
  const key = world.merchants[0]?.key ?? '';
  first = await look(app, key);
  drift = plantDrift(made.store);
  second = await look(app, key);
  await app.close();
});

const of = (code: string): Planted[] => drift.filter((planted) => planted.code === code);

describe('the drift of a planted world', () => {
  test('is one of every change that shows at a second look, in the form of a finding', () => {
    expect(drift.map(({ code }) => code)).toEqual([
      ...Array.from({ length: 4 }, () => 'invoice-restated'),
      ...['invoice-vanished', 'invoice-vanished', 'state-regressed', 'order-restated', 'order-vanished'],
      ...['order-vanished', 'document-malformed', 'listing-incomplete'],
    ]);
    for (const planted of drift) {
      expect(planted).toMatchObject({ invoice_number: expect.toBeOneOf([null, expect.any(Number)]) });
      expect([planted.invoice_number, planted.order_id, planted.period ?? null].filter((x) => x !== null)).toHaveLength(
        1,
      );
    }
  });

  test('changes nothing but what it names, and the order that is billed anew', () => {
    const named = (facts: Planted[], field: 'invoice_number' | 'order_id') =>
      new Set(facts.flatMap((planted) => planted[field] ?? []));
    const anew = [...second.details.keys()].filter((number) => !first.details.has(number));
    expect(anew).toHaveLength(1);
    expect(new Set(differing(first.details, second.details))).toEqual(
      new Set([...named(drift, 'invoice_number'), ...anew]),
    );
    expect(new Set(differing(first.listed, second.listed))).toEqual(new Set(differing(first.details, second.details)));
    const rowsOf = (code: string) =>
      of(code).flatMap(
        ({ invoice_number }) => first.details.get(invoice_number ?? 0)?.orders.map((o) => o.order_id) ?? [],
      );
    const changed = differing(first.orders, second.orders);
    // Restated: the handed-back order on each; vanished: the orders lose their link.
    const restated = rowsOf('invoice-restated').filter((id) => first.orders.get(id)?.delivery_state !== 'DELIVERED');
    expect(new Set(changed)).toEqual(
      new Set([...named(drift, 'order_id'), ...restated, ...rowsOf('invoice-vanished')]),
    );
  });

  test('touches no invoice and no order that a fault was planted on, but the missed one that vanishes', () => {
    const [missed] = world.planted.filter(({ order_id }) => of('order-vanished').some((p) => p.order_id === order_id));
    expect(missed?.code).toBe('delivered-not-invoiced');
    const touched = new Set(drift.flatMap(({ invoice_number, order_id }) => [invoice_number, order_id]));
    touched.delete(null);
    const twice = world.planted.filter(
      (p) => p !== missed && (touched.has(p.invoice_number) || touched.has(p.order_id)),
    );
    expect(twice).toEqual([]);
  });

  test('restates a paid and an unpaid invoice in header, row and record alike', () => {
    const numbers = [...new Set(of('invoice-restated').map(({ invoice_number }) => invoice_number ?? 0))];
    expect(numbers.map((number) => first.details.get(number)?.status).sort()).toEqual(['PAID', 'PENDING_PAYMENT']);
    for (const number of numbers) {
      const [before, after] = [first.details.get(number)!, second.details.get(number)!];
      expect(amount(after.delivery_fee) - amount(before.delivery_fee)).toBe(17_500n);
      expect(amount(after.net_due_to_merchant) - amount(before.net_due_to_merchant)).toBe(-17_500n);
      expect(after.cod).toEqual(before.cod);
      expect(after.status).toBe(before.status);
      for (const row of after.orders) {
        const own = second.orders.get(row.order_id)!;
        expect([row.cod, row.delivery_fee]).toEqual([own.cod, own.delivery_fee]);
      }
      expect(after.orders.reduce((sum, row) => sum + amount(row.delivery_fee), 0n)).toBe(amount(after.delivery_fee));
      const { delivery_fee, net_due_to_merchant } = second.listed.get(number)!;
      expect([delivery_fee, net_due_to_merchant]).toEqual([after.delivery_fee, after.net_due_to_merchant]);
    }
  });

  test('lets paid invoices vanish, one of whose orders is billed anew; the effect is what nobody pays any more', () => {
    const vanished = of('invoice-vanished');
    const live = new Set([...second.details.values()].flatMap(({ orders }) => orders.map(({ order_id }) => order_id)));
    const moved = vanished.map(({ invoice_number, effect }) => {
      const { status, orders, net_due_to_merchant } = first.details.get(invoice_number ?? 0)!;
      expect(status).toBe('PAID');
      expect(second.listed.has(invoice_number ?? 0)).toBe(false);
      const elsewhere = orders.filter(({ order_id }) => live.has(order_id));
      const taken = elsewhere.reduce((sum, row) => sum + worth(row), 0n);
      expect(parseUnits(effect ?? '')).toBe(taken - amount(net_due_to_merchant));
      for (const { order_id } of orders) {
        const link = second.orders.get(order_id)?.merchant_invoice ?? null;
        expect(link === null).toBe(!live.has(order_id));
      }
      return elsewhere.length;
    });
    expect(moved).toEqual([0, 1]);
    const anew = [...second.details.values()].find(({ number }) => !first.details.has(number))!;
    expect(anew.status).toBe('PAID');
    expect(anew.orders.map(({ payment_state }) => payment_state)).toEqual(['PAID_TO_MERCHANT']);
  });

  test('takes an order backwards, makes a delivered one worth less, and lets two vanish', () => {
    const orderOf = (at: Look, [planted]: Planted[]) => at.orders.get(planted?.order_id ?? '');
    expect(orderOf(first, of('state-regressed'))?.delivery_state).toBe('IN_TRANSIT');
    expect(orderOf(second, of('state-regressed'))?.delivery_state).toBe('PICKUP_REQUESTED');
    const [before, after] = [orderOf(first, of('order-restated')), orderOf(second, of('order-restated'))];
    expect([before?.delivery_state, before?.merchant_invoice, after?.merchant_invoice]).toEqual([
      'DELIVERED',
      null,
      null,
    ]);
    expect(worth(after) - worth(before)).toBe(-150_000n);
    expect(after?.delivery_fee).toEqual(before?.delivery_fee);
    const states = of('order-vanished').map(({ order_id }) => first.orders.get(order_id ?? '')?.delivery_state);
    expect(states).toEqual(['AT_WAREHOUSE', 'DELIVERED']);
    for (const { order_id } of of('order-vanished')) expect(second.orders.has(order_id ?? '')).toBe(false);
  });

  test('makes a detail unreadable, whose list row says something new too', () => {
    const [{ invoice_number }] = of('document-malformed') as [Planted];
    const number = invoice_number ?? 0;
    expect(first.details.get(number)?.net_due_to_merchant[0]?.[1]).toMatch(/^\d+\.\d\d$/);
    expect(second.details.get(number)?.net_due_to_merchant[0]?.[1]).toMatch(/^\d+\.\d\d USD$/);
    const { status_display: _old, ...before } = first.listed.get(number)!;
    const { status_display, ...after } = second.listed.get(number)!;
    expect(after).toEqual(before);
    expect(status_display).toBe('Paid (under review)');
  });

  test('has one month state more invoices than its list ever brings; the others agree', () => {
    const [{ period }] = of('listing-incomplete') as [Planted];
    for (const month of MONTHS) {
      const { count, items } = second.months[month]!;
      expect([month, count - items.length]).toEqual([month, month === period ? 1 : 0]);
      expect(first.months[month]?.count).toBe(first.months[month]?.items.length);
    }
  });
});

describe('the effects of what is planted', () => {
  test('are, per currency, all that lies between the stated nets and what every order is worth once', () => {
    const chain = world.planted.filter(({ code, effect }) => effect && code !== 'delivered-not-invoiced');
    expect(chain.length).toBeGreaterThan(8);
    for (const currency of ['USD', 'LBP']) {
      let courier = 0n;
      const rows = new Set<string>();
      for (const detail of first.details.values()) {
        courier += amount(detail.net_due_to_merchant, currency);
        for (const { order_id } of detail.orders) rows.add(order_id);
      }
      let ours = 0n;
      for (const id of rows) {
        const order = first.orders.get(id);
        const delivered = order?.statestamps?.some((stamp) => stamp.delivery_state.startsWith('DELIVERED'));
        if (delivered) ours += amount(order?.cod, currency);
        if (order && order.delivery_state !== 'CANCELLED') ours -= amount(order.delivery_fee, currency);
      }
      const effects = chain.filter((planted) => planted.currency === currency).map(({ effect }) => parseUnits(effect!));
      expect(courier - ours).toBe(effects.reduce((sum, effect) => sum + effect, 0n));
    }
  });

  test('of what was never billed are what it would have brought', () => {
    const missed = world.planted.filter(({ code }) => code === 'delivered-not-invoiced');
    expect(missed).toHaveLength(2);
    for (const { order_id, effect } of missed) {
      expect(parseUnits(effect ?? '')).toBe(-worth(first.orders.get(order_id ?? '')));
    }
  });
});

test('planted references are equal to a person and different to a machine', () => {
  const twins = world.planted
    .filter(({ code }) => code === 'duplicate-reference')
    .map(({ order_id }) => first.orders.get(order_id ?? '')?.reference_id ?? '');
  const plain = (text: string) => text.normalize('NFC').trim().toLowerCase();
  const all = [...first.orders.values()].map(({ reference_id }) => reference_id ?? '');
  const written = twins.map((twin) => new Set(all.filter((reference) => plain(reference) === plain(twin))).size);
  expect(written).toEqual([1, 2, 2, 2, 2]);
});

describe('drift is refused', () => {
  const refusal = (store: Store) => expect(() => plantDrift(store));

  test('in a world that was not planted, has drifted, or has lived on', () => {
    const store = openStore(':memory:');
    const months = { from: '2026-08', to: '2026-10' };
    seedWorld(store, { months, orders: 60, seed: '5', asOf: NOW, plant: false });
    refusal(store).toThrow(/nothing in this file is prepared/);

    const once = plantedWorld().store;
    plantDrift(once);
    refusal(once).toThrow(/nothing in this file is prepared/);

    const lived = plantedWorld().store;
    runDay(lived, { now: NOW });
    refusal(lived).toThrow(/has moved since the world was planted/);
    // Nothing was changed by the attempt.
    refusal(lived).toThrow(/has moved/);
  });
});
