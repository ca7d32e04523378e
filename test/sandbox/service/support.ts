import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { ResultShape } from '../../../src/sandbox/http/shapes.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { createApiKey, ensureMerchant } from '../../../src/sandbox/store/merchants.ts';
import { openStore } from '../../../src/sandbox/store/open.ts';
import type { Store } from '../../../src/sandbox/store/store.ts';

interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

interface Running {
  /** A second handle on the service's file. */
  store: Store;
  file: string;
  /** Ends in `/v1/external/`. */
  url: string;
  /** The keys of two merchants. */
  key: string;
  otherKey: string;
  /** One of the first merchant's pickup locations. */
  pickup: number;
  otherPickup: number;
  get(at: string, key?: string): Promise<Answer>;
  /** Sends JSON. */
  post(at: string, body?: unknown, key?: string): Promise<Answer>;
  patch(at: string, body: unknown, key?: string): Promise<Answer>;
  /** Sends anything. */
  send(at: string, init: RequestInit): Promise<Answer>;
}

/** A new service file with two merchants. */
export function newFile(): {
  file: string;
  store: Store;
  key: string;
  otherKey: string;
  pickup: number;
  otherPickup: number;
} {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-service-'));
  const file = path.join(folder, 'service.db');
  const store = openStore(file);
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const now = new Date('2026-10-01T08:00:00Z');
  const [one, two] = ['Cedar Threads', 'Byblos Books'].map((name) => ensureMerchant(store, name, now).id) as [
    number,
    number,
  ];
  const pickupOf = (merchant: number) =>
    store.get<{ id: number }>('select id from pickup_location where merchant_id = ?', merchant)?.id as number;
  return {
    file,
    store,
    key: createApiKey(store, one, now),
    otherKey: createApiKey(store, two, now),
    pickup: pickupOf(one),
    otherPickup: pickupOf(two),
  };
}

/** The service over HTTP, with two merchants; it ends with the test. */
export async function runService(results: ResultShape = 'flat'): Promise<Running> {
  const made = newFile();
  const running = await startSandbox({ file: made.file, port: 0, host: '127.0.0.1', results });
  onTestFinished(() => running.close());
  return { ...made, url: running.url, ...callers(running.url, made.key) };
}

/** Functions that call a service. */
export function callers(url: string, ownKey: string): Pick<Running, 'get' | 'post' | 'patch' | 'send'> {
  const send = async (at: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(new URL(at, url), {
      ...init,
      headers: { 'x-api-key': ownKey, ...(init.headers as Record<string, string>) },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
  const json =
    (method: string) =>
    (at: string, body: unknown, key = ownKey) =>
      send(at, {
        method,
        headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
  return {
    send,
    get: (at, key = ownKey) => send(at, { headers: { 'x-api-key': key } }),
    post: (at, body, key) => json('POST')(at, body, key),
    patch: json('PATCH'),
  };
}

/** A body that makes an order. */
export function orderBody(pickup: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    merchant_location: pickup,
    customer: { name: 'Rana', phone_number: '+96170123456' },
    customer_location: { area: { id: 1 }, directions: 'Third floor' },
    cod: [['USD', '25.00']],
    ...changes,
  };
}

/** Everything that the service has written, to compare before and after. */
export function contents(store: Store): string {
  const tables = store.all<{ name: string }>("select name from sqlite_schema where type = 'table' order by name");
  return JSON.stringify(
    tables.map(({ name }) => store.db.prepare(`select * from ${name}`).safeIntegers().all()),
    (_k, v) => (typeof v === 'bigint' ? String(v) : v),
  );
}
