import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../src/sandbox/random.ts';
import { remit } from '../helpers/cli.ts';
import { type FakeCourier, type FakeOrder, invoiceOf, KEY, type Pair, startFakeCourier } from '../helpers/courier.ts';
import { expectVerified, query, temporaryFolder } from '../helpers/sync.ts';
import { HEADER, message, SECRET, signed, until } from '../helpers/webhooks.ts';

const DAY = 86_400_000;
const WEEKS = Number(process.env.REMIT_WEBHOOK_WEEKS ?? 3);
const PAGE = 100;
/** What the shop sold before; the order book has a page for each hundred. */
const EARLIER = Number(process.env.REMIT_WEBHOOK_ORDERS ?? 3_200);
const A_DAY = 60;
const DROPPED = 0.02;
const DOUBLED = 0.05;

type Random = ReturnType<typeof seededRandom>;

const money = (random: Random): Pair[] => [['USD', (random.int(900, 9_000) / 100).toFixed(2)]];
const fee: Pair[] = [['USD', '3.00']];

/** A company's orders, which are made, delivered, invoiced each Monday and paid on Thursdays. */
class Business {
  readonly courier: FakeCourier;
  readonly #random: Random;
  /** Orders that are not paid yet. */
  #open: FakeOrder[] = [];
  /** What changed today: each change has its message. */
  changes: { id: string; at: string }[] = [];

  constructor(courier: FakeCourier, random: Random) {
    this.courier = courier;
    this.#random = random;
  }

  #stamp(order: FakeOrder, delivery_state: string, payment_state: string, at: Date): void {
    Object.assign(order, { delivery_state, payment_state });
    const timestamp = at.toISOString();
    order.statestamps = [...(order.statestamps as object[]), { delivery_state, payment_state, timestamp }];
    this.changes.push({ id: order.order_id, at: timestamp });
  }

  #make(id: string, at: Date): FakeOrder {
    const order = { order_id: id, reference_id: `shop-${id}`, workflow: 'STANDARD', cod: money(this.#random) };
    const whole = { ...order, delivery_fee: fee, merchant_invoice: null, statestamps: [] };
    this.courier.world.orders.unshift(whole);
    this.#stamp(whole, 'CREATED', 'UNPAID', at);
    return whole;
  }

  /** What was sold and settled before. */
  before(now: Date): void {
    for (let n = EARLIER; n > 0; n -= 1) {
      const order = this.#make(`B${n}`, new Date(now.getTime() - DAY - n * 600_000));
      // Some are lost for long: a look at all that may still change takes most of the pages.
      if (n % 25 !== 0) this.#stamp(order, 'CANCELLED', 'UNPAID', new Date(now.getTime() - DAY));
      else this.#stamp(order, 'PICKED_UP_FOR_DELIVERY', 'UNPAID', new Date(now.getTime() - DAY));
    }
    this.changes = [];
  }

  live(morning: Date, day: number): void {
    this.changes = [];
    const random = this.#random;
    const at = (hour: number) => new Date(morning.getTime() + hour * 3_600_000 + random.int(0, 3_599_999));
    for (const order of this.#open) {
      if (order.delivery_state === 'CREATED') this.#stamp(order, 'PICKED_UP_FOR_DELIVERY', 'UNPAID', at(1));
      else if (order.delivery_state === 'PICKED_UP_FOR_DELIVERY' && random.chance(0.7))
        this.#stamp(order, 'DELIVERED', 'PAID_BY_DRIVER', at(4));
    }
    for (let made = 0; made < A_DAY; made += 1) this.#open.push(this.#make(`D${day}-${made}`, at(8)));
    // The company corrects an order or two of long ago.
    for (let n = random.int(0, 2); n > 0; n -= 1) {
      const order = random.pick(this.courier.world.orders);
      order.cod = money(random);
      this.changes.push({ id: order.order_id, at: at(9).toISOString() });
    }
    const weekday = morning.getUTCDay();
    if (weekday === 1) this.#invoice(at(10), day);
    if (weekday === 4) this.#pay(at(10));
  }

  #invoice(at: Date, day: number): void {
    const due = this.#open.filter((order) => order.delivery_state === 'DELIVERED' && order.merchant_invoice === null);
    if (due.length === 0) return;
    const number = 100 + day;
    const rows = due.map((order, index) => {
      order.merchant_invoice = number;
      this.#stamp(order, 'DELIVERED', 'PENDING_PAYMENT_TO_MERCHANT', at);
      // Some rows lack what the order has.
      const cod = index % 40 === 7 ? ([['USD', '1.00']] as Pair[]) : (order.cod as Pair[]);
      return { order_id: order.order_id, reference_id: order.reference_id as string, cod, delivery_fee: fee };
    });
    this.courier.world.invoices.push(invoiceOf(number, at.toISOString(), rows, { status: 'PENDING_PAYMENT' }));
  }

  #pay(at: Date): void {
    for (const invoice of this.courier.world.invoices) invoice.status = 'PAID';
    const isPaid = ({ payment_state }: FakeOrder) => payment_state === 'PENDING_PAYMENT_TO_MERCHANT';
    for (const order of this.#open.filter(isPaid)) this.#stamp(order, 'DELIVERED', 'PAID_TO_MERCHANT', at);
    this.#open = this.#open.filter(({ payment_state }) => payment_state !== 'PAID_TO_MERCHANT');
  }
}

/** @returns the status of the answer */
function post(socketPath: string, hook: string, body: string, signature: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { [HEADER]: signature, 'content-length': Buffer.byteLength(body) };
    const sent = request({ socketPath, path: hook, method: 'POST', headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode!));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

it(`webhooks and a whole walk a week find what a walk each night finds, with fewer requests`, async () => {
  const random = seededRandom('webhook-calls');
  const courier = await startFakeCourier({ pageSize: PAGE });
  onTestFinished(() => courier.close());
  const clock = new Date('2026-10-05T02:00:00Z');
  const business = new Business(courier, random);
  business.before(clock);
  const booksWith = (...settings: string[]) => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'secret'), `${SECRET}\n`, { mode: 0o600 });
    const all = [`api_url = "${courier.url}"`, 'time_zone = "UTC"', `page_size = ${PAGE}`, ...settings, ''];
    writeFileSync(path.join(folder, 'remit.toml'), all.join('\n'));
    return folder;
  };
  // For the walks, and a dozen requests a night: the listener leaves the orders to the nights.
  const budget = Math.ceil(EARLIER / PAGE) * (WEEKS + 2) + 12 * 7 * WEEKS;
  const walks = booksWith();
  const hears = booksWith('webhook_secret_file = "secret"', `requests_per_month = ${budget}`);
  const file = (folder: string) => path.join(folder, 'ledger.db');
  const run = async (folder: string, ...args: string[]) => {
    const { code, stdout, stderr } = await remit([...args, '--json'], {
      cwd: folder,
      now: clock,
      env: { REMIT_API_KEY: KEY },
    });
    if (stdout === '') throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const counted = {
    walks: 0,
    hears: 0,
    listener: 0,
    others: 0,
    changes: 0,
    dropped: 0,
    missed: 0,
    forged: 0,
    mismatches: 0,
  };
  const night = async (folder: string, of: 'walks' | 'hears') => {
    const before = courier.requests.length;
    const { sync } = await run(folder, 'night', '--orders');
    expect([clock, of, sync.status]).toEqual([clock, of, 'complete']);
    const sent = courier.requests.slice(before);
    const orders = sent.filter((each) => each.startsWith('/orders/')).length;
    counted.others += sent.length - orders;
    return orders;
  };
  const states = (folder: string) =>
    query<{ order_id: string }>(
      file(folder),
      `select b.order_id, b.delivery_state, b.payment_state, b.merchant_invoice, a.cod, a.delivery_fee
       from courier_order b join courier_order_amount a on a.order_id = b.order_id where b.vanished_at is null order by b.order_id`,
    );
  const found = async (folder: string) => {
    const { mismatches } = await run(folder, 'check');
    return (mismatches as { id: string; code: string; order_id: string; expected: string; actual: string }[])
      .map(({ code, order_id, expected, actual }) => ({ code, order_id, expected, actual }))
      .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  };
  await night(walks, 'walks');
  await night(hears, 'hears');
  counted.others = 0;
  const socket = path.join(hears, 'hooks.sock');
  const stop = new AbortController();
  const env = { REMIT_API_KEY: KEY };
  const listening = remit(['listen', '--socket', socket], { cwd: hears, now: clock, signal: stop.signal, env });
  onTestFinished(() => stop.abort());
  const answers = () => post(socket, '/hooks/', '{}', 'no signature').catch(() => 0);
  await until(answers, (status) => status === 401);
  const { couriers } = await run(hears, 'courier', 'list');
  const hook = `/hooks/${couriers[0].name}`;
  const dropped = new Set<string>();
  for (let day = 1; day <= 7 * WEEKS; day += 1) {
    clock.setTime(clock.getTime() + DAY / 3);
    business.live(clock, day);
    clock.setTime(clock.getTime() + DAY / 2);
    const before = courier.requests.length;
    const sending: [body: string, signature: string, status: number][] = [];
    for (const { id, at } of business.changes) {
      counted.changes += 1;
      const body = message(id, at);
      if (random.chance(DROPPED)) {
        dropped.add(id);
        counted.dropped += 1;
      } else sending.push([body, signed(body), 204]);
      if (random.chance(DOUBLED)) sending.push([body, signed(body), dropped.has(id) ? 0 : 204]);
      if (random.chance(0.02)) sending.push([message(id, '2099-01-01T00:00:00Z'), signed(body, 'another secret'), 401]);
    }
    // In disorder.
    const order = new Map(sending.map((each) => [each, random.int(0, 1_000_000)]));
    for (const each of sending.filter(([, , status]) => status !== 0).sort((a, b) => order.get(a)! - order.get(b)!)) {
      const [body, signature, status] = each;
      if (status === 401) counted.forged += 1;
      expect(await post(socket, hook, body, signature)).toBe(status);
    }
    // The listener gathers for a moment.
    await sleep(1_000);
    counted.listener += courier.requests.slice(before).filter((each) => each.startsWith('/orders/')).length;
    clock.setTime(clock.getTime() + DAY / 6);
    counted.walks += await night(walks, 'walks');
    counted.hears += await night(hears, 'hears');
    const [truth, heard] = [states(walks), states(hears)];
    if (day % 7 !== 0) {
      const held = new Map(heard.map((each) => [each.order_id, JSON.stringify(each)]));
      const other = truth.filter((each) => held.get(each.order_id) !== JSON.stringify(each));
      expect([day, other.filter(({ order_id }) => !dropped.has(order_id))]).toEqual([day, []]);
      continue;
    }
    expect(heard).toEqual(truth);
    const [byWalks, byWebhooks] = [await found(walks), await found(hears)];
    const missed = byWebhooks.filter(({ code }) => code === 'webhook-missed');
    expect(missed.filter(({ order_id }) => !dropped.has(order_id))).toEqual([]);
    counted.missed += missed.length;
    counted.mismatches = byWalks.length;
    expect(byWebhooks.filter(({ code }) => code !== 'webhook-missed')).toEqual(byWalks);
    dropped.clear();
  }
  stop.abort();
  expect((await listening).code).toBe(0);
  await expectVerified(file(hears));
  const share = (counted.hears + counted.listener) / counted.walks;
  process.stdout.write(
    `${7 * WEEKS} nights, ${courier.world.orders.length} orders at the end: ${JSON.stringify(counted)}, ${(100 * share).toFixed(1)} % of the requests for orders\n`,
  );
  expect(counted.missed).toBeGreaterThan(0);
  expect(counted.mismatches).toBeGreaterThan(3);
  expect(share).toBeLessThan(0.3);
}, 900_000);
