import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Answer, answer, type Exchange, type Manner } from '../test/oracle/world/answers.ts';
import type { ServerState } from '../test/oracle/world/documents.ts';
import { API_KEY } from '../test/oracle/world/server.ts';
import type { Fault, FaultLayer } from './faults.ts';

/** Where the books believe the courier to be: through a proxy, so that no port gets into them. */
export const COURIER_URL = 'http://courier.invalid/v1/external/';

/** What never came as a whole answer. */
const NO_ANSWER = 599;

/**
 * Called before each answer, with the request and how often it came since the layer was set: to change the state
 * meanwhile.
 */
export type Meanwhile = (path: string, query: URLSearchParams) => void;

export interface Courier {
  readonly proxyUrl: string;
  /** What the server does until this is called again. */
  behave(options: { faults: FaultLayer; meanwhile: Meanwhile }): void;
  /** What was shown since the last call, one exchange a request: the last one. */
  take(): Exchange[];
  /** Whether the last answer to some request since then did not arrive as it was sent. */
  isLeftFaulty(): boolean;
  close(): Promise<void>;
}

interface Shown extends Exchange {
  readonly isFaulty: boolean;
}

/** Serves a state over HTTP, through a layer of faults, and keeps what it showed. */
export async function startCourier(state: ServerState, manner: Manner): Promise<Courier> {
  let shown: Shown[] = [];
  let faults: FaultLayer | null = null;
  let meanwhile: Meanwhile = () => {};
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', COURIER_URL);
    const path = url.pathname.replace(/^\/v1\/external/, '');
    url.searchParams.sort();
    const isKnown = request.headers['x-api-key'] === API_KEY;
    meanwhile(path, url.searchParams);
    const whole = isKnown ? answer(state, manner, url) : { status: 401, body: '{"error":"true","message":"No."}' };
    const fault = faults?.next(`${path}?${url.searchParams}`) ?? null;
    const arrived = send(response, whole, fault, request);
    const isFaulty = fault !== null && fault !== 'drip';
    shown.push({ ...arrived, path, query: Object.fromEntries(url.searchParams), isFaulty });
  });
  server.on('connect', (_, socket) => {
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    server.emit('connection', socket);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    proxyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave(options) {
      ({ faults, meanwhile } = options);
    },
    take() {
      const taken = settled(shown);
      shown = [];
      return taken;
    },
    isLeftFaulty: () => settled(shown).some(({ isFaulty }) => isFaulty),
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

/** Sends an answer, or what becomes of it. @returns what the other side can have understood */
function send(response: ServerResponse, whole: Answer, fault: Fault | null, { socket }: IncomingMessage): Answer {
  const json = { 'content-type': 'application/json' };
  const bytes = Buffer.from(whole.body);
  const lost = { status: NO_ANSWER, body: '' };
  const instead = (status: number, headers: Record<string, string>, body: string | Buffer): Answer => {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    return { status, body: String(body) };
  };
  switch (fault) {
    case null:
      return instead(whole.status, json, whole.body);
    case 'status-500':
      return instead(500, json, '{"error":"true","message":"Unexpected error.","details":"internal server error"}');
    case 'status-503':
      return instead(503, { 'content-type': 'text/html' }, '<h1>Service unavailable</h1>');
    case 'status-429':
      return instead(429, { ...json, 'retry-after': '0' }, '{"error":"true","message":"Slow down.","details":""}');
    case 'refused':
      socket.destroy();
      return lost;
    case 'reset-in-body':
      response.writeHead(whole.status, { ...json, 'content-length': bytes.length });
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket.destroy());
      return lost;
    case 'truncated':
      // Chunks, and none that says that it was the last.
      response.writeHead(whole.status, json);
      response.write(bytes.subarray(0, bytes.length - 2), () => socket.end());
      return lost;
    case 'invalid-json':
      return instead(200, json, `${whole.body.slice(0, -1)},,`);
    case 'html':
      return instead(200, { 'content-type': 'text/html' }, '<!doctype html><title>Log in</title><form></form>');
    case 'empty':
      return instead(200, json, '');
    case 'gzip-that-lies':
      instead(200, { ...json, 'content-encoding': 'gzip' }, whole.body);
      return lost;
    case 'gzip-cut': {
      const packed = gzipSync(bytes);
      instead(200, { ...json, 'content-encoding': 'gzip' }, packed.subarray(0, packed.length - 6));
      return lost;
    }
    case 'drip':
    case 'drip-too-slow': {
      const isLate = fault === 'drip-too-slow';
      response.writeHead(whole.status, { ...json, 'content-length': bytes.length });
      drip(response, bytes, isLate ? 400 : 1);
      return isLate ? lost : whole;
    }
  }
}

function drip(response: ServerResponse, bytes: Buffer, everyMs: number): void {
  const piece = Math.max(1, Math.ceil(bytes.length / 6));
  let sent = 0;
  const next = () => {
    if (response.destroyed) return;
    response.write(bytes.subarray(sent, sent + piece));
    sent += piece;
    if (sent < bytes.length) setTimeout(next, everyMs);
    else response.end();
  };
  next();
}

const isList = ({ path }: Exchange) => path === '/invoices/' || path === '/orders/';
const listOf = ({ path, query }: Exchange) => `${path} ${query.year} ${query.month}`;

/**
 * What counts of all that was shown: of each list the reading that was begun last, and of each request its last answer.
 */
function settled(shown: readonly Shown[]): Shown[] {
  const begun = new Map<string, number>();
  shown.forEach((exchange, at) => {
    if (isList(exchange) && (exchange.query.page ?? '1') === '1') begun.set(listOf(exchange), at);
  });
  const last = new Map<string, Shown>();
  shown.forEach((exchange, at) => {
    if (isList(exchange) && at < (begun.get(listOf(exchange)) ?? 0)) return;
    const key = `${exchange.path} ${JSON.stringify(exchange.query)}`;
    last.delete(key);
    last.set(key, exchange);
  });
  return [...last.values()];
}
