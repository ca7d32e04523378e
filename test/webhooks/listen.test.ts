import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { placeOf } from '../../src/base/place.ts';
import { usingLedger } from '../../src/ledger/index.ts';
import { openStore } from '../../src/sandbox/store/open.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';
import {
  HEADER,
  makeWorld,
  message,
  SECRET,
  send,
  signed,
  startListening,
  until,
  type World,
} from '../helpers/webhooks.ts';

/** The messages that a ledger holds, in order. */
async function messagesOf({ folder }: World, ledger: string | null = null) {
  return usingLedger(placeOf(ledger ?? path.join(folder, 'ledger.db')), { readOnly: true }, async ({ db }) => {
    const rows = await db.selectFrom('webhook').selectAll().orderBy('evidence_id').execute();
    return rows.map(({ courier: _, ...row }) => row);
  });
}

/** An order of the company's that can go on from where it is. */
function orderIn({ data }: World, state = 'CREATED'): string {
  const store = openStore(data);
  try {
    return store.get<{ id: string }>(
      `select order_id as id from delivery_order where merchant_id = 1 and delivery_state = ? order by seq desc limit 1`,
      state,
    )!.id;
  } finally {
    store.close();
  }
}

/** Puts some orders back to where an operator can move them. */
function reopen({ data }: World, count: number): string[] {
  const store = openStore(data);
  try {
    const ids = store
      .all<{ id: string }>(
        'select order_id as id from delivery_order where merchant_id = 1 order by seq desc limit ?',
        count,
      )
      .map(({ id }) => id);
    for (const id of ids) {
      store.write(() =>
        store.run(
          `update delivery_order set delivery_state = 'PICKUP_REQUESTED', payment_state = 'UNPAID', merchant_invoice = null where order_id = ?`,
          id,
        ),
      );
    }
    return ids;
  } finally {
    store.close();
  }
}

async function stateOf({ json }: World, id: string): Promise<string> {
  const shown = await json<{ record: { delivery_state: string } | null }>(['show', 'order', id]);
  return shown.record?.delivery_state ?? 'none';
}

const DATABASES = ['SQLite', ...(hasPostgres ? ['PostgreSQL'] : [])] as const;

describe.each(DATABASES)('webhooks on %s', (database) => {
  async function worldOf(options: { faults?: string } = {}): Promise<{ world: World; ledger: string | null }> {
    const ledger = database === 'PostgreSQL' ? (await newDatabase()).url : null;
    const world = await makeWorld({ ledger, ...options });
    return { world, ledger };
  }

  it('keeps what the company sends, fetches the orders, and ends where a full walk does', async () => {
    const { world, ledger } = await worldOf();
    const [first, second] = reopen(world, 2) as [string, string];
    await world.json(['sync', '2026-10', '--orders']);
    const listener = await startListening(world.folder);
    expect(listener.said.hooks).toHaveLength(1);
    const { courier, path: hook } = listener.said.hooks[0]!;
    expect(hook).toBe(`/hooks/${courier}`);
    await world.json([
      'sandbox',
      'webhook',
      'add',
      listener.said.listens + hook,
      '--secret-file',
      'secret',
      '--data',
      world.data,
      '--merchant',
      'Cedar Threads',
    ]);
    await world.json(['sandbox', 'operate', 'assign', first, '--data', world.data]);
    await world.json(['sandbox', 'operate', 'assign', second, '--data', world.data]);
    await until(
      () => stateOf(world, first),
      (state) => state === 'PICKUP_ASSIGNED',
    );
    await until(
      () => stateOf(world, second),
      (state) => state === 'PICKUP_ASSIGNED',
    );
    const messages = await messagesOf(world, ledger);
    expect(new Set(messages.map(({ order_id }) => order_id))).toEqual(new Set([first, second]));
    await until(
      () => messagesOf(world, ledger),
      (rows) => rows.every(({ answered_evidence_id }) => answered_evidence_id !== null),
    );
    // What the walk then finds is no news, and no webhook was missed.
    const walk = await world.json<{ orders: { changed: number } }>(['sync', '2026-10', '--orders']);
    expect(walk.orders.changed).toBe(0);
    const check = await world.json<{ mismatches: { code: string }[] }>([
      'check',
      '2026-10',
      '--only',
      'webhook-missed',
    ]);
    expect(check.mismatches).toEqual([]);
    await listener.stop();
    const verified = await world.json<{ ok: boolean }>(['verify', '--deep']);
    expect(verified.ok).toBe(true);
    expect(await world.json<{ changed: number }>(['rebuild'])).toMatchObject({ changed: 0 });
    expect(listener.log()).not.toContain(SECRET);
  });

  it('takes nothing but a message that is signed, once, and fetches nothing for an old one', async () => {
    const { world, ledger } = await worldOf();
    await world.json(['sync', '2026-10', '--orders']);
    const listener = await startListening(world.folder);
    const url = `${listener.said.listens}${listener.said.hooks[0]!.path}`;
    const id = orderIn(world, 'DELIVERED');
    const body = message(id, '2026-11-02T10:00:00.000002+00:00');
    expect(await send(url, body, { signature: null })).toBe(401);
    expect(await send(url, body, { signature: signed(body, `not ${SECRET}`) })).toBe(401);
    expect(await send(url, body, { signature: `sha256=${signed(body)}` })).toBe(401);
    expect(await send(url, body, { signature: Buffer.from(signed(body), 'hex').toString('base64') })).toBe(401);
    expect(await send(url, `${body} `, { signature: signed(body) })).toBe(401);
    expect(await send(url, body, { method: 'GET' })).toBe(401);
    expect(await send(url, body, { method: 'PUT' })).toBe(401);
    expect(await send(`${listener.said.listens}/hooks/nobody`, body)).toBe(401);
    expect(await send(`${listener.said.listens}/`, body)).toBe(401);
    const large = message('x'.repeat(1024 * 1024), '2026-11-02T10:00:00Z');
    expect(await send(url, large)).toBe(413);
    expect(await messagesOf(world, ledger)).toEqual([]);

    expect(await send(url, body, { headers: { cookie: 'a=b', origin: 'https://elsewhere.example' } })).toBe(204);
    expect(await send(url, body)).toBe(204);
    const older = message(id, '2026-11-02T13:00:00.000001+03:00');
    expect(await send(url, older)).toBe(204);
    const same = message(id, '2026-11-02T12:00:00.000002+02:00');
    expect(await send(url, same)).toBe(204);
    expect(await send(url, 'no JSON')).toBe(204);
    expect(await send(url, '{"last_updated_at":"2026-11-02T10:00:00Z"}')).toBe(204);
    const unknown = message('NO-SUCH', 'yesterday');
    expect(await send(url, unknown)).toBe(204);
    const rows = await until(
      () => messagesOf(world, ledger),
      (all) => all.every(({ answered_evidence_id }) => answered_evidence_id !== null),
    );
    expect(rows.map(({ order_id, is_old }) => [order_id, is_old])).toEqual([
      [id, 0],
      [id, 1],
      [id, 1],
      [null, 0],
      [null, 0],
      ['NO-SUCH', 0],
    ]);
    await listener.stop();
    expect(listener.log()).toMatch(/cannot be read: .*JSON/);
    expect(listener.log()).toMatch(/order NO-SUCH was not brought/);
    expect((await world.json<{ ok: boolean }>(['verify', '--deep'])).ok).toBe(true);
  });

  it('leaves what could not be fetched to the next sync', async () => {
    const { world, ledger } = await worldOf();
    const [id] = reopen(world, 1) as [string];
    await world.json(['sync', '2026-10', '--orders']);
    const toml = path.join(world.folder, 'remit.toml');
    appendFileSync(toml, 'max_attempts = 1\n');
    // The company's API is away while its webhooks come.
    const away = { REMIT_API_URL: 'http://127.0.0.1:9/v1/external/' };
    const { startRemit } = await import('../helpers/remit.ts');
    const { child, ended } = startRemit(['listen', '--json'], away, world.folder);
    onTestFinished(() => void child.kill('SIGKILL'));
    let heard = '';
    child.stderr!.on('data', (chunk) => {
      heard += chunk;
    });
    const line = await new Promise<string>((resolve) => child.stdout!.once('data', (chunk) => resolve(String(chunk))));
    const said = JSON.parse(line) as { listens: string; hooks: { path: string }[] };
    await world.json(['sandbox', 'operate', 'assign', id, '--data', world.data]);
    expect(await send(said.listens + said.hooks[0]!.path, message(id, '2026-11-20T10:00:00Z'))).toBe(204);
    await until(
      async () => heard,
      (text) => text.includes('orders that webhooks named wait'),
    );
    child.kill('SIGTERM');
    await ended;
    expect((await messagesOf(world, ledger)).map((row) => row.answered_evidence_id)).toEqual([null]);
    const sync = await world.json<{ orders: { changed: number } }>(['sync', '2026-10']);
    expect(sync.orders.changed).toBe(1);
    expect(await stateOf(world, id)).toBe('PICKUP_ASSIGNED');
    expect((await messagesOf(world, ledger)).every((row) => row.answered_evidence_id !== null)).toBe(true);
    expect((await world.json<{ ok: boolean }>(['verify', '--deep'])).ok).toBe(true);
  });

  it('says which changes came without a webhook, until the next whole walk', async () => {
    const { world } = await worldOf();
    appendFileSync(path.join(world.folder, 'remit.toml'), 'orders_full_every = 1\n');
    const [told, missed, late] = reopen(world, 3) as [string, string, string];
    await world.json(['sync', '2026-10', '--orders']);
    const listener = await startListening(world.folder);
    const url = `${listener.said.listens}${listener.said.hooks[0]!.path}`;
    const stamp = () => new Date().toISOString();
    await world.json(['sandbox', 'operate', 'assign', told, '--data', world.data]);
    expect(await send(url, message(told, stamp()))).toBe(204);
    for (const id of [missed, late]) await world.json(['sandbox', 'operate', 'assign', id, '--data', world.data]);
    const changedAt = stamp();
    await until(
      () => stateOf(world, told),
      (state) => state === 'PICKUP_ASSIGNED',
    );
    await world.json(['sync', '2026-10', '--orders']);
    const found = async () => {
      const { mismatches } = await world.json<{
        mismatches: { code: string; order_id: string; severity: string; status: string }[];
      }>(['check', '2026-10', '--only', 'webhook-missed']);
      return mismatches
        .filter(({ status }) => status === 'open')
        .map(({ order_id, severity }) => `${order_id} ${severity}`)
        .sort();
    };
    expect(await found()).toEqual([`${missed} info`, `${late} info`].sort());
    // One that comes late was not missed.
    expect(await send(url, message(late, changedAt))).toBe(204);
    expect(await found()).toEqual([`${missed} info`]);
    await world.json(['sync', '2026-10', '--orders']);
    expect(await found()).toEqual([]);
    await listener.stop();
  });

  it('reads the messages of two couriers, each with its own secret and signature', async () => {
    const { world, ledger } = await worldOf();
    const other = await makeWorld({});
    writeFileSync(path.join(world.folder, 'other-secret'), 'another-secret', { mode: 0o600 });
    writeFileSync(
      path.join(world.folder, 'remit.toml'),
      `time_zone = "UTC"
${ledger === null ? '' : `ledger = "${ledger}"`}
[couriers.swift]
api_url = "${world.url}"
api_key_file = "api-key"
webhook_secret_file = "secret"
[couriers.careful]
api_url = "${other.url}"
api_key_file = "${path.join(other.folder, 'api-key')}"
webhook_secret_command = "cat other-secret"
webhook_signature = "base64"
webhook_header = "X-Careful-Signature"
`,
    );
    await world.json(['sync', '2026-10', '--orders']);
    const listener = await startListening(world.folder);
    const at = (name: string) => `${listener.said.listens}/hooks/${name}`;
    expect(listener.said.hooks.map(({ courier }) => courier)).toEqual(['careful', 'swift']);
    const id = orderIn(world, 'DELIVERED');
    const body = message(id, '2026-11-20T10:00:00Z');
    const base64 = Buffer.from(signed(body, 'another-secret'), 'hex').toString('base64');
    expect(await send(at('swift'), body)).toBe(204);
    expect(await send(at('careful'), body)).toBe(401);
    expect(
      await send(at('careful'), body, {
        signature: null,
        headers: { 'x-careful-signature': signed(body, 'another-secret') },
      }),
    ).toBe(401);
    expect(await send(at('careful'), body, { signature: null, headers: { 'x-careful-signature': base64 } })).toBe(204);
    // A courier keeps the address of its former name.
    await world.run(['courier', 'rename', 'swift', 'swiftly']);
    expect(await send(at('swift'), message(id, '2026-11-20T11:00:00Z'))).toBe(204);
    const held = await usingLedger(
      placeOf(ledger ?? path.join(world.folder, 'ledger.db')),
      { readOnly: true, courier: 'careful' },
      ({ db }) => db.selectFrom('webhook').select('order_id').execute(),
    );
    expect(held).toEqual([{ order_id: id }]);
    await listener.stop();
  });

  it('fetches one courier’s orders while another’s API is away', async () => {
    const { world, ledger } = await worldOf();
    let asked = 0;
    const away = createServer((_, response) => {
      asked += 1;
      response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void away.close());
    await once(away, 'listening');
    writeFileSync(
      path.join(world.folder, 'remit.toml'),
      `time_zone = "UTC"
max_attempts = 1
${ledger === null ? '' : `ledger = "${ledger}"`}
[couriers.away]
api_url = "http://127.0.0.1:${(away.address() as AddressInfo).port}/v1/external/"
api_key_file = "api-key"
webhook_secret_file = "secret"
[couriers.swift]
api_url = "${world.url}"
api_key_file = "api-key"
webhook_secret_file = "secret"
`,
    );
    const [id] = reopen(world, 1) as [string];
    await world.json(['sync', '2026-10', '--orders', '--courier', 'swift']);
    const listener = await startListening(world.folder);
    const at = (name: string) => `${listener.said.listens}/hooks/${name}`;
    expect(await send(at('away'), message('A1', '2026-11-20T10:00:00Z'))).toBe(204);
    await until(
      async () => asked,
      (times) => times === 2,
    );
    await world.json(['sandbox', 'operate', 'assign', id, '--data', world.data]);
    expect(await send(at('swift'), message(id, '2026-11-20T10:00:00Z'))).toBe(204);
    await until(
      () => stateOf(world, id),
      (state) => state === 'PICKUP_ASSIGNED',
    );
    // A round that fetched both would ask the other one right after.
    await sleep(500);
    expect(asked).toBe(2);
    await listener.stop();
  });
});

it('waits for another writer, and answers 503 where it cannot write', async () => {
  const world = await makeWorld();
  await world.json(['sync', '2026-10', '--orders']);
  const listener = await startListening(world.folder);
  const url = `${listener.said.listens}${listener.said.hooks[0]!.path}`;
  const id = orderIn(world, 'DELIVERED');
  const store = await import('../../src/base/sqlite.ts');
  const handle = store.openDatabase(path.join(world.folder, 'ledger.db'), {});
  handle.exec('begin immediate');
  const waits = send(url, message(id, '2026-11-20T10:00:00Z'));
  await sleep(1_000);
  // Noise is refused meanwhile.
  const began = Date.now();
  expect(await send(url, message(id, '2026-11-20T10:00:00Z'), { signature: signed('x') })).toBe(401);
  expect(Date.now() - began).toBeLessThan(500);
  handle.exec('rollback');
  expect(await waits).toBe(204);
  handle.exec('begin immediate');
  expect(await send(url, message(id, '2026-11-20T11:00:00Z'))).toBe(503);
  handle.exec('rollback');
  handle.close();
  expect(await send(url, message(id, '2026-11-20T11:00:00Z'))).toBe(204);
  await listener.stop();
});

it('answers 503 on a full disk and loses none of those that it answered with 204', async (context) => {
  const world = await makeWorld();
  const disk = path.join(world.folder, 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk], { stdio: 'pipe' });
  } catch {
    return context.skip();
  }
  onTestFinished(() => void execFileSync('umount', ['-l', disk]));
  appendFileSync(path.join(world.folder, 'remit.toml'), 'ledger = "disk/ledger.db"\n');
  await world.json(['sync', '2026-10', '--orders']);
  const listener = await startListening(world.folder);
  const url = `${listener.said.listens}${listener.said.hooks[0]!.path}`;
  const filling = path.join(disk, 'filling');
  writeFileSync(filling, '');
  const kept: string[] = [];
  let refused = 0;
  for (let n = 0; n < 400 && refused < 5; n += 1) {
    if (n === 20)
      for (;;) {
        try {
          appendFileSync(filling, Buffer.alloc(16_384));
        } catch {
          break;
        }
      }
    const body = message(`ORDER-${n}`, '2026-11-20T10:00:00Z') + ' '.repeat(1 + (n % 7));
    const status = await send(url, body);
    if (status === 204) kept.push(`ORDER-${n}`);
    else {
      expect(status).toBe(503);
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(0);
  rmSync(filling);
  expect(await send(url, message('ORDER-LAST', '2026-11-20T10:00:00Z'))).toBe(204);
  await listener.stop();
  const held = await usingLedger(placeOf(path.join(disk, 'ledger.db')), { readOnly: true }, ({ db }) =>
    db.selectFrom('webhook').select('order_id').execute(),
  );
  const ids = new Set(held.map(({ order_id }) => order_id));
  expect([...kept, 'ORDER-LAST'].filter((id) => !ids.has(id))).toEqual([]);
});

it('is not held up by senders that say nothing, and refuses what is no request without an answer', async () => {
  const world = await makeWorld();
  await world.json(['sync', '2026-10']);
  const listener = await startListening(world.folder);
  const url = new URL(`${listener.said.listens}${listener.said.hooks[0]!.path}`);
  const slow = await Promise.all(
    Array.from(
      { length: 200 },
      (_, n) =>
        new Promise<ReturnType<typeof connect>>((resolve) => {
          const socket = connect(Number(url.port), url.hostname, () => {
            socket.write(
              `POST ${url.pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 500000\r\n${HEADER}: ${'a'.repeat(64)}\r\n${n % 2 ? '' : '\r\nslow'}`,
            );
            resolve(socket);
          });
          socket.on('error', () => {});
        }),
    ),
  );
  onTestFinished(() => {
    for (const socket of slow) socket.destroy();
  });
  expect(await send(url.href, message('A', '2026-11-20T10:00:00Z'))).toBe(204);
  const closed = await Promise.all(
    slow.map(
      (socket) =>
        new Promise<boolean>((resolve) => {
          socket.once('close', () => resolve(true));
          setTimeout(() => resolve(socket.destroyed), 20_000);
        }),
    ),
  );
  expect(closed.every(Boolean)).toBe(true);
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(Number(url.port), url.hostname, () => socket.write('this is no request\r\n\r\n'));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => {});
  });
  expect(answer).toBe('');
  await listener.stop();
});

it('listens on a socket, and says what is missing', async () => {
  const folder = scratchFolder();
  const world = await makeWorld();
  const none = await world.run(['listen'], folder);
  expect(none.code).toBe(2);
  const socket = path.join(world.folder, 'hooks.sock');
  const listener = await startListening(world.folder, '--socket', socket);
  expect(listener.said).toMatchObject({ url: null, listens: socket });
  expect(existsSync(socket)).toBe(true);
  expect((statSync(socket).mode & 0o777).toString(8)).toBe('660');
  await listener.stop();
  writeFileSync(path.join(world.folder, 'secret'), SECRET, { mode: 0o644 });
  execFileSync('chmod', ['644', path.join(world.folder, 'secret')]);
  const readable = await world.run(['listen']);
  expect([readable.code, readable.stderr]).toEqual([
    2,
    expect.stringMatching(/the secret file .* can be read by others/),
  ]);
  expect(readable.stderr).not.toContain(SECRET);
});
