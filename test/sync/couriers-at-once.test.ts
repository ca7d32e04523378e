import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';
import { type Ended, runRemit } from '../helpers/remit.ts';

const NAMES = ['cedar', 'north', 'swift'] as const;
const ISSUED = '2026-10-05T10:00:00+00:00';

const order = (id: string) => ({
  order_id: id,
  reference_id: `ref-${id}`,
  cod: [['USD', '10.00']] as [string, string][],
  delivery_fee: [['USD', '2.00']] as [string, string][],
});

const record = (id: string) => ({
  ...order(id),
  workflow: 'STANDARD',
  is_exchange: false,
  delivery_state: 'DELIVERED',
  payment_state: 'PAID_TO_MERCHANT',
  merchant_invoice: null,
  number_of_packages: 1,
  return_reason: null,
  statestamps: [{ timestamp: ISSUED, delivery_state: 'DELIVERED', payment_state: 'PAID_TO_MERCHANT' }],
});

interface Placed {
  readonly couriers: Readonly<Record<string, FakeCourier>>;
  readonly run: (...argv: string[]) => Promise<Ended>;
}

/** Three couriers with an invoice each, of which everything was brought once. */
async function books(ledger: string, lock = 'advisory'): Promise<Placed> {
  const cwd = scratchFolder();
  const couriers: Record<string, FakeCourier> = {};
  const tables = [];
  for (const name of NAMES) {
    const courier = await startFakeCourier({
      organisation: `Zahra at ${name}`,
      // More pages than one transaction stores, so that walks over the order books come between each other.
      pageSize: 1,
      orders: Array.from({ length: 30 }, (_, index) => record(`${name}-${index + 1}`)),
      invoices: [invoiceOf(10_001, ISSUED, [order(`${name}-1`)])],
    });
    onTestFinished(() => courier.close());
    couriers[name] = courier;
    tables.push(`[couriers.${name}]\napi_url = "${courier.url}"\napi_key_file = "key"\n`);
  }
  writeFileSync(path.join(cwd, 'key'), KEY, { mode: 0o600 });
  const top = `time_zone = "UTC"\nledger = "${ledger}"\nledger_lock = "${lock}"\n`;
  writeFileSync(path.join(cwd, 'remit.toml'), top + tables.join(''));
  const run = (...argv: string[]) => runRemit(argv, { TZ: 'UTC' }, cwd);
  expect(await run('sync', '2026-10')).toMatchObject({ code: 0 });
  for (const name of NAMES) couriers[name]!.world.invoices.push(invoiceOf(10_002, ISSUED, [order(`${name}-2`)]));
  return { couriers, run };
}

/** Lets a courier keep a page of its order book back until told, when all before it are stored. */
function hold(courier: FakeCourier): { readonly asked: Promise<void>; readonly letGo: () => void } {
  let letGo = () => {};
  const asked = new Promise<void>((told) => {
    courier.world.intercept = (request, response, at, query) => {
      if (at !== '/orders/' || query.get('page') !== '29') return false;
      letGo = () => {
        delete courier.world.intercept;
        courier.replay(request, response);
      };
      told();
      return true;
    };
  });
  return { asked, letGo: () => letGo() };
}

const atWork = (what: string) => ({ code: 4, stderr: expect.stringContaining(`${what} is at work on`) });

async function proveApart({ couriers, run }: Placed): Promise<void> {
  const swift = hold(couriers.swift!);
  const first = run('sync', '2026-10', '--orders', '--courier', 'swift');
  await swift.asked;
  expect(await run('sync', '2026-10', '--orders', '--courier', 'cedar')).toMatchObject({ code: 0 });
  expect(await run('sync', '2026-10', '--courier', 'swift')).toMatchObject(atWork('a sync'));
  expect(await run('close', '2026-10', '--by', 'Rana', '--first')).toMatchObject(atWork('a sync'));
  expect(await run('rebuild')).toMatchObject(atWork('a sync'));
  swift.letGo();
  expect(await first).toMatchObject({ code: 0 });
  // What the other sync did in the middle ended no run but those that were killed.
  const runs = JSON.parse((await run('report', 'runs', '--json')).stdout).rows;
  expect(runs.map(({ courier, status }: Record<string, string>) => `${courier} ${status}`).sort()).toEqual(
    ['cedar', 'cedar', 'north', 'swift', 'swift'].map((name) => `${name} complete`),
  );
  const all = ['sync', '2026-10', '--orders', '--full', '--courier'];
  const together = await Promise.all(NAMES.map((name) => run(...all, name)));
  expect(together.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(NAMES.map(() => ''));
  expect(JSON.parse((await run('verify', '--json')).stdout)).toMatchObject({ ok: true, problems: [] });
  const { rows } = JSON.parse((await run('report', 'totals', '2026-10', '--json')).stdout);
  expect(rows.map(({ courier, cod }: Record<string, string>) => [courier, cod])).toEqual(
    NAMES.map((name) => [name, '20.00']),
  );
  // The whole ledger is free again, and its rows are those that the evidence gives.
  expect(await run('rebuild')).toMatchObject({ code: 0 });
  const { rows: custody } = JSON.parse((await run('report', 'custody', '--json')).stdout);
  expect(custody.reduce((sum: number, { orders }: { orders: number }) => sum + orders, 0)).toBe(90);
}

describe('syncs of several couriers into one ledger at once', () => {
  it('keep out their own courier and what is of the whole books, and nothing else', async () => {
    await proveApart(await books('ledger.db'));
  });

  it.skipIf(!hasPostgres)('and on a server, by advisory locks', async () => {
    await proveApart(await books((await newDatabase({ create: 'template template0' })).url));
  });

  it.skipIf(!hasPostgres)('and on a server, by leases', async () => {
    await proveApart(await books((await newDatabase({ create: 'template template0' })).url, 'lease'));
  });
});
