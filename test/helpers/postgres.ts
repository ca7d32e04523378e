/** A real PostgreSQL server for the tests: one a run, a database of its own for each test. */
import { execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { usingLedger } from '../../src/ledger/index.ts';
import { placeOf, type ServerPlace } from '../../src/place.ts';

/** The environment variable that names the run's folder. */
export const FOLDER = 'REMIT_TEST_POSTGRES';

const OWNER = 'remit_owner';
export const PASSWORD = 'p@ss:w/ord%';

/** The folder of the server's programs; null where none is installed. Debian keeps it out of PATH. */
export function findPrograms(): string | null {
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    ...versions('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`),
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => isProgram(path.join(folder, name)))) ?? null;
}

function versions(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether there is a server to test with: `describe.skipIf(!hasPostgres)`. */
export const hasPostgres = process.env[FOLDER] !== undefined;

interface Server {
  readonly port: number;
  readonly pid: number;
}

let running: Promise<Server> | undefined;

/** The run's server, made by whoever needs it first. */
function server(): Promise<Server> {
  running ??= findOrStart(process.env[FOLDER]!);
  return running;
}

async function findOrStart(folder: string): Promise<Server> {
  const ready = path.join(folder, 'ready.json');
  let isFirst = true;
  try {
    closeSync(openSync(path.join(folder, 'begun'), 'wx'));
  } catch {
    isFirst = false;
  }
  if (isFirst) {
    const started = await start(folder);
    writeFileSync(`${ready}.tmp`, JSON.stringify(started));
    renameSync(`${ready}.tmp`, ready);
    return started;
  }
  for (let waited = 0; waited < 1_200 && !existsSync(ready); waited += 1) await sleep(50);
  return JSON.parse(readFileSync(ready, 'utf8')) as Server;
}

/** The server refuses to run as root. */
function ordinaryUser(): { uid: number; gid: number } | object {
  if (process.getuid?.() !== 0) return {};
  const [name, , uid, gid] = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .sort((a, b) => Number(b[0] === 'postgres') - Number(a[0] === 'postgres'))
    .find(([user]) => user === 'postgres' || user === 'nobody') ?? ['nobody', '', '65534', '65534'];
  if (name === undefined) throw new Error('there is no ordinary user to run PostgreSQL as');
  return { uid: Number(uid), gid: Number(gid) };
}

async function start(folder: string): Promise<Server> {
  const programs = findPrograms()!;
  const user = ordinaryUser();
  const home = path.join(folder, 'home');
  mkdirSync(home);
  const passwordFile = path.join(home, 'password');
  writeFileSync(passwordFile, PASSWORD);
  if ('uid' in user) {
    for (const each of [folder, home, passwordFile]) chownSync(each, user.uid, (user as { gid: number }).gid);
  }
  const data = path.join(folder, 'data');
  const options = [
    '-D',
    data,
    '-U',
    OWNER,
    '-A',
    'scram-sha-256',
    '--pwfile',
    passwordFile,
    '-E',
    'UTF8',
    '--locale=C',
  ];
  execFileSync(path.join(programs, 'initdb'), [...options, '--no-sync'], { stdio: 'ignore', cwd: home, ...user });
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home,
    max_connections: 80,
    shared_buffers: '32MB',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(path.join(programs, 'postgres'), ['-D', data, ...args], {
    stdio: 'ignore',
    cwd: home,
    detached: true,
    ...user,
  });
  child.unref();
  await untilReady(port);
  return { port, pid: child.pid! };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function untilReady(port: number): Promise<void> {
  for (let waited = 0; ; waited += 1) {
    try {
      await asOwner(port, 'postgres', async () => {});
      break;
    } catch (error) {
      if (waited > 600) throw error;
      await sleep(50);
    }
  }
  await asOwner(port, 'postgres', (client) => client.query('create database remit_template template template0'));
  await usingLedger(placeOf(urlOf(port, 'remit_template')), { create: true }, async () => {});
}

function urlOf(port: number, database: string, { user = OWNER, schema = 'remit' } = {}): string {
  return `postgresql://${user}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}?schema=${schema}`;
}

async function asOwner<T>(port: number, database: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: OWNER, password: PASSWORD, database });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  readonly name: string;
  /** The ledger's address, password and all. */
  readonly url: string;
  readonly place: ServerPlace;
  /** The address for another user, with the same password. */
  urlFor(user: string): string;
  /** Runs a statement as the owner of everything. */
  query<T = Record<string, unknown>>(text: string): Promise<T[]>;
}

let count = 0;

/**
 * A database for one test, dropped after it.
 *
 * @param options `create`: how it is made where it is no copy of the template, which holds an empty ledger
 */
export async function newDatabase(options: { create?: string } = {}): Promise<TestDatabase> {
  const { port } = await server();
  count += 1;
  const name = `t${process.pid}_${count}`;
  await makeDatabase(port, `create database ${name} ${options.create ?? 'template remit_template'}`);
  onTestFinished(async () => {
    await asOwner(port, 'postgres', (client) => client.query(`drop database ${name} with (force)`));
  });
  const url = urlOf(port, name);
  return {
    name,
    url,
    place: placeOf(url) as ServerPlace,
    urlFor: (user) => urlOf(port, name, { user }),
    query: (text) => asOwner(port, name, async (client) => (await client.query(text)).rows),
  };
}

/** A template cannot be copied while somebody else does. */
async function makeDatabase(port: number, statement: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await asOwner(port, 'postgres', (client) => client.query(statement));
      return;
    } catch (error) {
      if (attempt >= 40 || (error as { code?: string }).code !== '55006') throw error;
      await sleep(50);
    }
  }
}

/** A database that sorts text by the rules of a language, where a C database sorts by code point. */
export const ICU = `template template0 encoding 'UTF8' locale_provider icu icu_locale 'tr-TR' locale 'C'`;
