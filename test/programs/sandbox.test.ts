import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/courier/index.ts';
import { startSandbox } from '../../src/programs/sandbox.ts';

const clock = () => new Date('2026-11-05T08:00:00Z');

async function started() {
  const sandbox = await startSandbox({ seed: 7, clock });
  const client = createClient({ baseUrl: sandbox.url, apiKey: sandbox.key });
  onTestFinished(async () => {
    await client.close();
    await sandbox.close();
  });
  const area = (await client.areas()).items.find((item) => item.ok)!.value;
  const pickup = (await client.pickups()).items.find((item) => item.ok)!.value;
  const create = (reference_id: string) =>
    client.createOrder({
      merchant_location: pickup.id,
      reference_id,
      customer: { name: 'Rana', phone_number: '+9613123456' },
      customer_location: { area: { id: area.id }, directions: 'Second floor' },
      cod: [['USD', '25.00']],
    });
  return { sandbox, client, create };
}

it('goes back to the seed and to any snapshot, as often as is wanted, while it is served', async () => {
  const { sandbox, client, create } = await started();
  const count = async () => (await client.orders()).count;
  const first = await count();
  await create('A-1');
  const one = await sandbox.snapshot();
  await create('A-2');
  expect(await count()).toBe(first! + 2);
  await sandbox.reset(one);
  expect([await count(), (await client.findByReference('A-1')).length]).toEqual([first! + 1, 1]);
  await sandbox.reset();
  expect(await count()).toBe(first);
  await sandbox.reset(one);
  expect(await client.findByReference('A-2')).toEqual([]);
  await expect(sandbox.reset(Symbol('another'))).rejects.toThrow('no snapshot of this sandbox');
  const answer = await fetch(`${sandbox.operatorUrl}invoices/`, {
    method: 'POST',
    headers: { 'X-Operator-Key': sandbox.operatorKey, 'content-type': 'application/json' },
    body: '{"merchant":"nobody"}',
  });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).not.toBe(401);
});

it('equal seeds are equal worlds', async () => {
  const [one, other] = [await started(), await started()];
  const ids = async ({ client }: typeof one) =>
    (await client.orders()).items.map((item) => item.ok && item.value.order_id);
  expect(await ids(one)).toEqual(await ids(other));
});

it('says what it cannot do', async () => {
  await expect(startSandbox({ orders: -1, clock })).rejects.toThrow('cannot have -1 orders');
  const sandbox = await startSandbox({ orders: 5, clock });
  await sandbox.close();
  await expect(sandbox.reset()).rejects.toThrow('this sandbox was closed');
  await expect(sandbox.snapshot()).rejects.toThrow('this sandbox was closed');
});
