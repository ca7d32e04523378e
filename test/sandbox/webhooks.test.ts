import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/sandbox/store/open.ts';
import { makeWorld, SECRET, signed, startServing, until } from '../helpers/webhooks.ts';

interface Heard {
  readonly id: string;
  readonly last_updated_at: string;
  readonly attempt: number;
  readonly isRight: boolean;
  readonly state: string;
}

/** A merchant's program that is told of orders. @param answer the status for each message */
async function startMerchant(answer: (heard: Heard, count: number) => number = () => 204) {
  const heard: Heard[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { id, last_updated_at, data } = JSON.parse(body.toString());
    const one = {
      id,
      last_updated_at,
      attempt: Number(request.headers['x-pt-webhook-attempt']),
      isRight: request.headers['x-pt-webhook-signature'] === signed(body),
      state: data.delivery_state,
    };
    heard.push(one);
    response.writeHead(answer(one, heard.length)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => void server.close());
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/told` };
}

async function told(faults: string | null, answer?: (heard: Heard, count: number) => number) {
  const world = await makeWorld({ faults });
  const merchant = await startMerchant(answer);
  const add = ['sandbox', 'webhook', 'add', merchant.url, '--secret-file', 'secret', '--data', world.data];
  expect((await world.run(add)).code).toBe(2);
  await world.json([...add, '--merchant', 'Cedar Threads']);
  const key = (await world.run(['sandbox', 'webhook', 'list', '--data', world.data, '--json'])).stdout;
  expect(key).not.toContain(SECRET);
  return { world, ...merchant };
}

/** Orders that wait for a pickup: each can be assigned. */
function pickups(data: string, count: number): string[] {
  const store = openStore(data);
  try {
    const ids = store.all<{ id: string }>(
      'select order_id as id from delivery_order where merchant_id = 1 order by seq desc limit ?',
      count,
    );
    const back = `update delivery_order set delivery_state = 'PICKUP_REQUESTED', payment_state = 'UNPAID', merchant_invoice = null where order_id = ?`;
    for (const { id } of ids) store.write(() => store.run(back, id));
    return ids.map(({ id }) => id);
  } finally {
    store.close();
  }
}

describe('webhooks of the service', () => {
  test('tell of each order that is created, updated and cancelled, signed, until they are removed', async () => {
    const { world, heard, url } = await told(null);
    const order = {
      merchant_location: 1,
      customer: { name: 'Rana', phone_number: '+96170000001' },
      customer_location: {
        directions: 'x',
        area: { id: 1, name_ar: 'أ', name_en: 'A', district: 'Beirut', lat: '33.8', long: '35.5' },
      },
      reference_id: 'W-1',
      workflow: 'STANDARD',
      cod: [['USD', '10.00']],
      number_of_packages: 1,
    };
    const { json } = world;
    const places = await json<{ id: number }[]>(['api', 'pickups']);
    const body = JSON.stringify({ ...order, merchant_location: [places].flat(3)[0]!.id });
    const { order_id: id } = await json<{ order_id: string }>(['api', 'createOrder', '--body', body]);
    await world.run(['api', 'requestPickup', `order_id=${id}`]);
    await world.run(['api', 'cancelOrder', `order_id=${id}`]);
    await until(
      async () => heard.length,
      (count) => count >= 3,
    );
    expect(heard.every((one) => one.isRight && one.id === id && one.attempt === 1)).toBe(true);
    expect(new Set(heard.map(({ last_updated_at }) => last_updated_at)).size).toBe(3);
    expect(heard.map(({ state }) => state)).toContain('CANCELLED');
    const removed = await world.json<{ removed: number }>(['sandbox', 'webhook', 'remove', url, '--data', world.data]);
    expect(removed.removed).toBe(1);
    expect(await world.json(['sandbox', 'webhook', 'list', '--data', world.data])).toEqual({ webhooks: [] });
  });

  test('are sent again with the number of the attempt, the same bytes, also after the service was started again', async () => {
    let isUp = false;
    const { world, heard } = await told(null, () => (isUp ? 204 : 503));
    const [id] = pickups(world.data, 1) as [string];
    await world.json(['sandbox', 'operate', 'assign', id, '--data', world.data]);
    await until(
      async () => heard.length,
      (count) => count >= 2,
    );
    expect(heard.map(({ attempt }) => attempt)).toEqual([1, 2]);
    await world.service.stop();
    isUp = true;
    await startServing(
      ['sandbox', 'serve', '--data', path.join(world.folder, 'courier.db'), '--json', '--quiet'],
      world.folder,
    );
    await until(
      () =>
        world.json<{ webhooks: { delivered: number; waiting: number }[] }>([
          'sandbox',
          'webhook',
          'list',
          '--data',
          world.data,
        ]),
      ({ webhooks }) => webhooks[0]!.delivered === 1 && webhooks[0]!.waiting === 0,
    );
    expect(new Set(heard.map(({ last_updated_at }) => last_updated_at)).size).toBe(1);
  });

  test.each([
    ['webhook-drop=1', (heard: Heard[]) => heard.length === 0],
    ['webhook-double=1', (heard: Heard[]) => heard.length === 8],
    ['webhook-forge=1', (heard: Heard[]) => heard.length >= 4 && heard.every(({ isRight }) => !isRight)],
    ['webhook-disorder=0.5,seed=5', (heard: Heard[]) => heard.length === 4],
  ])('go wrong on demand: %s', async (faults, holds) => {
    const { world, heard } = await told(faults, ({ isRight }) => (isRight ? 204 : 401));
    for (const id of pickups(world.data, 4)) {
      await world.json(['sandbox', 'operate', 'assign', id, '--data', world.data]);
    }
    const list = () =>
      world.json<{ webhooks: { waiting: number; given_up: number }[] }>([
        'sandbox',
        'webhook',
        'list',
        '--data',
        world.data,
      ]);
    if (faults.startsWith('webhook-forge'))
      await until(
        async () => heard.length,
        (count) => count >= 4,
      );
    else await until(list, ({ webhooks }) => webhooks[0]!.waiting === 0);
    expect(holds(heard)).toBe(true);
  });
});
