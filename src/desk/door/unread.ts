import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { because } from '../../words/errors/desk.ts';
import { Refusal } from '../refusal.ts';
import { SAFE_HEADERS } from './headers.ts';

const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/** Answers what is no request, is too long to be one or comes too slowly, with the headers of any other answer, and hangs up. */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const status = STATUSES[error.code ?? ''] ?? 400;
  const body = JSON.stringify({ error: refused() });
  const headers = { ...SAFE_HEADERS, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, 'connection: close', '', ''].join('\r\n');
  if (socket.writable) socket.write(head + body);
  socket.destroySoon();
}

/** Answers a request that expects more than to go on. */
export function refuseExpectation(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(417, { ...SAFE_HEADERS, 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: refused() }));
}

function refused(): Refusal {
  return new Refusal(400, 'request', because({ id: 'not-understood', why: 'this is no request that the desk takes' }));
}
