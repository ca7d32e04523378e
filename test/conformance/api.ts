import { Readable } from 'node:stream';
import { Agent, FormData, request } from 'undici';
import { expect } from 'vitest';
import { decodeList } from '../../src/api/list.ts';
import type { ErrorBody } from '../../src/api/wire.ts';
import { Contract, clientOperation, decoderFaults, type OpenApiDocument } from './contract.ts';
import type { Target } from './server.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS';

export interface Sent {
  query?: Record<string, string | number | boolean>;
  /** The body in one of its encodings; at most one of these. */
  json?: unknown;
  form?: readonly (readonly [name: string, text: string])[];
  multipart?: readonly (readonly [name: string, text: string])[];
  raw?: string | Buffer;
  /** A body in pieces, whose length is not told beforehand. */
  stream?: readonly string[];
  headers?: Record<string, string>;
  /** Another key than the suite's; null for none. */
  key?: string | null;
}

export interface Reply<T = unknown> {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  readonly body: T;
}

/** One page of a list, in whichever of its forms it came. */
export interface PageRead<T> {
  readonly items: T[];
  readonly count: number | null;
  readonly next: string | null;
  readonly previous: string | null;
}

/** The longest that an answer may take. */
const PATIENCE_MS = 60_000;

/**
 * The server under test, request by request. Every answer is held against the server's own OpenAPI document and read by
 * the client's decoders; a failure of either is a failure of the row that asked.
 */
export class Api {
  readonly target: Target;
  /** Null where the server has no OpenAPI document. */
  readonly contract: Contract | null;
  /** Which operation was seen with which status: `createOrder 201`. */
  readonly seen = new Set<string>();
  readonly #agent: Agent;

  private constructor(target: Target, contract: Contract | null, connections: number) {
    this.target = target;
    this.contract = contract;
    this.#agent = new Agent({ connections });
  }

  static async open(target: Target, connections = 8): Promise<Api> {
    const document = await request(new URL('/openapi.json', target.url));
    const text = await document.body.text();
    const contract = document.statusCode === 200 ? new Contract(JSON.parse(text) as OpenApiDocument, target.url) : null;
    return new Api(target, contract, connections);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  get<T>(path: string, sent: Sent = {}): Promise<Reply<T>> {
    return this.call('GET', path, sent);
  }

  post<T>(path: string, json?: unknown, sent: Sent = {}): Promise<Reply<T>> {
    return this.call('POST', path, json === undefined ? sent : { ...sent, json });
  }

  patch<T>(path: string, json: unknown, sent: Sent = {}): Promise<Reply<T>> {
    return this.call('PATCH', path, { ...sent, json });
  }

  /** A list, or one page of it. */
  async list<T>(path: string, query: Sent['query'] = {}, sent: Sent = {}): Promise<PageRead<T>> {
    const reply = await this.get<{ previous?: string | null }>(path, { ...sent, query });
    expect(reply.status, reply.text).toBe(200);
    const operation = clientOperation('GET', path.split('?', 1)[0] as string);
    if (operation === undefined) throw new Error(`${path} is no list of the specification`);
    const { items, count, next } = decodeList(operation.response, reply.body);
    return { items: items.map(({ raw }) => raw as T), count, next, previous: reply.body.previous ?? null };
  }

  /** One document, which must be there. */
  async read<T>(path: string, query: Sent['query'] = {}): Promise<T> {
    const reply = await this.get<T>(path, { query });
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  }

  /** Sends a request that must be refused, and holds the answer against the error form of the specification. */
  async refused(
    status: number,
    method: Method,
    path: string,
    sent: Sent = {},
  ): Promise<ErrorBody & { details: string }> {
    const reply = await this.call<ErrorBody & { details: string }>(method, path, sent);
    expect(reply.status, reply.text).toBe(status);
    return reply.body;
  }

  /** Sends anything, and holds the answer against both descriptions of what it may be. */
  async call<T>(method: Method, path: string, sent: Sent = {}): Promise<Reply<T>> {
    const url = new URL(path, this.target.url);
    for (const [name, value] of Object.entries(sent.query ?? {})) url.searchParams.append(name, String(value));
    const reply = await this.send<T>(method, url, sent);
    if (method !== 'HEAD') this.#check(method, url, reply);
    return reply;
  }

  async send<T>(method: Method, url: URL, sent: Sent = {}): Promise<Reply<T>> {
    const { type, body } = encode(sent);
    const key = sent.key === undefined ? this.target.key : sent.key;
    const {
      statusCode,
      headers,
      body: stream,
    } = await request(url, {
      method,
      dispatcher: this.#agent,
      headers: {
        ...(key === null ? {} : { 'X-Api-Key': key }),
        ...(type === null ? {} : { 'Content-Type': type }),
        ...sent.headers,
      },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await stream.text();
    const isJson = String(headers['content-type']).startsWith('application/json') && text !== '';
    return { status: statusCode, headers, text, body: (isJson ? JSON.parse(text) : undefined) as T };
  }

  #check(method: Method, url: URL, { status, headers, text, body }: Reply): void {
    const context = `${method} ${url.pathname}${url.search} → ${status} ${text.slice(0, 300)}`;
    expect(headers['content-type'], context).toMatch(/^application\/json\b/);
    if (status >= 400) checkErrorForm(body, context);
    const operation = clientOperation(method, url.pathname.slice(new URL(this.target.url).pathname.length));
    if (operation === undefined) return;
    expect(decoderFaults(operation, status, body), context).toEqual([]);
    const type = String(headers['content-type']);
    expect(this.contract?.faults(method, url.pathname, status, type, body) ?? [], context).toEqual([]);
    const id = this.contract?.find(method, url.pathname)?.operation.operationId;
    if (id !== undefined) this.seen.add(`${id} ${status}`);
  }
}

/** Spec, 'Errors': `error`, `message` and `details`, and nothing else. */
function checkErrorForm(body: unknown, context: string): void {
  expect(Object.keys(body as object).sort(), context).toEqual(['details', 'error', 'message']);
  const { error, message, details } = body as Record<string, unknown>;
  expect([true, 'true'], context).toContain(error);
  expect(message, context).toBeTypeOf('string');
  expect(details, context).toBeTypeOf('string');
}

function encode(sent: Sent): { type: string | null; body: string | Buffer | FormData | Readable | null } {
  if (sent.json !== undefined) return { type: 'application/json', body: JSON.stringify(sent.json) };
  if (sent.form !== undefined) {
    const body = new URLSearchParams(sent.form.map(([name, text]) => [name, text] as [string, string])).toString();
    return { type: 'application/x-www-form-urlencoded', body };
  }
  if (sent.multipart !== undefined) {
    const form = new FormData();
    for (const [name, text] of sent.multipart) form.append(name, text);
    return { type: null, body: form };
  }
  if (sent.stream !== undefined) return { type: null, body: Readable.from(sent.stream) };
  return { type: null, body: sent.raw ?? null };
}

/** A JSON body as the fields of a form: `customer[phone_number]`, `cod[0][1]`. */
export function formFields(value: unknown, name = ''): [name: string, text: string][] {
  if (typeof value !== 'object' || value === null) return [[name, value === null ? '' : String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => formFields(inner, name === '' ? key : `${name}[${key}]`));
}
