import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, send, startFakeCourier } from '../helpers/courier.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';
import { startRemit } from '../helpers/remit.ts';
import { execute, expectVerified, query, temporaryFolder } from '../helpers/sync.ts';

const NOW = new Date('2026-10-20T02:00:00Z');
const DAY = 86_400_000;

let courier: FakeCourier;
let cwd: string;
beforeEach(async () => {
  courier = await startFakeCourier({ pageSize: 2 });
  cwd = temporaryFolder();
});
afterEach(async () => {
  await courier.close();
  await expectVerified(path.join(cwd, 'ledger.db'));
});

const settings = (more: string, pageSize = 2) =>
  writeFileSync(
    path.join(cwd, 'remit.toml'),
    `api_url = "${courier.url}"\ntime_zone = "UTC"\npage_size = ${pageSize}\n${more}\n`,
  );

async function run(args: string, now = NOW) {
  const { code, stdout, stderr } = await remit(args.split(' '), { cwd, now, env: { REMIT_API_KEY: KEY } });
  return { code, stderr, json: args.includes('--json') ? JSON.parse(stdout) : null, stdout };
}

const bill = (number: number, day: string, status = 'PENDING_PAYMENT') =>
  courier.world.invoices.push(
    invoiceOf(
      number,
      `2026-${day}T09:00:00Z`,
      [{ order_id: `O${number}`, cod: [['USD', '25.00']], delivery_fee: [['USD', '3.00']] }],
      { status },
    ),
  );

const order = (number: number, state = 'DELIVERED') => ({
  order_id: `O${number}`,
  workflow: 'STANDARD',
  cod: [['USD', '25.00']],
  delivery_fee: [['USD', '3.00']],
  delivery_state: state,
  payment_state: state === 'DELIVERED' ? 'PAID_TO_MERCHANT' : 'UNPAID',
  merchant_invoice: state === 'DELIVERED' ? number : null,
  statestamps: [
    {
      delivery_state: state,
      payment_state: 'UNPAID',
      timestamp: `2026-10-${String((number % 18) + 1).padStart(2, '0')}T09:00:00Z`,
    },
  ],
});

const paths = () =>
  courier.requests.map((request) => request.replace(/\?.*page=(\d+).*/, ' page $1').replace(/\?.*/, ''));

test('a sync spends first on lists, then on what is unpaid, stops before its budget is passed, and the next one goes on', async () => {
  settings('requests_per_month = 8');
  for (const number of [1, 2, 3, 4]) bill(number, `10-0${number}`);
  bill(5, '09-05', 'PAID');
  const dry = await run('sync 2026-09..2026-10 --dry-run --json');
  expect(dry.json.requests).toEqual({ planned: 9, used_this_month: 0, left: 8 });
  courier.requests.length = 0;

  const first = await run('sync 2026-09..2026-10 --json');
  expect(first.code).toBe(1);
  expect(first.json).toMatchObject({
    status: 'partial',
    requests: 8,
    budget: { used_this_month: 8, left: 0, resets_on: '2026-11-01' },
    incomplete: [{ period: '2026-10' }],
  });
  expect(first.stderr).toContain('the budget of 8 requests a month is spent (8 used); it begins again on 2026-11-01');
  expect(courier.requests).toHaveLength(8);
  expect(paths().slice(0, 4)).toEqual(['/profile/', '/invoices/', '/invoices/', '/invoices/ page 2']);

  const check = await run('check --json');
  expect(check.json.incomplete.map(({ period, why }: Record<string, string>) => `${period} ${why}`)).toContainEqual(
    expect.stringMatching(/^2026-10 .*lists? invoice|^2026-10 .*budget of 8 requests/),
  );

  // Nothing is sent any more until the month ends, and then what is left.
  const second = await run('sync 2026-09..2026-10 --json');
  expect([second.code, second.json.status, second.json.requests]).toEqual([1, 'partial', 0]);
  expect(second.json.incomplete.map(({ period }: { period: string }) => period)).toEqual(['2026-09', '2026-10']);
  const next = await run('sync 2026-09..2026-10 --json', new Date('2026-11-01T00:00:00Z'));
  expect(next.json.budget).toEqual({ used_this_month: 8, left: 0, resets_on: '2026-12-01' });
});

test('the month of a budget begins on its day, and a sync without a budget counts too', async () => {
  settings('');
  bill(1, '10-01');
  const free = await run('sync 2026-10 --json');
  expect(free.json.budget).toEqual({ used_this_month: 3, left: null, resets_on: '2026-11-01' });
  settings('requests_per_month = 10\nbudget_day = 20');
  const same = await run('sync 2026-10 --json');
  expect(same.json.budget).toEqual({ used_this_month: 5, left: 5, resets_on: '2026-11-20' });
  const after = await run('sync 2026-10 --json', new Date('2026-11-20T00:00:00Z'));
  expect(after.json.budget).toMatchObject({ used_this_month: after.json.requests, resets_on: '2026-12-20' });
});

test('attempts that failed are counted, and those of a dry run and of doctor', async () => {
  settings('requests_per_month = 100\nmax_attempts = 2');
  bill(1, '10-01');
  await run('sync 2026-10');
  const used = courier.requests.length;
  courier.world.intercept = (_, response, asked) => {
    if (asked !== '/profile/') return false;
    send(response, 500, { error: 'true', message: 'Unexpected error.' });
    return true;
  };
  const failed = await run('sync 2026-10 --json');
  expect(failed.json.budget.used_this_month).toBe(courier.requests.length);
  expect(courier.requests.length).toBeGreaterThan(used + 2);
  delete courier.world.intercept;
  const dry = await run('sync 2026-10 --dry-run --json');
  expect(dry.json.requests).toMatchObject({ planned: 2, used_this_month: courier.requests.length });
  const doctor = await run('doctor --json');
  // The question whether anybody answers goes without the key.
  const counted = courier.requests.length - 1;
  expect(doctor.json.checks.find(({ name }: { name: string }) => name === 'budget').message).toBe(
    `a night costs about 4 requests; ${counted} of 100 are used this month, and the ${100 - counted} left buy ${Math.floor((100 - counted) / 4)} nights until 2026-11-01`,
  );
});

test('two couriers have budgets of their own', async () => {
  const table = (name: string, url: string, more: string) => `[couriers.${name}]\napi_url = "${url}"\n${more}\n`;
  const other = await startFakeCourier({ organisation: 'Other', pageSize: 2 });
  try {
    bill(1, '10-01');
    other.world.invoices.push(
      invoiceOf(7, '2026-10-02T09:00:00Z', [
        { order_id: 'P', cod: [['USD', '9.00']], delivery_fee: [['USD', '1.00']] },
      ]),
    );
    writeFileSync(
      path.join(cwd, 'remit.toml'),
      `time_zone = "UTC"\n${table('cedar', courier.url, 'requests_per_month = 2\nbudget_day = 5')}${table('swift', other.url, 'requests_per_month = 50')}`,
    );
    const { json, code } = await run('sync 2026-10 --json');
    const of = (name: string) => json.couriers.find((one: { name: string }) => one.name === name);
    expect([code, json.status]).toEqual([1, 'partial']);
    expect(of('cedar')).toMatchObject({
      status: 'partial',
      budget: { used_this_month: 2, left: 0, resets_on: '2026-11-05' },
    });
    expect(of('swift')).toMatchObject({
      status: 'complete',
      budget: { used_this_month: 3, left: 47, resets_on: '2026-11-01' },
    });
    expect(json.incomplete).toEqual([
      { courier: 'cedar', period: '2026-10', why: expect.stringContaining('budget of 2') },
    ]);
    expect(json.budget).toEqual({ used_this_month: 5, left: 47, resets_on: '2026-11-01' });
  } finally {
    await other.close();
  }
});

test('429 until the month ends stops the sync in one sentence', async () => {
  settings('');
  for (const number of [1, 2, 3]) bill(number, `10-0${number}`);
  courier.world.intercept = (_, response, asked) => {
    if (!/\d\/$/.test(asked)) return false;
    response.setHeader('retry-after', String(11 * 86_400));
    send(response, 429, { error: 'true', message: 'Too many requests.' });
    return true;
  };
  const { code, json, stderr } = await run('sync 2026-10 --json');
  expect([code, json.status]).toEqual([1, 'partial']);
  expect(json.incomplete).toEqual([
    { period: '2026-10', why: expect.stringMatching(/answers no more requests until 20\d\d-.* UTC \(429\)/) },
  ]);
  expect(stderr.match(/answers no more requests/g)).toHaveLength(1);
});

test('between full walks only what may still change is asked for, and the check says of what day the book is', async () => {
  settings('orders_full_every = 7');
  for (let number = 20; number > 0; number -= 1) courier.world.orders.push(order(number));
  // The oldest on the last page is on its way, and so are two on the first.
  for (const index of [0, 1, 19]) courier.world.orders[index] = order(20 - index, 'IN_TRANSIT');
  const first = await run('sync 2026-10 --orders --json');
  expect([first.json.status, first.json.orders]).toEqual(['complete', { listed: 20, changed: 20 }]);
  expect((await run('check --json')).json.order_book).toEqual([
    { courier: 'zahra-store', as_of: '2026-10-20', full: true },
  ]);

  courier.requests.length = 0;
  courier.world.orders[19] = order(1, 'DELIVERED');
  courier.world.orders.unshift(order(21, 'CREATED'));
  const day = (days: number) => new Date(NOW.getTime() + days * DAY);
  const second = await run('sync 2026-10 --orders --json', day(1));
  expect(second.json).toMatchObject({ status: 'complete', orders: { changed: 2 } });
  expect(paths().slice(2)).toEqual(['/orders/ page 1', '/orders/ page 2', '/orders/O1/']);
  const check = (await remit(['check', '--json'], { cwd, now: day(1) })).stdout;
  expect(JSON.parse(check).order_book).toEqual([{ courier: 'zahra-store', as_of: '2026-10-21', full: false }]);
  expect((await remit(['check'], { cwd, now: day(1) })).stdout).toContain(
    'the order book is of 2026-10-21 as far as its orders may still change; all of it was last read on 2026-10-20',
  );

  const seventh = await run('sync 2026-10 --orders --json', day(7));
  expect(seventh.json.orders.listed).toBe(21);
  expect((await run('check --json')).json.order_book).toEqual([
    { courier: 'zahra-store', as_of: '2026-10-27', full: true },
  ]);
});

test('an order book that takes more than the budget is read in parts, and is whole as of the day on which they began', async () => {
  settings('requests_per_month = 10\norders_full_every = 28\nbudget_day = 20');
  for (let number = 18; number > 0; number -= 1) courier.world.orders.push(order(number));
  bill(18, '10-10', 'PAID');
  const first = await run('sync 2026-10 --orders --json');
  expect([first.code, first.json.status]).toEqual([1, 'partial']);
  expect(first.json.incomplete).toEqual([{ period: null, why: expect.stringContaining('budget') }]);
  expect(first.json.budget.left).toBe(0);
  const check = (await run('check --json')).json;
  expect(check.incomplete.map(({ why }: { why: string }) => why).join()).toContain('did not bring all of it');
  expect(check.order_book).toEqual([{ courier: 'zahra-store', as_of: null, full: false }]);

  // A new order, and one that changed on a page that is read.
  courier.world.orders.unshift(order(19, 'CREATED'));
  let last = first;
  for (
    let month = 1;
    month < 8 && last.json.incomplete.some(({ period }: { period: string | null }) => period === null);
    month += 1
  ) {
    last = await run('sync 2026-10 --orders --json', new Date(NOW.getTime() + month * 31 * DAY));
    expect(last.json.budget.used_this_month).toBeLessThanOrEqual(10);
  }
  expect(last.json.status).toBe('complete');
  const file = path.join(cwd, 'ledger.db');
  expect(query(file, 'select count(*) as n from courier_order where vanished_at is null')).toEqual([{ n: 19 }]);
  expect(
    query(
      file,
      `select complete, substr(finished_at, 1, 10) as day from listing where kind = 'orders' and complete = 1`,
    ),
  ).toEqual([{ complete: 1, day: '2026-10-20' }]);
});

test('orders that are gone between two parts move those below them up, also where pages are smaller than asked for', async () => {
  settings('requests_per_month = 12\norders_full_every = 28\nbudget_day = 20', 4);
  for (let number = 40; number > 0; number -= 1) courier.world.orders.push(order(number));
  const first = await run('sync 2026-09 --orders --json');
  expect(first.json.status).toBe('partial');
  const numbers = () => {
    const rows = query<{ order_id: string }>(path.join(cwd, 'ledger.db'), 'select order_id from courier_order');
    return rows.map(({ order_id }) => Number(order_id.slice(1))).sort((a, b) => b - a);
  };
  const { length } = numbers();
  expect(length).toBeGreaterThan(8);

  courier.world.orders.splice(1, 7);
  const asked: string[] = [];
  for (let month = 1; asked.at(-1) !== '/orders/ page 17'; month += 1) {
    courier.requests.length = 0;
    await run('sync 2026-09 --orders --json', new Date(NOW.getTime() + month * 31 * DAY));
    asked.push(...paths());
  }
  // None between the newest and the oldest is passed over.
  expect(numbers()).toEqual(Array.from({ length: 40 }, (_, place) => 40 - place));
});

test('a page that cannot be stored is told, also where the budget ends just then; the next sync reads it again', async () => {
  settings('requests_per_month = 12\norders_full_every = 28\nbudget_day = 20');
  for (let number = 18; number > 0; number -= 1) courier.world.orders.push(order(number));
  await run('sync 2026-09 --json');
  const file = path.join(cwd, 'ledger.db');
  const stored = () => query<{ n: number }>(file, 'select count(*) as n from courier_order')[0]!.n;
  const before = readFileSync(file);
  expect((await run('sync 2026-10 --orders --json')).json.status).toBe('partial');
  const whole = stored();
  expect(whole).toBeGreaterThan(4);

  writeFileSync(file, before);
  execute(
    file,
    `create trigger refuses before insert on courier_order when new.order_id = 'O${19 - whole}'
      begin select raise(abort, 'no room for it'); end`,
  );
  const lost = await run('sync 2026-10 --orders');
  expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining('no room for it')]);
  expect(stored()).toBe(0);
  execute(file, 'drop trigger refuses');
  const next = await run('sync 2026-10 --orders --json', new Date(NOW.getTime() + 31 * DAY));
  expect([next.json.status, stored()]).toEqual(['complete', 18]);
});

test('attempts are spaced evenly over parallel requests', async () => {
  settings('requests_per_minute = 600\nconcurrency = 8');
  for (const number of [1, 2, 3, 4, 5, 6]) bill(number, `10-0${number}`);
  const times: number[] = [];
  courier.world.intercept = () => {
    times.push(performance.now());
    return false;
  };
  await run('sync 2026-10');
  expect(times).toHaveLength(10);
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(850);
});

test('a sync that is killed forgets no attempt', async () => {
  settings('requests_per_month = 100\nconcurrency = 2');
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9]) bill(number, `10-0${number}`);
  const { child, ended } = startRemit(['sync', '2026-10'], { REMIT_API_KEY: KEY }, cwd);
  courier.world.intercept = () => {
    if (courier.requests.length > 8) child.kill('SIGKILL');
    return false;
  };
  await ended;
  delete courier.world.intercept;
  const before = courier.requests.length;
  expect(before).toBeGreaterThan(8);
  const next = await run('sync 2026-10 --json', new Date());
  expect(next.json.status).toBe('complete');
  const used = next.json.budget.used_this_month;
  // What was counted before it was sent may be more, and is never less.
  expect(used).toBeGreaterThanOrEqual(courier.requests.length);
  expect(used).toBeLessThanOrEqual(courier.requests.length + 10);
});

test.skipIf(!hasPostgres)('a shared ledger counts as a file does', async () => {
  const { url } = await newDatabase();
  settings(`requests_per_month = 6\nledger = "${url}"`);
  for (const number of [1, 2, 3, 4]) bill(number, `10-0${number}`);
  courier.world.orders.push(order(1));
  const first = await run('sync 2026-10 --orders --json');
  expect(first.json).toMatchObject({ status: 'partial', requests: 6, budget: { used_this_month: 6, left: 0 } });
  expect(first.json.incomplete.map(({ period }: { period: string | null }) => period)).toEqual(['2026-10', null]);
  const next = await run('sync 2026-10 --orders --json', new Date('2026-11-01T00:00:00Z'));
  expect(next.json.budget.used_this_month).toBe(next.json.requests);
  expect(next.json.requests).toBeLessThanOrEqual(6);
});
