import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { remit } from './cli.ts';
import { scratchFolder } from './folder.ts';
import { type Started, startRemit } from './remit.ts';

export const SECRET = 'whsec_0123456789abcdef0123456789abcdef';
export const HEADER = 'x-pt-webhook-signature';

/** A program that runs until the test is over, and its first line of JSON. */
export interface Running<T> extends Started {
  readonly said: T;
  /** All that it said on standard error so far. */
  readonly log: () => string;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export async function startServing<T>(args: readonly string[], cwd: string): Promise<Running<T>> {
  const started = startRemit(args, {}, cwd);
  const { child, ended } = started;
  let log = '';
  child.stderr!.on('data', (chunk) => {
    log += chunk;
  });
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(() => stop('SIGKILL'));
  let out = '';
  const line = await Promise.race([
    new Promise<string>((resolve) =>
      child.stdout!.on('data', (chunk) => {
        out += chunk;
        if (out.includes('\n')) resolve(out.slice(0, out.indexOf('\n')));
      }),
    ),
    ended.then(({ stderr }) => Promise.reject(new Error(`it ended: ${stderr}`))),
  ]);
  return { ...started, said: JSON.parse(line) as T, log: () => log, stop };
}

/** The delivery company with a shop, its orders and key, and a books folder that was synced from it. */
export interface World {
  readonly folder: string;
  readonly data: string;
  readonly url: string;
  /** The company's service. */
  readonly service: Running<{ url: string }>;
  run(args: readonly string[], cwd?: string): Promise<{ code: number; stdout: string; stderr: string }>;
  json<T = Record<string, unknown>>(args: readonly string[], cwd?: string): Promise<T>;
}

export async function makeWorld({
  ledger = null,
  faults = null,
  orders = 12,
}: {
  ledger?: string | null;
  faults?: string | null;
  orders?: number;
} = {}): Promise<World> {
  const folder = scratchFolder();
  const data = path.join(folder, 'courier.db');
  const run: World['run'] = (args, cwd = folder) => remit(args, { cwd, env: { TZ: 'UTC' } });
  const json = async <T>(args: readonly string[], cwd?: string): Promise<T> => {
    const { code, stdout, stderr } = await run([...args, '--json'], cwd);
    if (stdout === '') throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  };
  const seeded = await json<{ merchants: { name: string; key: string }[] }>([
    'sandbox',
    'seed',
    '--data',
    data,
    '--months',
    '2026-10',
    '--orders',
    String(orders),
    '--seed',
    '3',
  ]);
  const serving = ['sandbox', 'serve', '--data', data, '--json', '--quiet', ...(faults ? ['--faults', faults] : [])];
  const service = await startServing<{ url: string }>(serving, folder);
  writeFileSync(path.join(folder, 'api-key'), seeded.merchants[0]!.key, { mode: 0o600 });
  writeFileSync(path.join(folder, 'secret'), `${SECRET}\n`, { mode: 0o600 });
  writeFileSync(
    path.join(folder, 'remit.toml'),
    [
      `api_url = "${service.said.url}"`,
      'api_key_file = "api-key"',
      'webhook_secret_file = "secret"',
      'time_zone = "UTC"',
      ...(ledger === null ? [] : [`ledger = "${ledger}"`]),
      '',
    ].join('\n'),
  );
  return { folder, data, url: service.said.url, service, run, json };
}

export interface Listening {
  readonly listens: string;
  readonly hooks: readonly { readonly courier: string; readonly path: string }[];
}

export function startListening(folder: string, ...args: string[]): Promise<Running<Listening>> {
  return startServing<Listening>(['listen', '--json', ...args], folder);
}

export function signed(body: string | Buffer, secret = SECRET): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Sends a message. @returns the status of the answer; 0 where there was none */
export async function send(
  url: string,
  body: string | Buffer,
  { signature = signed(body), method = 'POST', headers = {} }: SendOptions = {},
): Promise<number> {
  try {
    const answer = await fetch(url, {
      method,
      headers: { ...headers, ...(signature === null ? {} : { [HEADER]: signature }) },
      ...(method === 'GET' ? {} : { body: body as string }),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

interface SendOptions {
  readonly signature?: string | null;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

export function message(id: string, last_updated_at: string): string {
  return JSON.stringify({ id, last_updated_at, data: {} });
}

/** Waits until something holds. */
export async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean, ms = 20_000): Promise<T> {
  for (const end = Date.now() + ms; ; await sleep(100)) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > end) throw new Error(`it never came: ${JSON.stringify(value)}`);
  }
}
