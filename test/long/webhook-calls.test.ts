import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { placeOf } from '../../src/base/place.ts';
import { usingLedger } from '../../src/ledger/index.ts';
import { openStore } from '../../src/sandbox/store/open.ts';
import { changeStates } from '../../src/sandbox/store/states.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { makeWorld, startListening, until } from '../helpers/webhooks.ts';

const NIGHTS = 7;
const CHANGES_A_DAY = 3;

/** Passes connections on to the company's service, and counts the requests for orders. */
async function startCounting(origin: string) {
  const { hostname, port } = new URL(origin);
  const counted = { orders: 0 };
  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    client.on('data', (data) => {
      counted.orders += data.toString('latin1').match(/GET \/v1\/external\/orders\//g)?.length ?? 0;
      service.write(data);
    });
    service.on('data', (data) => client.write(data));
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      one.on('close', () => other.destroy());
      one.on('error', () => {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => void server.close());
  return { counted, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/external/` };
}

it(`webhooks and one whole walk a week find what a walk each night finds, with a fraction of the requests`, async () => {
  const world = await makeWorld({ orders: 600 });
  const [nightly, weekly] = [await startCounting(world.url), await startCounting(world.url)];
  const settings = readFileSync(path.join(world.folder, 'remit.toml'), 'utf8')
    .replace(/api_key_file = .*/, `api_key_file = "${path.join(world.folder, 'api-key')}"`)
    .replace(/secret_file = .*/, `secret_file = "${path.join(world.folder, 'secret')}"`);
  const booksAt = (url: string) => {
    const folder = scratchFolder();
    writeFileSync(
      path.join(folder, 'remit.toml'),
      `${settings.replace(/api_url = .*/, `api_url = "${url}"`)}page_size = 10\n`,
    );
    return folder;
  };
  const [walks, hears] = [booksAt(nightly.url), booksAt(weekly.url)];
  for (const folder of [walks, hears]) await world.json(['sync', '2026-10', '--orders'], folder);
  const listener = await startListening(hears);
  const hook = `${listener.said.listens}${listener.said.hooks[0]!.path}`;
  const add = ['sandbox', 'webhook', 'add', hook, '--secret-file', 'secret', '--data', world.data];
  await world.json([...add, '--merchant', 'Cedar Threads']);
  nightly.counted.orders = 0;
  weekly.counted.orders = 0;
  const store = openStore(world.data);
  onTestFinished(() => store.close());
  const orders = store.all<{ id: string; delivery_state: never; payment_state: never }>(
    `select order_id as id, delivery_state, payment_state from delivery_order where merchant_id = 1 order by order_id limit ?`,
    NIGHTS * CHANGES_A_DAY,
  );
  const records = (folder: string) =>
    usingLedger(placeOf(path.join(folder, 'ledger.db')), { readOnly: true }, async ({ db }) => {
      const states = ['order_id', 'delivery_state', 'payment_state', 'merchant_invoice'] as const;
      return {
        states: await db.selectFrom('courier_order').select(states).orderBy('order_id').execute(),
        amounts: await db
          .selectFrom('courier_order_amount')
          .select(['order_id', 'currency', 'cod', 'delivery_fee'])
          .orderBy('order_id')
          .orderBy('currency')
          .execute(),
      };
    });
  const waiting = () =>
    usingLedger(placeOf(path.join(hears, 'ledger.db')), { readOnly: true }, async ({ db }) => {
      const held = await db.selectFrom('webhook').select('answered_evidence_id').execute();
      return held.filter((row) => row.answered_evidence_id !== null).length;
    });
  for (let night = 1; night <= NIGHTS; night += 1) {
    for (const { id, ...states } of orders.slice((night - 1) * CHANGES_A_DAY, night * CHANGES_A_DAY)) {
      // Some are restated, others go on.
      store.write(() => {
        store.run(`update order_money set cod = cod + 10000 where order_id = ? and cod is not null`, id);
        changeStates(store, id, states, new Date().toISOString().replace('Z', '000+00:00'));
      });
    }
    await until(waiting, (count) => count === night * CHANGES_A_DAY);
    await world.json(['sync', '2026-10', '--orders'], walks);
    await world.json(['sync', '2026-10', ...(night === NIGHTS ? ['--orders'] : [])], hears);
    expect(await records(hears)).toEqual(await records(walks));
  }
  const found = async (folder: string) => {
    const { mismatches } = await world.json<{
      mismatches: { id: string; code: string; expected: string; actual: string }[];
    }>(['check', '2026-10'], folder);
    return mismatches.map(({ id, code, expected, actual }) => [code, id, expected, actual].join(' ')).sort();
  };
  const [byWalks, byWebhooks] = [await found(walks), await found(hears)];
  expect(byWalks.length).toBeGreaterThan(CHANGES_A_DAY);
  expect(byWebhooks).toEqual(byWalks);
  const share = weekly.counted.orders / nightly.counted.orders;
  process.stdout.write(
    `requests for orders in ${NIGHTS} nights: ${nightly.counted.orders} by a walk each night, ${weekly.counted.orders} by webhooks and one walk (${(100 * share).toFixed(0)} %); ${byWalks.length} mismatches in both\n`,
  );
  expect(share).toBeLessThan(0.25);
  await listener.stop();
});
