import type { Socket } from 'node:net';
import { errorBody } from './errors.ts';
import { SAFE_HEADERS } from './headers.ts';

/** Answers what is not HTTP, or not in time, in the spec's error form, and hangs up. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, why] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request was not complete in time.']
        : ['400 Bad Request', 'This is not a valid HTTP request.'];
  const safe = Object.entries(SAFE_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  const body = JSON.stringify(errorBody(400, `detail: ${why}`, ''));
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${safe.join('')}Connection: close\r\n\r\n${body}`,
  );
}
