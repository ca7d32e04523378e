/**
 * A PostgreSQL server of the bench's own, with the settings that it comes with: what it promises to keep it keeps, as
 * SQLite does.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The bench runs compiled, from `dist/bench/world`. */
const STOP_WITH_PARENT = path.join(import.meta.dirname, '..', '..', '..', 'test', 'helpers', 'stop-with-parent.mjs');

export interface BenchServer {
  /** The address of a ledger in a schema of its own. */
  ledger(schema: string): string;
  /** The same, 5 ms away. */
  far(schema: string): string;
  stop(): Promise<void>;
}

/** Starts a server, as an ordinary user where the bench runs as root; null where none is installed. */
export async function startPostgres(): Promise<BenchServer | null> {
  const programs = findPrograms();
  if (programs === null) return null;
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-bench-pg-'));
  const user = ordinaryUser();
  if ('uid' in user) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const initdb = ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  execFileSync(path.join(programs, 'initdb'), initdb, { stdio: 'ignore', cwd: folder, ...user });
  const port = await freePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  spawn(path.join(programs, 'postgres'), args, { stdio: 'ignore', cwd: folder, detached: true, ...user }).unref();
  // Ends the server and removes the folder when this process ends, in whatever way.
  const watcher = spawn(process.execPath, [STOP_WITH_PARENT, folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  const pidFile = path.join(data, 'postmaster.pid');
  const isReady = () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').includes('ready');
  for (let waited = 0; waited < 300 && !isReady(); waited += 1) await sleep(100);
  const line = await slowLine(port);
  const at = (door: number, schema: string) => `postgresql://bench@127.0.0.1:${door}/postgres?schema=${schema}`;
  return {
    ledger: (schema) => at(port, schema),
    far: (schema) => at((line.address() as AddressInfo).port, schema),
    async stop() {
      line.close();
      const ended = new Promise((resolve) => watcher.on('close', resolve));
      watcher.stdin.end();
      await ended;
    },
  };
}

/** A line to a server that keeps each question back for 5 ms. */
async function slowLine(port: number): Promise<Server> {
  const line = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    near.on('data', (bytes) => setTimeout(() => far.write(bytes), 5));
    far.on('data', (bytes) => near.write(bytes));
    near.on('close', () => far.destroy()).on('error', () => {});
    far.on('close', () => near.destroy()).on('error', () => {});
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  return line;
}

function findPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    ...versions.map((version) => path.join(debian, version, 'bin')),
  ];
  return folders.find((at) => ['initdb', 'postgres'].every((name) => existsSync(path.join(at, name)))) ?? null;
}

function ordinaryUser(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
