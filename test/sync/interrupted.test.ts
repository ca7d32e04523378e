import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { runRemit, startRemit } from '../helpers/remit.ts';
import { dumpLedger, query, temporaryFolder } from '../helpers/sync.ts';

let courier: FakeCourier;
afterEach(() => courier.close());

const ids = Array.from({ length: 40 }, (_, index) => index);
const world = () => ({
  pageSize: 7,
  invoices: ids.map((index) =>
    invoiceOf(
      1000 + index,
      `2026-10-${String(1 + (index % 28)).padStart(2, '0')}T10:00:00+03:00`,
      Array.from({ length: 30 }, (_, position) => ({
        order_id: `O-${index}-${position}`,
        cod: [
          ['USD', `${10 + position}.25`],
          ['LBP', `${position * 50_000}.00`],
        ] as [string, string][],
        delivery_fee: [['USD', '3.00']] as [string, string][],
      })),
    ),
  ),
  orders: ids.map((index) => ({
    order_id: `O-${index}-0`,
    reference_id: '',
    workflow: 'STANDARD',
    cod: [['USD', '10.25']],
    delivery_fee: [['USD', '3.00']],
    delivery_state: 'DELIVERED',
    payment_state: 'PAID_TO_MERCHANT',
    merchant_invoice: 1000 + index,
  })),
});

/** Answers a little late, so that there is something to be killed in the middle of. */
function slowly(server: FakeCourier, ms: number): void {
  server.world.intercept = (request, response) => {
    if (request.headers['x-waited']) return false;
    request.headers['x-waited'] = 'yes';
    setTimeout(() => server.replay(request, response), ms);
    return true;
  };
}

/** How many invoices the ledger holds; null while it, or its first table, is not there yet. */
function invoicesIn(file: string): number | null {
  try {
    return query(file, 'select 1 from invoice').length;
  } catch (error) {
    if (/unable to open|no such table|is locked/.test((error as Error).message)) return null;
    throw error;
  }
}

async function reached(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

const environment = (file: string) => ({ REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: file });
const SYNC = ['sync', '2026-10', '--orders', '--quiet'];

test('killed at any moment, then run again: the same ledger as one clean sync', async () => {
  courier = await startFakeCourier(world());
  const clean = path.join(temporaryFolder(), 'ledger.db');
  expect(await runRemit(SYNC, environment(clean))).toMatchObject({ code: 0 });
  const expected = dumpLedger(clean);

  slowly(courier, 4);
  const file = path.join(temporaryFolder(), 'ledger.db');
  // From the first request to the pages of the order book, and a little later each time, so that writes are hit too.
  for (const [round, requests] of [1, 2, 4, 6, 9, 12, 3, 10, 14, 12, 9, 5].entries()) {
    const before = courier.requests.length;
    const { child, ended } = startRemit(SYNC, environment(file));
    await reached(() => courier.requests.length >= before + requests);
    await new Promise((resolve) => setTimeout(resolve, round * 1.5));
    child.kill('SIGKILL');
    await ended;
    if (invoicesIn(file) === null) continue;
    expect(query(file, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(query(file, 'pragma foreign_key_check')).toEqual([]);
  }
  // Once more, as soon as something has landed, if nothing had: the last sync goes on from what is there.
  const { child, ended } = startRemit(SYNC, environment(file));
  await reached(() => (invoicesIn(file) ?? 0) > 0);
  child.kill('SIGKILL');
  await ended;
  courier.world.intercept = () => false;
  expect(await runRemit(SYNC, environment(file))).toMatchObject({ code: 0 });
  expect(dumpLedger(file)).toEqual(expected);
  expect(query(file, "select 1 from run where status = 'interrupted'").length).toBeGreaterThan(0);
  expect(query(file, "select 1 from run where status = 'running'")).toEqual([]);
});

test('a second sync on the same ledger is kept out with exit code 4', async () => {
  courier = await startFakeCourier(world());
  // Nothing is answered before the second sync has come and gone.
  let answer = () => {};
  const isOver = new Promise<void>((resolve) => {
    answer = resolve;
  });
  courier.world.intercept = (request, response) => {
    isOver.then(() => {
      courier.world.intercept = () => false;
      courier.replay(request, response);
    });
    return true;
  };
  const file = path.join(temporaryFolder(), 'ledger.db');
  const first = startRemit(SYNC, environment(file));
  await reached(() => courier.requests.length >= 1);
  const second = await runRemit(SYNC, environment(file));
  answer();
  expect(second.code).toBe(4);
  expect(second.stderr).toMatch(/a sync is at work on .*ledger\.db/);
  expect((await first.ended).code).toBe(0);
});

test('Ctrl-C ends with exit code 130, keeps what is done, and the next sync goes on', async () => {
  courier = await startFakeCourier(world());
  slowly(courier, 40);
  const file = path.join(temporaryFolder(), 'ledger.db');
  const first = startRemit(SYNC, environment(file));
  await reached(() => courier.requests.length >= 25 && (invoicesIn(file) ?? 0) > 0);
  first.child.kill('SIGINT');
  expect((await first.ended).code).toBe(130);
  const held = query(file, 'select 1 from invoice').length;
  expect(held).toBeGreaterThan(0);
  expect(query(file, 'select status from run')).toEqual([{ status: 'interrupted' }]);
  courier.world.intercept = () => false;
  const next = await runRemit([...SYNC, '--json'], environment(file));
  expect(JSON.parse(next.stdout)).toMatchObject({
    status: 'complete',
    invoices: { fetched: 40 - held, unchanged: held },
  });
});
