import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startDesk } from '../helpers/desk.ts';
import { HEADER, makeWorld, message, signed } from '../helpers/webhooks.ts';

it('a desk takes webhooks with --webhooks, and asks of all else what it always asks', async () => {
  const world = await makeWorld();
  await world.json(['sync', '2026-10', '--orders']);
  const desk = await startDesk(['--webhooks'], { cwd: world.folder, now: () => new Date() });
  onTestFinished(() => desk.stop().then(() => {}));
  const { couriers } = await world.json<{ couriers: { name: string }[] }>(['courier', 'list']);
  const hook = `/hooks/${couriers[0]!.name}`;
  const body = message('NO-SUCH', '2026-11-20T10:00:00Z');
  const post = (address: string, headers: Record<string, string>) =>
    desk.send(address, { method: 'POST', headers, body });
  // Whatever host, origin and cookie it names: its signature says that it may.
  const asked = { host: 'hooks.example.com', origin: 'https://elsewhere.example' };
  expect((await post(hook, { ...asked, [HEADER]: signed(body) })).status).toBe(204);
  expect((await post(hook, { ...asked, [HEADER]: signed(body, 'wrong') })).status).toBe(401);
  const own = { cookie: desk.cookie, origin: desk.origin, host: new URL(desk.origin).host };
  expect((await post(hook, own)).status).toBe(401);
  expect((await desk.send(hook)).status).toBe(401);
  expect((await post('/hooks/', { ...asked, [HEADER]: signed(body) })).status).toBe(401);
  // Nothing else is open to what a signature lets in.
  expect((await post('/mismatches/ack', { ...asked, [HEADER]: signed(body) })).status).toBe(421);
  const here = { host: own.host, [HEADER]: signed(body) };
  for (const address of ['/', '/hooks', '/hooks/../', '/api/v1/mismatches/ack']) {
    expect([address, (await post(address, here)).status]).toEqual([
      address,
      expect.toSatisfy((s) => s === 401 || s === 421),
    ]);
  }
});

it('a desk that only looks keeps none, and one without a secret does not start with --webhooks', async () => {
  const world = await makeWorld();
  await world.json(['sync', '2026-10']);
  const reads = await world.run(['serve', '--webhooks', '--read-only']);
  expect([reads.code, reads.stderr]).toEqual([2, expect.stringContaining('cannot keep webhooks')]);
  writeFileSync(path.join(world.folder, 'remit.toml'), `api_url = "${world.url}"\napi_key_file = "api-key"\n`);
  const none = await world.run(['serve', '--webhooks']);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no courier has a webhook secret')]);
});
