import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, type ClientOptions, createClient } from '../../src/courier/index.ts';

/** Looks like nothing else in a test, so that finding it anywhere is a leak. */
export const API_KEY = 'key-Zq7w-3nVd-never-print-me';

/** A request as the server received it. */
export interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface TestServer {
  /** Ends in `/v1/external/`. */
  baseUrl: string;
  origin: string;
  seen: Seen[];
}

/** Answers the `turn`-th request (from 1). */
export type Handler = (response: ServerResponse, request: Seen, turn: number) => void;

/** Runs a server for as long as `use` works; connections that are still open are cut at its end. */
export async function usingServer<T>(handler: Handler, use: (server: TestServer) => Promise<T>): Promise<T> {
  const seen: Seen[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    handler(response, seen.at(-1) as Seen, seen.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await use({ baseUrl: `${origin}/v1/external/`, origin, seen });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** A client that notes its waits instead of waiting. */
export async function usingClient<T>(
  baseUrl: string,
  use: (client: Client, waits: number[]) => Promise<T>,
  options: Partial<ClientOptions> = {},
): Promise<T> {
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  const client = createClient({ baseUrl, apiKey: API_KEY, sleep, ...options });
  try {
    return await use(client, waits);
  } finally {
    await client.close();
  }
}

/** A server and a client of it. */
export function against<T>(
  handler: Handler,
  use: (client: Client, server: TestServer, waits: number[]) => Promise<T>,
  options: Partial<ClientOptions> = {},
): Promise<T> {
  return usingServer(handler, (server) =>
    usingClient(server.baseUrl, (client, waits) => use(client, server, waits), options),
  );
}

export function answerJson(response: ServerResponse, value: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** The error that a promise ends with; fails when it ends well. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { hint?: string; status?: number | null }> {
  const result = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in result && result.error instanceof Error) return result.error;
  throw new Error(`expected a failure, got ${JSON.stringify(result)}`);
}

export const PROFILE = { organisation_name: 'Bayt al Zaytoun', brand: 'BZ', logo_url: '', primary_color: '#0a7' };

export function listItem(number: number, fields: object = {}) {
  const money = { cod: [['USD', '10.00']], delivery_fee: [['USD', '3.00']], net_due_to_merchant: [['USD', '7.00']] };
  return { number, status: 'PAID', issued_at: '2026-10-05T10:00:00.000000+00:00', order_count: 1, ...money, ...fields };
}

export function invoiceDetail(number: number, fields: object = {}) {
  const { order_count: _, ...header } = listItem(number);
  return { ...header, orders: [invoiceOrder('A1')], ...fields };
}

export function invoiceOrder(orderId: string, fields: object = {}) {
  const states = { workflow: 'STANDARD', delivery_state: 'DELIVERED', payment_state: 'PAID_TO_MERCHANT' };
  return {
    order_id: orderId,
    reference_id: 'R-1',
    ...states,
    cod: [['USD', '10.00']],
    delivery_fee: [['USD', '3.00']],
    ...fields,
  };
}

/**
 * The four shapes of a paginated list: `results` flat, an inner array, an inner wrapper in a list, an inner wrapper.
 */
export const SHAPES = {
  flat: (items: unknown[], count: number, next: string | null) => ({ count, next, previous: null, results: items }),
  array: (items: unknown[], count: number, next: string | null) => ({ count, next, previous: null, results: [items] }),
  wrapper: (items: unknown[], count: number, next: string | null) => ({
    count,
    next,
    previous: null,
    results: [{ count, next, previous: null, results: items }],
  }),
  object: (items: unknown[], count: number, next: string | null) => ({
    count,
    next,
    previous: null,
    results: { count, next, previous: null, results: items },
  }),
} as const;
