import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { because } from '../../words/errors/desk.ts';
import { Refusal } from '../refusal.ts';
import { SAFE_HEADERS } from './headers.ts';

/** By the error of Node's HTTP parser; 400 for any other. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/** Refuses bytes that are no HTTP request, too many or too slow, with the same headers as any answer, and hangs up. */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const status = STATUSES[error.code ?? ''] ?? 400;
  const body = JSON.stringify({ error: notUnderstood() });
  const headers = { ...SAFE_HEADERS, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, 'connection: close', '', ''].join('\r\n');
  if (socket.writable) socket.write(head + body);
  socket.destroySoon();
}

/** Refuses a request whose `Expect` header is not `100-continue`. */
export function refuseExpectation(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(417, { ...SAFE_HEADERS, 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: notUnderstood() }));
}

function notUnderstood(): Refusal {
  return new Refusal(400, 'request', because({ id: 'not-understood', why: 'this is no request that the desk takes' }));
}
