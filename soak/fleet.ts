// A fleet's nights while workers, cells and the fleet's database are killed: what each merchant has then, and whether
// the lake says the same.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { asOwner, killServer, makeServer, type Server, startServer, urlOf } from '../test/helpers/postgres-server.ts';

const HELP = `usage: npm run soak:fleet [-- --merchants N] [--workers N] [--limit SECONDS]

Plays two nights of N merchants (60 where you say nothing) on three cells with 8 workers, and couriers that hang, fail and answer garbage. In
the first night a worker, a cell and the fleet's database are killed; a merchant moves in between.
`;
const { values } = parseArgs({
  options: {
    merchants: { type: 'string', default: '60' },
    workers: { type: 'string', default: '8' },
    limit: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const MERCHANTS = Number(values.merchants);
const WORKERS = Number(values.workers);
const MAIN = path.resolve('dist/bin/main.js');

let wrong = 0;
const say = (line: string) => void process.stdout.write(`${line}\n`);
function expect(what: string, isRight: boolean, detail: unknown = ''): void {
  if (isRight) return;
  wrong += 1;
  say(`WRONG: ${what} ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'remit-soak-fleet-'));
chmodSync(folder, 0o711);
const fleet = path.join(folder, 'fleet');
const env = { ...process.env, TZ: 'UTC' };

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function remit(...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { cwd: folder, env, maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}
const json = async <T>(...args: string[]) => JSON.parse((await remit(...args, '--json')).stdout) as T;

interface Worker {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

function startWorker(): Worker {
  const args = [MAIN, '-C', fleet, 'fleet', 'night', '--jobs', '1', '--limit', values.limit, '--json'];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr }))) };
}

/** Couriers that are no good: one never answers, one is not there, one answers no JSON. */
async function startTroubles(): Promise<Record<string, string>> {
  const silent = createTcpServer((socket) => socket.on('error', () => {}));
  const garbage = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
  );
  const listening = async (server: {
    listen(port: number, host: string, done: () => void): unknown;
    address(): unknown;
    unref(): unknown;
  }) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    server.unref();
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/external/`;
  };
  return {
    hangs: await listening(silent),
    fails: 'http://127.0.0.1:9/v1/external/',
    garbage: await listening(garbage),
  };
}

interface Courier {
  readonly url: string;
  readonly key: string;
}

/** The most services; merchants beyond share their accounts, each in books of its own. */
const SERVICES = 8;

async function startCouriers(): Promise<{ readonly couriers: Courier[]; readonly close: () => void }> {
  const accounts: Courier[] = [];
  const services: ChildProcess[] = [];
  for (let seed = 1; seed <= Math.min(SERVICES, Math.ceil(MERCHANTS / 2)); seed += 1) {
    const file = path.join(folder, `service-${seed}.db`);
    const { merchants } = await json<{ merchants: { key: string }[] }>(
      ...['sandbox', 'seed', '--data', file, '--months', '2026-08..2026-10', '--orders', '60', '--seed', String(seed)],
    );
    const args = [MAIN, 'sandbox', 'serve', '--data', file, '--quiet'];
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
    services.push(child);
    const [printed] = (await once(child.stdout, 'data')) as [Buffer];
    const url = printed.toString().trim().split('\n')[0]!;
    accounts.push(...merchants.map(({ key }) => ({ url, key })));
  }
  return {
    couriers: Array.from({ length: MERCHANTS }, (_, at) => accounts[at % accounts.length]!),
    close: () => {
      for (const service of services) service.kill('SIGTERM');
    },
  };
}

async function addMerchant(name: string, cell: string, { url, key }: Courier, more = ''): Promise<void> {
  const template = path.join(folder, 'template.toml');
  writeFileSync(template, `api_url = ${JSON.stringify(url)}\napi_key_file = "api-key"\ntime_zone = "UTC"\n${more}`);
  const { code, stderr } = await remit('-C', fleet, 'fleet', 'add', name, '--cell', cell, '--settings', template);
  expect(`${name} is added`, code === 0, stderr);
  writeFileSync(path.join(fleet, 'books', name, 'api-key'), key, { mode: 0o600 });
}

interface Status {
  readonly merchant: string;
  readonly exit_code: number | null;
  readonly reason: string | null;
}
const isGood = ({ exit_code, reason }: Status) => reason === null && (exit_code === 0 || exit_code === 3);

/** Every worker's night, with something going on meanwhile. @returns seconds */
async function playNight(name: string, meanwhile: (workers: Worker[]) => Promise<void>): Promise<number> {
  const begun = performance.now();
  const workers = Array.from({ length: WORKERS }, startWorker);
  await meanwhile(workers);
  const ends = await Promise.all(workers.map(({ ended }) => ended));
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const killed = ends.filter(({ code }) => code === null).length;
  say(`${name}: ${seconds} s, ${WORKERS} workers, ${killed} killed`);
  for (const { code, stderr } of ends)
    expect(
      `${name}: a worker ends with 1, for some couriers are no good`,
      code === 1 || code === null,
      `${code} ${stderr.slice(-600)}`,
    );
  return seconds;
}

let closing = () => {};
const servers: Record<string, { folder: string; server: Server; settings: Record<string, string> }> = {};
try {
  for (const name of ['a', 'b', 'q']) {
    const at = path.join(folder, name);
    const settings = { fsync: 'on', full_page_writes: 'on', max_locks_per_transaction: '512', max_connections: '200' };
    servers[name] = { folder: at, server: await makeServer(at, settings), settings };
    await asOwner(servers[name].server.port, 'postgres', (client) => client.query('create database fleet'));
  }
  const address = (name: string) => urlOf(servers[name]!.server.port, 'fleet').replace('?schema=remit', '');
  const restart = async (name: string, downMs: number) => {
    const one = servers[name]!;
    await killServer(one.server);
    await sleep(downMs);
    one.server = await startServer(one.folder, one.server.port, one.settings);
  };
  await remit('fleet', 'init', fleet);
  writeFileSync(
    path.join(fleet, 'fleet.toml'),
    `database = ${JSON.stringify(address('q'))}\n[cells.a]\nledger = ${JSON.stringify(address('a'))}\nmost = 500\n[cells.b]\nledger = ${JSON.stringify(address('b'))}\nledger_lock = "lease"\n[cells.small]\nfolder = "ledgers"\n`,
  );
  const cells = ['a', 'b', 'small'];
  const { couriers, close } = await startCouriers();
  closing = close;
  const begun = performance.now();
  const names = couriers.map((_, at) => `m${String(at + 1).padStart(3, '0')}`);
  for (const [at, name] of names.entries()) await addMerchant(name, cells[at % cells.length]!, couriers[at]!);
  const troubles = await startTroubles();
  for (const [at, [name, url]] of Object.entries(troubles).entries())
    await addMerchant(name, cells[at]!, { url, key: 'never-looked-at' }, 'timeout_seconds = 10\nmax_attempts = 2\n');
  say(
    `${names.length} merchants and ${Object.keys(troubles).length} troubles on three cells: ${Math.round((performance.now() - begun) / 100) / 10} s to add`,
  );

  const nights = async (run: number) =>
    asOwner(
      servers.q!.server.port,
      'fleet',
      async (client) =>
        (
          await client.query<{ merchant: string; attempt: number; is_done: number; reason: string | null }>(
            'select * from fleet.night where run = $1',
            [run],
          )
        ).rows,
    );
  const look = async (run: number) => {
    const { merchants } = await json<{ merchants: Status[] }>('-C', fleet, 'fleet', 'status');
    for (const name of names) {
      const status = merchants.find(({ merchant }) => merchant === name)!;
      expect(`${name} has its night`, isGood(status), status);
    }
    for (const name of Object.keys(troubles)) {
      const { reason } = merchants.find(({ merchant }) => merchant === name)!;
      say(`  ${name}: ${reason}`);
      expect(`${name} has a reason`, reason !== null);
    }
    const rows = await nights(run);
    const done = names.map((name) => rows.filter((row) => row.merchant === name && row.is_done === 1));
    for (const [at, own] of done.entries()) expect(`${names[at]} has one good night`, own.length === 1, own);
    const again = rows.filter(({ merchant, attempt }) => names.includes(merchant) && attempt > 1);
    say(
      `  ${rows.length} attempts, ${new Set(again.map(({ merchant }) => merchant)).size} merchants tried again for a kill`,
    );
    for (const reason of new Set(
      rows.filter((row) => names.includes(row.merchant)).flatMap(({ reason }) => reason ?? []),
    ))
      say(`    ${reason.slice(0, 160)}`);
  };

  await playNight('first night, with kills', async (workers) => {
    await sleep(4_000);
    workers[0]!.child.kill('SIGKILL');
    say('  killed a worker');
    await sleep(3_000);
    await restart('a', 3_000);
    say('  killed the cell a for 3 s');
    await sleep(3_000);
    await restart('q', 5_000);
    say("  killed the fleet's database for 5 s");
    const moved = await remit('-C', fleet, 'fleet', 'move', names[4]!, '--to', 'a');
    say(`  a move during the night: exit code ${moved.code}`);
    expect('a move is made, or finds the merchant at work', moved.code === 0 || moved.code === 4, moved.stderr);
  });
  await look(1);

  const moved = await remit('-C', fleet, 'fleet', 'move', names[0]!, '--to', 'b');
  expect('a merchant moves', moved.code === 0, moved.stderr);
  const dropped = await remit('-C', fleet, 'fleet', 'drop', names[0]!, '--cell', 'a', '--yes');
  expect('what it left is dropped', dropped.code === 0, dropped.stderr);
  await playNight('second night', async () => {});
  await look(2);

  const lakeBegun = performance.now();
  const lake = await remit('-C', fleet, 'fleet', 'lake');
  expect('the lake is written', lake.code === 0, lake.stdout + lake.stderr);
  say(`lake: ${Math.round((performance.now() - lakeBegun) / 100) / 10} s`);
  type Rows = { readonly rows: readonly Record<string, unknown>[] };
  const asked: Record<string, Rows> = {};
  for (const question of ['totals', 'mismatches', 'custody', 'ageing'])
    asked[question] = await json<Rows>('-C', fleet, 'fleet', 'query', question);
  let compared = 0;
  for (const [at, name] of names.entries()) {
    const books = path.join(fleet, 'books', name);
    for (const [question, { rows }] of Object.entries(asked)) {
      const own = (await json<Rows>('-C', books, 'report', question)).rows;
      const ofMerchant = rows.filter(({ merchant }) => merchant === name).map(({ merchant: _, ...row }) => row);
      const fields = Object.keys(ofMerchant[0] ?? {});
      const expected = own.map((row) => Object.fromEntries(fields.map((field) => [field, row[field]])));
      expect(`${question} of ${name} are its report's`, isDeepStrictEqual(ofMerchant, expected), {
        lake: ofMerchant.slice(0, 2),
        report: expected.slice(0, 2),
      });
      compared += own.length;
    }
    const verified = await remit('-C', books, 'verify');
    expect(`the ledger of ${name} is sound`, verified.code === 0, verified.stdout);
    // The same courier, fetched once into new books, without a fleet and without kills.
    if (at % 4 === 0) {
      const single = path.join(folder, `alone-${name}`);
      await remit('init', single, '--api-url', couriers[at]!.url);
      writeFileSync(path.join(single, 'api-key'), couriers[at]!.key, { mode: 0o600 });
      await remit('-C', single, 'night', '--orders', '--quiet');
      const figures = async (of: string) => (await json<Rows>('-C', of, 'report', 'totals')).rows;
      expect(
        `the totals of ${name} are those without kills`,
        isDeepStrictEqual(await figures(single), await figures(books)),
      );
    }
  }
  say(`${compared} rows of the lake compared with ${names.length} merchants' reports`);
} finally {
  closing();
  for (const { server } of Object.values(servers)) await killServer(server);
}
if (wrong === 0) rmSync(folder, { recursive: true, force: true });
else say(`kept in ${folder}`);
say(wrong === 0 ? 'nothing was lost, and nothing done twice' : `${wrong} WRONG`);
process.exitCode = wrong === 0 ? 0 : 1;
