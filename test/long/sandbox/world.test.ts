import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { hashKey, merchantOfKeyHash } from '../../../src/sandbox/store/merchants.ts';
import { openStore } from '../../../src/sandbox/store/open.ts';
import type { Store } from '../../../src/sandbox/store/store.ts';
import { runDay } from '../../../src/sandbox/world/day.ts';
import type { WorldOptions } from '../../../src/sandbox/world/planted.ts';
import { type SeededWorld, seedWorld } from '../../../src/sandbox/world/seed.ts';
import { findings, lookedFor } from '../../sandbox/world/invariants.ts';

const DAY = 86_400_000;
const AUTUMN: WorldOptions = {
  months: { from: '2026-08', to: '2026-10' },
  orders: 600,
  seed: '7',
  asOf: new Date('2026-11-20T10:00:00Z'),
  plant: false,
};

function seeded(options: Partial<WorldOptions> = {}): { store: Store; world: SeededWorld } {
  const store = openStore(':memory:');
  return { store, world: seedWorld(store, { ...AUTUMN, ...options }) };
}

function one<T>(store: Store, sql: string, ...params: unknown[]): T {
  return store
    .prepare(sql)
    .pluck()
    .get(...params) as T;
}

/** Everything that a world holds but its keys. */
function dump(store: Store): string {
  const tables = store
    .all<{ name: string }>(`select name from sqlite_schema where type = 'table' and name <> 'api_key' order by name`)
    .map(({ name }) => name);
  return JSON.stringify(tables.map((name) => [name, store.db.prepare(`select * from ${name}`).all()]));
}

/** Months, seeds and moments of seeding: inside the months, at their end, and long after. */
const worlds = fc.record({
  months: fc.constantFrom(
    { from: '2026-08', to: '2026-10' },
    { from: '2026-09', to: '2026-11' },
    { from: '2026-02', to: '2026-02' },
  ),
  seed: fc.string(),
  orders: fc.integer({ min: 0, max: 700 }),
  asOf: fc
    .integer({ min: Date.parse('2026-03-01T00:00:00Z'), max: Date.parse('2027-01-15T00:00:00Z') })
    .map((ms) => new Date(ms)),
});
const possible = ({ months, asOf }: { months: { from: string }; asOf: Date }): boolean =>
  asOf.getTime() > Date.parse(`${months.from}-02T00:00:00Z`);

describe('a clean world', () => {
  test('gives no finding, for either merchant, on the day of its seeding and in the week after', () => {
    fc.assert(
      fc.property(worlds.filter(possible), fc.nat({ max: 6 }), (options, later) => {
        const { store } = seeded(options);
        for (const merchant of [1, 2]) {
          expect(findings(store, merchant, new Date(options.asOf.getTime() + later * DAY))).toEqual([]);
        }
        store.close();
      }),
      { numRuns: 15 },
    );
  });

  test('holds exactly the orders asked for, nothing after asOf, and no invoice outside its months', () => {
    fc.assert(
      fc.property(worlds.filter(possible), (options) => {
        const { store } = seeded(options);
        const { months, orders, asOf } = options;
        for (const merchant of [1, 2]) {
          expect(one(store, 'select count(*) from delivery_order where merchant_id = ?', merchant)).toBe(orders);
        }
        const stamps = [
          'stamped_at from statestamp',
          'issued_at from invoice',
          'paid_at from invoice where paid_at is not null',
        ];
        for (const at of stamps.flatMap((from) => store.prepare(`select ${from}`).pluck().all() as string[])) {
          expect(at).toMatch(/^2026-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
          expect(Date.parse(at)).toBeLessThan(asOf.getTime());
        }
        for (const at of store.prepare('select issued_at from invoice').pluck().all() as string[]) {
          expect(at.slice(0, 7) >= months.from && at.slice(0, 7) <= months.to).toBe(true);
        }
        store.close();
      }),
      { numRuns: 10 },
    );
  });

  test('stamps each order in the order of time, from CREATED on, and ends the stamps with its states', () => {
    const { store } = seeded();
    expect(
      one(
        store,
        `select count(*) from statestamp a join statestamp b on b.order_id = a.order_id and b.position = a.position + 1
         where b.stamped_at < a.stamped_at`,
      ),
    ).toBe(0);
    expect(one(store, `select count(*) from statestamp where position = 0 and delivery_state <> 'CREATED'`)).toBe(0);
    expect(
      one(
        store,
        `select count(*) from delivery_order o where (delivery_state, payment_state) is not (
           select delivery_state, payment_state from statestamp s where s.order_id = o.order_id order by position desc limit 1)`,
      ),
    ).toBe(0);
  });

  test('leaves nothing delivered unbilled once its months are over', () => {
    const { store } = seeded({ asOf: new Date('2026-11-01T00:00:00Z') });
    expect(one(store, `select count(*) from delivery_order where delivery_state = 'DELIVERED'`)).toBeGreaterThan(500);
    expect(
      one(
        store,
        `select count(*) from delivery_order where merchant_invoice is null
         and delivery_state in ('DELIVERED', 'DELIVERED_AT_WAREHOUSE')`,
      ),
    ).toBe(0);
  });

  test('pays invoices older than three weeks, and none that is younger', () => {
    const { store } = seeded({ months: { from: '2026-09', to: '2026-11' } });
    const edge = '2026-10-30T10:00:00';
    expect(one(store, `select count(*) from invoice where status <> 'PAID' and issued_at < ?`, edge)).toBe(0);
    expect(one(store, `select count(*) from invoice where status = 'PAID' and issued_at > ?`, edge)).toBe(0);
    expect(one(store, `select count(*) from invoice where status = 'PAID'`)).toBeGreaterThan(10);
    expect(one(store, `select count(*) from invoice where status <> 'PAID'`)).toBeGreaterThan(2);
  });

  test('has what real months have: returns, exchanges, failed attempts, cancellations, two currencies, three scripts', () => {
    const { store } = seeded({ orders: 1200 });
    const counts = {
      collectedAtWarehouse: `delivery_order where delivery_state = 'DELIVERED_AT_WAREHOUSE'`,
      cameBack: `delivery_order o where delivery_state = 'CANCELLED' and exists (
        select 1 from statestamp s where s.order_id = o.order_id and s.delivery_state = 'AWAITING_RETURN')`,
      exchanges: 'delivery_order where is_exchange = 1',
      returns: `delivery_order where workflow = 'RETURN' and return_reason <> ''`,
      cancelled: `delivery_order where delivery_state = 'CANCELLED'`,
      underWay: `delivery_order where delivery_state not in ('DELIVERED', 'CANCELLED', 'DELIVERED_AT_WAREHOUSE')`,
      retried: `(select order_id from statestamp where delivery_state = 'IN_TRANSIT' group by 1 having count(*) > 1)`,
      pounds: `order_money where currency = 'LBP' and cod > 10000000000`,
      bothCurrencies: `(select order_id from order_money where cod > 0 group by 1 having count(*) = 2)`,
      leadingZeros: `delivery_order where reference_id glob '0*'`,
      noReference: `delivery_order where reference_id = ''`,
      arabic: `customer where name glob '*[ء-ي]*'`,
      emoji: `customer where name glob '*[🌸💪✨👩🍕]*'`,
      items: 'integration_item',
    };
    for (const [what, from] of Object.entries(counts)) {
      expect([what, one<number>(store, `select count(*) from ${from}`) >= 5]).toEqual([what, true]);
    }
    expect(
      one(store, 'select min(n) from (select count(*) n from invoice_row group by invoice_number)'),
    ).toBeGreaterThan(24);
  });

  test('is the same for the same options, but for the keys, and another for another seed', () => {
    const [a, b, other] = [seeded(), seeded(), seeded({ seed: '8' })];
    expect(dump(a.store)).toBe(dump(b.store));
    expect(dump(a.store)).not.toBe(dump(other.store));
    expect(a.world.merchants[0]?.key).not.toBe(b.world.merchants[0]?.key);
  });

  test('gives each merchant a key of its own that opens it', () => {
    const { store, world } = seeded({ orders: 10 });
    expect(world.merchants.map(({ key }) => merchantOfKeyHash(store, hashKey(key)))).toEqual([1, 2]);
    expect(
      one(store, `select count(*) from api_key where hash in ('${world.merchants.map((m) => m.key).join("','")}')`),
    ).toBe(0);
  });

  test('is refused where one is already, and where its months lie ahead', () => {
    const { store } = seeded({ orders: 5 });
    expect(() => seedWorld(store, AUTUMN)).toThrow(UsageError);
    expect(() => seeded({ months: { from: '2026-12', to: '2026-12' } })).toThrow(/has no whole day before/);
  });
});

/** What is planted of what the invariants look for, once for each time. */
const CODES = [
  ...['invoice-cod-total', 'invoice-fee-total', 'invoice-net', 'invoice-order-count', 'invoice-list-detail'],
  ...['order-repeated', 'order-on-two-invoices', 'paid-state-conflict', 'cod-without-delivery', 'fee-on-cancelled'],
  ...['payment-overdue', 'order-amount-differs', 'order-invoice-link', 'order-unknown', 'delivered-not-invoiced'],
  ...['order-on-two-invoices', 'cod-without-delivery', 'delivered-not-invoiced', 'status-unknown'],
  'invoice-in-two-months',
  ...Array.from({ length: 5 }, () => 'duplicate-reference'),
];

describe('planted mismatches', () => {
  test('are found one by one, each where it was planted, and nothing else is', () => {
    fc.assert(
      fc.property(
        worlds.filter(possible).map((w) => ({ ...w, orders: 500 + w.orders })),
        fc.nat({ max: 6 }),
        (options, later) => {
          fc.pre(options.months.from !== options.months.to);
          fc.pre(options.asOf.getTime() > Date.parse(`${options.months.from}-01T00:00:00Z`) + 50 * DAY);
          const { store, world } = seeded({ ...options, plant: true });
          const planted = lookedFor(world.planted);
          const now = new Date(options.asOf.getTime() + later * DAY);
          expect(findings(store, 1, now)).toEqual(planted);
          expect(findings(store, 2, now)).toEqual([]);
          expect(planted.map((each) => each.split('/')[0]).sort()).toEqual([...CODES].sort());
          store.close();
        },
      ),
      { numRuns: 8 },
    );
  });

  test('stand on an invoice each, where there are enough of them', () => {
    const { world } = seeded({ months: { from: '2026-06', to: '2026-10' }, orders: 1500, plant: true });
    const invoices = world.planted.flatMap(({ invoice_number }) => invoice_number ?? []);
    expect(new Set(invoices).size).toBe(invoices.length);
  });

  test('are refused in a world that cannot hold them, which is left empty', () => {
    const young = { months: { from: '2026-11', to: '2026-11' }, plant: true };
    expect(() => seeded(young)).toThrow(/invoice from before 2026-10-20/);
    const store = openStore(':memory:');
    expect(() => seedWorld(store, { ...AUTUMN, orders: 12, plant: true })).toThrow(UsageError);
    expect(one(store, 'select count(*) from merchant')).toBe(0);
  });
});

describe('run-day', () => {
  test('lives on day by day: new orders, deliveries, weekly invoices, payments, and still no finding', () => {
    const { store } = seeded({ asOf: new Date('2026-11-01T00:00:00Z') });
    const total = { created: 0, moved: 0, invoices: 0, payments: 0 };
    for (let i = 0; i < 35; i++) {
      const day = runDay(store, { now: AUTUMN.asOf });
      expect(day.date).toBe(new Date(Date.parse('2026-11-01T00:00:00Z') + i * DAY).toISOString().slice(0, 10));
      for (const name of ['created', 'moved', 'invoices', 'payments'] as const) total[name] += day[name];
      if (i % 5 > 0) continue;
      const now = new Date(Date.parse(day.date) + DAY);
      expect([day.date, ...findings(store, 1, now), ...findings(store, 2, now)]).toEqual([day.date]);
    }
    expect(total.created).toBeGreaterThan(400);
    expect(total.moved).toBeGreaterThan(1000);
    // Five Mondays, two merchants; paid after one to three weeks.
    expect(total.invoices).toBe(10);
    expect(total.payments).toBeGreaterThan(8);
  });

  test('lives on with planted mismatches: what was never billed is, the rest stands, and nothing is added', () => {
    const { store, world } = seeded({ plant: true });
    const days = Array.from({ length: 12 }, () => runDay(store, { now: AUTUMN.asOf }).date);
    const left = world.planted.filter(({ code }) => code !== 'delivered-not-invoiced');
    expect(findings(store, 1, new Date(Date.parse(days.at(-1)!) + DAY))).toEqual(lookedFor(left));
  });

  test('refuses a file without merchants', () => {
    expect(() => runDay(openStore(':memory:'), { now: AUTUMN.asOf })).toThrow(UsageError);
  });
});
