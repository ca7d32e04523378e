import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Inbox, Sender } from '../app/webhooks/inbox.ts';
import { clearSocket, notAvailable, openSocket } from './door/socket.ts';

/** The only answers: 204 kept, 401 no known sender, 413 too large, 503 not kept, so send it again. */
type Answer = 204 | 401 | 413 | 503;

const MOST_BYTES = 1024 * 1024;
/** The bytes of all bodies that are being read. Beyond it only small bodies are taken: true messages are small. */
const MOST_BYTES_TOGETHER = 64 * 1024 * 1024;
const SMALL_BYTES = 64 * 1024;
/** How long a sender waits at most until its message is kept. */
const KEEP_MS = 10_000;
/** How long a refused sender may go on sending. */
const HANG_UP_MS = 2_000;
const HEADERS_MS = 5_000;
const REQUEST_MS = 15_000;
const MOST_CONNECTIONS = 2_000;
const SHA256_BYTES = 32;

/** Whether a request is for {@link Webhooks}. */
export function isWebhook({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/hooks/');
}

/** Takes the couriers' webhooks: `POST /hooks/COURIER`. Its signature alone lets it in. */
export class Webhooks {
  readonly #inbox: Inbox;
  readonly #now: () => Date;
  #reading = 0;

  constructor(inbox: Inbox, now: () => Date) {
    this.#inbox = inbox;
    this.#now = now;
  }

  /** Answers a request. It never throws. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const status = await this.#take(request).catch((): Answer => 503);
    if (response.destroyed) return;
    response.writeHead(status, { 'content-length': 0 });
    response.end();
    if (request.complete) return;
    // A sender that is cut off while it sends does not see the answer.
    request.resume();
    const timer = setTimeout(() => request.destroy(), HANG_UP_MS);
    request.once('close', () => clearTimeout(timer));
  }

  async #take(request: IncomingMessage): Promise<Answer> {
    const [, name = ''] = /^\/hooks\/([a-z0-9-]{1,60})\/?(?:\?|$)/.exec(request.url ?? '') ?? [];
    const sender = request.method === 'POST' ? this.#inbox.sender(name) : undefined;
    const signature = sender === undefined ? null : signatureOf(request, sender);
    if (sender === undefined || signature === null) return 401;
    if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) return 413;
    const body = await this.#read(request);
    if (!Buffer.isBuffer(body)) return body;
    const expected = createHmac('sha256', sender.secret).update(body).digest();
    if (!timingSafeEqual(expected, signature)) return 401;
    const keeping = this.#inbox.keep(sender, { body, at: this.#now(), source: `POST /hooks/${sender.courier.name}` });
    return await inTime(keeping.then((): Answer => 204));
  }

  /** Reads a body. @returns the status that refuses it, if it or all bodies together are beyond the limits */
  async #read(request: IncomingMessage): Promise<Buffer | Answer> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.#reading += chunk.length;
        if (size > MOST_BYTES) return 413;
        if (this.#reading > MOST_BYTES_TOGETHER && size > SMALL_BYTES) return 503;
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } finally {
      this.#reading -= size;
    }
  }
}

/** The 32 bytes of a request's signature; null if the header is absent, repeated or malformed. */
function signatureOf({ headers }: IncomingMessage, { header, signature }: Sender): Buffer | null {
  const text = headers[header];
  if (typeof text !== 'string') return null;
  if (signature === 'hex') return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === SHA256_BYTES && bytes.toString('base64') === text ? bytes : null;
}

function inTime(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => resolve(503), KEEP_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/**
 * Listens for webhooks, on a port of this machine or a socket, and for nothing else.
 *
 * @returns where it listens: an address of this machine, or a socket
 * @throws UsageError when the port or the socket is not available
 */
export async function startListener(webhooks: Webhooks, portOrSocket: number | string) {
  const options = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1_000 };
  const answer = (request: IncomingMessage, response: ServerResponse) => void webhooks.answer(request, response);
  const server = createServer({ ...options, requireHostHeader: false }, answer);
  server.maxConnections = MOST_CONNECTIONS;
  server.on('checkExpectation', answer);
  // What is no request, or comes too slowly, gets no answer.
  server.on('clientError', (_, socket) => void socket.destroy());
  const listens = await listenAt(server, portOrSocket);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), KEEP_MS).unref();
    });
  return { listens, close };
}

const HOST = '127.0.0.1';

async function listenAt(server: Server, portOrSocket: number | string): Promise<string> {
  const address = typeof portOrSocket === 'string' ? { path: portOrSocket } : { port: portOrSocket, host: HOST };
  if (typeof portOrSocket === 'string') await clearSocket(portOrSocket);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address, () => resolve());
    });
  } catch (error) {
    throw notAvailable(error, portOrSocket);
  }
  if (typeof portOrSocket !== 'string') return `http://${HOST}:${(server.address() as AddressInfo).port}`;
  openSocket(portOrSocket);
  return portOrSocket;
}
