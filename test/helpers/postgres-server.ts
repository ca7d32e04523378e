/** A real PostgreSQL server, with its data in a folder of the caller's. */
import { execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export const OWNER = 'remit_owner';
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

export interface Server {
  readonly port: number;
  readonly pid: number;
}

/** What a server is told beside its port: it is thrown away after the test, so that it need not outlive a power cut. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: 80,
  shared_buffers: '32MB',
  fsync: 'off',
  autovacuum: 'off',
};

/** Makes a server's data below a folder and starts it, as an ordinary user where the tests run as root. */
export async function makeServer(folder: string, settings: Record<string, string> = {}): Promise<Server> {
  const user = ordinaryUser();
  const home = path.join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const passwordFile = path.join(home, 'password');
  writeFileSync(passwordFile, PASSWORD);
  if ('uid' in user) for (const each of [folder, home, passwordFile]) chownSync(each, user.uid, user.gid);
  const options = ['-D', dataOf(folder), '-U', OWNER, '-A', 'scram-sha-256', '--pwfile', passwordFile];
  const initdb = [...options, '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(path.join(findPrograms()!, 'initdb'), initdb, { stdio: 'ignore', cwd: home, ...user });
  return startServer(folder, await freePort(), settings);
}

/** Starts a server whose data is there, and waits until it takes connections. */
export async function startServer(
  folder: string,
  port: number,
  settings: Record<string, string> = {},
): Promise<Server> {
  const home = path.join(folder, 'home');
  const all = { port, unix_socket_directories: home, ...SETTINGS, ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(path.join(findPrograms()!, 'postgres'), ['-D', dataOf(folder), ...args], {
    stdio: 'ignore',
    cwd: home,
    detached: true,
    ...ordinaryUser(),
  });
  child.unref();
  for (let waited = 0; ; waited += 1) {
    try {
      await asOwner(port, 'postgres', async () => {});
      return { port, pid: child.pid! };
    } catch (error) {
      // After a kill, a server of many schemas first brings each of its files to the disk.
      if (waited > 2_400) throw error;
      await sleep(50);
    }
  }
}

/** A server and every process that it has for its connections. */
export function processesOf({ pid }: Server): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const children = listed
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child!);
  return [pid, ...children];
}

/** `kill -9` of a server and of every process that it has for its connections, all at once. */
export async function killServer(server: Server): Promise<void> {
  const all = processesOf(server);
  for (const each of all) send(each, 'SIGKILL');
  for (let waited = 0; waited < 200 && all.some((each) => send(each, 0)); waited += 1) await sleep(25);
}

/** @returns whether the process is there */
export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function dataOf(folder: string): string {
  return path.join(folder, 'data');
}

/** The server refuses to run as root. */
export function ordinaryUser(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const [name, , uid, gid] = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .sort((a, b) => Number(b[0] === 'postgres') - Number(a[0] === 'postgres'))
    .find(([user]) => user === 'postgres' || user === 'nobody') ?? ['nobody', '', '65534', '65534'];
  if (name === undefined) throw new Error('there is no ordinary user to run PostgreSQL as');
  return { uid: Number(uid), gid: Number(gid) };
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Lends a connection of the owner of everything. */
export async function asOwner<T>(port: number, database: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: OWNER, password: PASSWORD, database });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The address of a ledger of a server. */
export function urlOf(port: number, database: string, { user = OWNER, schema = 'remit' } = {}): string {
  return `postgresql://${user}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}?schema=${schema}`;
}
