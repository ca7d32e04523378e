import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/sandbox/random.ts';
import { remit } from '../helpers/cli.ts';
import { type FakeCourier, type FakeRow, invoiceOf, KEY, send, startFakeCourier } from '../helpers/courier.ts';
import { expectVerified, query, temporaryFolder } from '../helpers/sync.ts';

const WORLDS = Number(process.env.REMIT_BUDGET_WORLDS ?? 2);
const SEED = process.env.REMIT_BUDGET_SEED ?? 'budget';
const NIGHTS = 40;
const DAY = 86_400_000;

type Random = ReturnType<typeof seededRandom>;

/** A courier whose plan allows so many requests a month; it counts itself, as the real one does. */
function withQuota(courier: FakeCourier, clock: { now: Date }, most: number): Map<string, number> {
  const used = new Map<string, number>();
  courier.world.intercept = (_, response) => {
    const month = clock.now.toISOString().slice(0, 7);
    used.set(month, (used.get(month) ?? 0) + 1);
    if (used.get(month)! <= most) return false;
    response.setHeader('retry-after', String(20 * 86_400));
    send(response, 429, { error: 'true', message: 'Too many requests.', details: '' });
    return true;
  };
  return used;
}

const cents = (random: Random, least: number, most: number) => (random.int(least, most) / 100).toFixed(2);

/** One day at the courier: orders are made, delivered, billed, restated and paid. Its documents always agree. */
function live(courier: FakeCourier, random: Random, now: Date, day: number): void {
  const { world } = courier;
  const stamp = (order: Record<string, unknown>, delivery_state: string, payment_state: string) => {
    Object.assign(order, { delivery_state, payment_state });
    const stamps = order.statestamps as object[];
    order.statestamps = [...stamps, { delivery_state, payment_state, timestamp: now.toISOString() }];
  };
  for (let made = random.int(0, 5); made > 0; made -= 1) {
    const order = {
      order_id: `D${day}-${made}`,
      reference_id: `ref-${day}-${made}`,
      workflow: 'STANDARD',
      cod: [['USD', cents(random, 500, 9_000)]],
      delivery_fee: [['USD', cents(random, 100, 400)]],
      merchant_invoice: null,
      statestamps: [],
    };
    stamp(order, 'CREATED', 'UNPAID');
    world.orders.unshift(order);
  }
  const open = world.orders.filter(({ merchant_invoice }) => merchant_invoice === null);
  for (const order of open) {
    if (order.delivery_state === 'CREATED' && random.chance(0.5)) stamp(order, 'DELIVERED', 'PAID_BY_DRIVER');
  }
  const due = open.filter(({ delivery_state }) => delivery_state === 'DELIVERED');
  if (due.length > 0 && random.chance(0.45)) {
    const number = 100 + world.invoices.length;
    const rows = due.map((order): FakeRow => {
      Object.assign(order, { merchant_invoice: number });
      stamp(order, 'DELIVERED', 'PENDING_PAYMENT_TO_MERCHANT');
      return {
        order_id: order.order_id,
        reference_id: order.reference_id as string,
        cod: order.cod as FakeRow['cod'],
        delivery_fee: order.delivery_fee as FakeRow['cod'],
      };
    });
    world.invoices.push(invoiceOf(number, now.toISOString(), rows, { status: 'PENDING_PAYMENT' }));
  }
  for (const [index, invoice] of world.invoices.entries()) {
    if (invoice.status === 'PAID') continue;
    const own = world.orders.filter(({ merchant_invoice }) => merchant_invoice === invoice.number);
    const event = random.int(0, 99);
    if (event < 15) {
      const cod: FakeRow['cod'] = [['USD', cents(random, 500, 9_000)]];
      Object.assign(own[0]!, { cod });
      const orders = invoice.orders.map((row) => (row.order_id === own[0]!.order_id ? { ...row, cod } : row));
      world.invoices[index] = invoiceOf(invoice.number, invoice.issued_at, orders, { status: 'PENDING_PAYMENT' });
    } else if (event < 30) {
      world.invoices[index] = { ...invoice, status: 'PAID' };
      for (const order of own) stamp(order, 'DELIVERED', 'PAID_TO_MERCHANT');
    }
  }
}

/** The months of which the ledger says something else than the courier does. */
function wrongMonths(courier: FakeCourier, file: string): string[] {
  const held = new Map(
    query<{ number: number; text: string }>(
      file,
      `select i.number, i.status || ' ' || a.net_due_to_merchant as text
       from invoice i join invoice_amount a on a.invoice_number = i.number where i.vanished_at is null`,
    ).map(({ number, text }) => [number, text]),
  );
  const wrong = courier.world.invoices.filter(({ number, status, net_due_to_merchant: [net] }) => {
    const units = Math.round(Number(net![1]) * 10_000);
    return held.get(number) !== `${status} ${units}`;
  });
  return [...new Set(wrong.map(({ issued_at }) => issued_at.slice(0, 7)))].sort();
}

const RESTATED = ['invoice-restated', 'order-restated'];

const counts = { worlds: 0, nights: 0, requests: 0, partial: 0, wrong: 0, parts: 0, refreshed: 0 };

test(`${WORLDS} random worlds of ${NIGHTS} nights stay within their budget, and no month is wrong in silence`, async () => {
  for (let world = 0; world < WORLDS; world += 1) {
    const random = seededRandom(`${SEED}/${world}`);
    const courier = await startFakeCourier({ pageSize: random.int(3, 12) });
    const clock = { now: new Date('2026-09-05T02:00:00Z') };
    // From what lasts a week to what lasts for all.
    const budget = random.int(30, 500);
    // Orders of before, which a small budget does not read in one night.
    for (let old = random.int(0, 1) * random.int(200, 500); old > 0; old -= 1) {
      const stamp = { delivery_state: 'CANCELLED', payment_state: 'UNPAID' };
      const timestamp = new Date(clock.now.getTime() - old * DAY).toISOString();
      const money = { cod: [['USD', '9.00']], delivery_fee: [['USD', '0.00']] };
      const statestamps = [{ ...stamp, timestamp }];
      courier.world.orders.unshift({ order_id: `B${old}`, workflow: 'STANDARD', ...money, ...stamp, statestamps });
    }
    const used = withQuota(courier, clock, budget);
    const cwd = temporaryFolder();
    const every = random.int(1, 9);
    writeFileSync(
      path.join(cwd, 'remit.toml'),
      `api_url = "${courier.url}"\ntime_zone = "UTC"\noverdue_days = 365\nrequests_per_month = ${budget}\norders_full_every = ${every}\npage_size = ${courier.world.pageSize}\n`,
    );
    counts.worlds += 1;
    const file = path.join(cwd, 'ledger.db');
    const run = (...args: string[]) => remit(args, { cwd, now: clock.now, env: { REMIT_API_KEY: KEY } });
    try {
      for (let day = 0; day < NIGHTS; day += 1, clock.now = new Date(clock.now.getTime() + DAY)) {
        live(courier, random, clock.now, day);
        const before = courier.requests.length;
        const night = await run('night', '--orders', '--json');
        const place = `world ${world}, night ${day}`;
        const { sync, sync_failure } = JSON.parse(night.stdout);
        expect([place, sync_failure]).toEqual([place, null]);
        const sent = courier.requests.length - before;
        expect([place, sync.requests]).toEqual([place, sent]);
        const month = clock.now.toISOString().slice(0, 7);
        expect([place, sync.budget.used_this_month]).toEqual([place, used.get(month) ?? 0]);
        expect(used.get(month) ?? 0).toBeLessThanOrEqual(budget);
        counts.nights += 1;
        counts.requests += sent;
        if (sync.status === 'partial') counts.partial += 1;
        if (sync.status === 'partial') expect([place, night.code]).not.toEqual([place, 0]);
        // Documents that agree give no mismatch but that they changed, however old one of them is.
        const checked = JSON.parse((await run('check', '--json')).stdout);
        const found = checked.mismatches.filter(({ code }: { code: string }) => !RESTATED.includes(code));
        expect([place, found.map(({ message }: { message: string }) => message)]).toEqual([place, []]);
        const said = new Set(checked.incomplete.map(({ period }: { period: string }) => period));
        const wrong = wrongMonths(courier, file);
        counts.wrong += wrong.length;
        expect([place, wrong.filter((each) => !said.has(each))]).toEqual([place, []]);
      }
      await expectVerified(file);
      const look = (kind: string, more = '') =>
        query<{ n: number }>(file, `select count(*) as n from evidence where kind = '${kind}' ${more}`)[0]!.n;
      counts.refreshed += look('orders-refreshed');
      counts.parts += look('listing', `and data like '%"resume"%'`);
    } finally {
      await courier.close();
    }
  }
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  // It bites, and what it leaves undone shows.
  const { parts: _, ...others } = counts;
  for (const count of Object.values(others)) expect(count).toBeGreaterThan(0);
}, 900_000);
