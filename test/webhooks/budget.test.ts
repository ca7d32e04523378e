import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { KEY, startFakeCourier } from '../helpers/courier.ts';
import { expectVerified, query, temporaryFolder } from '../helpers/sync.ts';
import { HEADER, message, SECRET, signed, until } from '../helpers/webhooks.ts';

const PAGE = 10;

/** A courier with orders on their way, and books that hear of them within a budget. */
async function makeBooks(orders: number, settings: (month: string) => string) {
  const courier = await startFakeCourier({ pageSize: PAGE });
  onTestFinished(() => courier.close());
  for (let n = 1; n <= orders; n += 1) {
    const stamp = { delivery_state: 'CREATED', payment_state: 'UNPAID' };
    const timestamp = new Date(Date.UTC(2026, 9, 1) + n * 60_000).toISOString();
    const money = { cod: [['USD', '9.00']], delivery_fee: [['USD', '1.00']] };
    const statestamps = [{ ...stamp, timestamp }];
    courier.world.orders.unshift({ order_id: `A${n}`, workflow: 'STANDARD', ...money, ...stamp, statestamps });
  }
  const cwd = temporaryFolder();
  const clock = new Date('2026-11-20T02:00:00Z');
  const settle = (month: string) =>
    writeFileSync(
      path.join(cwd, 'remit.toml'),
      `api_url = "${courier.url}"\ntime_zone = "UTC"\npage_size = ${PAGE}\nwebhook_secret_file = "secret"\n${settings(month)}\n`,
    );
  writeFileSync(path.join(cwd, 'secret'), `${SECRET}\n`, { mode: 0o600 });
  settle('300');
  const surroundings = { cwd, now: clock, env: { REMIT_API_KEY: KEY } };
  const run = async (...args: string[]) => JSON.parse((await remit([...args, '--json'], surroundings)).stdout);
  const file = path.join(cwd, 'ledger.db');
  const waiting = () =>
    query<{ id: string }>(file, 'select order_id as id from webhook where answered_evidence_id is null order by 1').map(
      ({ id }) => id,
    );
  /** Runs the listener, sends it messages of orders, and gives it time to ask for them. */
  const hear = async (...ids: string[]) => {
    const { couriers } = await run('courier', 'list');
    const socket = path.join(cwd, 'hooks.sock');
    const stop = new AbortController();
    const listening = remit(['listen', '--socket', socket], { ...surroundings, signal: stop.signal });
    const post = (body: string, signature: string) =>
      new Promise<number>((resolve) => {
        const headers = { [HEADER]: signature, 'content-length': Buffer.byteLength(body) };
        const hook = `/hooks/${couriers[0].name}`;
        const sent = request({ socketPath: socket, path: hook, method: 'POST', headers }, (answer) =>
          answer.resume().once('end', () => resolve(answer.statusCode!)),
        );
        sent.once('error', () => resolve(0)).end(body);
      });
    await until(
      () => post('{}', 'none'),
      (status) => status === 401,
    );
    for (const id of ids) {
      const body = message(id, clock.toISOString());
      expect(await post(body, signed(body))).toBe(204);
    }
    await sleep(1_500);
    stop.abort();
    expect((await listening).code).toBe(0);
  };
  const deliver = (id: string) => {
    const order = courier.world.orders.find(({ order_id }) => order_id === id)!;
    const stamp = { delivery_state: 'DELIVERED', payment_state: 'PAID_BY_DRIVER' };
    const statestamps = [...(order.statestamps as object[]), { ...stamp, timestamp: clock.toISOString() }];
    Object.assign(order, { ...stamp, statestamps });
  };
  const stateOf = (id: string) =>
    query<{ state: string }>(file, `select delivery_state as state from courier_order where order_id = '${id}'`)[0]
      ?.state;
  return { courier, clock, settle, run, waiting, hear, deliver, stateOf, file };
}

it('the requests of the listener are counted, and leave what the nights need', async () => {
  const books = await makeBooks(30, (month) => `requests_per_month = ${month}`);
  const first = await books.run('sync', '2026-11', '--orders');
  expect(first.status).toBe('complete');
  const before = books.courier.requests.length;
  books.deliver('A7');
  await books.hear('A7');
  expect(books.courier.requests.slice(before)).toEqual(['/orders/A7/']);
  expect(books.stateOf('A7')).toBe('DELIVERED');
  const used = books.courier.requests.length;
  const { requests } = await books.run('sync', '2026-11', '--dry-run');
  expect(requests.used_this_month).toBe(books.courier.requests.length);
  expect(books.courier.requests.length).toBeGreaterThan(used);

  books.settle(String(books.courier.requests.length + 20));
  const spent = books.courier.requests.length;
  for (const id of ['A8', 'A30']) books.deliver(id);
  await books.hear('A8', 'A30');
  expect(books.courier.requests.length).toBe(spent);
  expect(books.waiting()).toEqual(['A30', 'A8']);

  // The sync brings them: the new one is on the newest page.
  const sync = await books.run('sync', '2026-11', '--orders');
  expect(sync.status).toBe('complete');
  const orders = books.courier.requests.slice(spent).filter((each) => each.startsWith('/orders/'));
  expect(orders.map((each) => each.replace(/\?.*/, ''))).toEqual(['/orders/', '/orders/A8/']);
  expect([books.stateOf('A8'), books.stateOf('A30'), books.waiting()]).toEqual(['DELIVERED', 'DELIVERED', []]);
  await expectVerified(books.file);
});

it('where the budget is spent, what messages named waits for the next month', async () => {
  const books = await makeBooks(30, (month) => `requests_per_month = ${month}`);
  await books.run('sync', '2026-11', '--orders');
  books.settle(String(books.courier.requests.length + 2));
  books.deliver('A8');
  await books.hear('A8');
  const sync = await books.run('sync', '2026-11');
  expect([sync.status, books.waiting()]).toEqual(['partial', ['A8']]);
  await expectVerified(books.file);
  books.clock.setTime(Date.parse('2026-12-01T02:00:00Z'));
  books.settle('300');
  const next = await books.run('sync', '2026-11');
  expect([next.status, books.waiting(), books.stateOf('A8')]).toEqual(['complete', [], 'DELIVERED']);
});

it('an order book that is read in parts says which changes came without a webhook', async () => {
  const settings = (month: string) => `requests_per_month = ${month}\norders_full_every = 1\nbudget_day = 21`;
  const books = await makeBooks(60, settings);
  await books.run('sync', '2026-11', '--orders');
  for (const id of ['A1', 'A3']) books.deliver(id);
  await books.hear('A1');
  books.clock.setTime(Date.parse('2026-11-20T12:00:00Z'));
  books.settle(String(books.courier.requests.length + 5));
  const part = await books.run('sync', '2026-11', '--orders');
  expect([part.status, books.stateOf('A1'), books.stateOf('A3')]).toEqual(['partial', 'DELIVERED', 'CREATED']);
  books.clock.setTime(Date.parse('2026-11-21T01:00:00Z'));
  const rest = await books.run('sync', '2026-11', '--orders');
  expect([rest.status, books.stateOf('A3')]).toEqual(['complete', 'DELIVERED']);
  const { mismatches } = await books.run('check', '--only', 'webhook-missed');
  expect(mismatches.map(({ order_id }: { order_id: string }) => order_id)).toEqual(['A3']);
});

it('an order book that is read in parts answers the messages from before its first part', async () => {
  const books = await makeBooks(60, (month) => `requests_per_month = ${month}\norders_full_every = 1`);
  // Nobody looked at the order book yet, and the first part is all that the month allows.
  await books.run('sync', '2026-11');
  books.settle('1');
  await books.hear('A1', 'A50');
  books.settle(String(books.courier.requests.length + 5));
  const part = await books.run('sync', '2026-11', '--orders');
  expect([part.status, books.waiting()]).toEqual(['partial', ['A1', 'A50']]);
  const [{ data }] = query<{ data: string }>(
    books.file,
    `select data from evidence where kind = 'listing' and subject = 'orders' order by id desc limit 1`,
  ) as [{ data: string }];
  expect(JSON.parse(data).resume.webhooks_until).toBeGreaterThan(0);
  books.clock.setTime(Date.parse('2026-12-01T02:00:00Z'));
  books.settle('300');
  const rest = await books.run('sync', '2026-11', '--orders');
  expect([rest.status, books.waiting()]).toEqual(['complete', []]);
  await expectVerified(books.file);
});
