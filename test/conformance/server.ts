import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const MAIN = path.resolve(import.meta.dirname, '../../dist/bin/main.js');
const run = promisify(execFile);

/** The server under test: the sandbox as a process of its own, or another that follows the specification. */
export interface Target {
  /** The base URL, ending in a slash. */
  readonly url: string;
  readonly key: string;
  /** The key of a second merchant; null where none was given. */
  readonly otherKey: string | null;
  /** What only the sandbox gives; null for another server. */
  readonly sandbox: Sandbox | null;
  close(): Promise<void>;
}

export interface Sandbox {
  /** The service's database file. */
  readonly file: string;
  /** The names of the two merchants, in the order of `key` and `otherKey`. */
  readonly merchants: readonly [string, string];
  /** Runs `remit sandbox …` on the file and returns what it printed. */
  command(...args: string[]): Promise<string>;
}

/** Whether the suite is pointed at a server that is not the sandbox. */
export const isForeign = process.env.REMIT_CONFORMANCE_URL !== undefined;

/** The server that the environment names, or a new sandbox with a seeded world. */
export async function startTarget(): Promise<Target> {
  const { REMIT_CONFORMANCE_URL: url, REMIT_CONFORMANCE_KEY: key, REMIT_CONFORMANCE_OTHER_KEY: otherKey } = process.env;
  if (url === undefined) return startSandbox();
  if (key === undefined) throw new Error('REMIT_CONFORMANCE_URL is set: set REMIT_CONFORMANCE_KEY to a key for it');
  return {
    url: url.endsWith('/') ? url : `${url}/`,
    key,
    otherKey: otherKey ?? null,
    sandbox: null,
    close: async () => {},
  };
}

/** Seeds a new service file, and serves it with `remit sandbox serve` and more of its flags. */
export async function startSandbox(flags: readonly string[] = []): Promise<Target & { sandbox: Sandbox }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-conformance-'));
  const file = path.join(folder, 'service.db');
  const command = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [MAIN, 'sandbox', ...args, '--data', file]);
    return stdout;
  };
  const world = JSON.parse(
    await command('seed', '--months', '2026-08..2026-10', '--as-of', '2026-11-05', '--orders', '150', '--json'),
  ) as { merchants: { name: string; key: string }[] };
  const [first, second] = world.merchants as [{ name: string; key: string }, { name: string }];
  const otherKey = (await command('key', 'create', '--merchant', second.name)).trim();
  const served = await serve(file, flags);
  return {
    url: served.url,
    key: first.key,
    otherKey,
    sandbox: { file, merchants: [first.name, second.name], command },
    async close() {
      await served.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs `remit sandbox serve` on a file until it is closed. */
export async function serve(file: string, flags: readonly string[]): Promise<{ url: string; close(): Promise<void> }> {
  const args = [MAIN, 'sandbox', 'serve', '--data', file, '--port', '0', '--json', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints = (complaints + text).slice(-2_000);
  });
  const { url } = await firstLine(child, () => complaints);
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

function firstLine(child: ChildProcess, complaints: () => string): Promise<{ url: string }> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', (line) => resolve(JSON.parse(line)));
    child.once('exit', (code) => reject(new Error(`sandbox serve ended with ${code}: ${complaints()}`)));
  });
}
