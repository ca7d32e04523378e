import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { acceptBodies } from './bodies.ts';
import { BODY_LIMIT, errorBody, ServiceError, toServiceError } from './errors.ts';
import { hostGuard, SANDBOX_HEADERS } from './host.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The failure behind a 500; the caller does not see it. */
    failure: unknown;
  }
}

const REQUEST_TIMEOUT_MS = 30_000;

export interface ServerOptions {
  /** The address or name that the server listens on; see `hostGuard`. */
  host?: string | undefined;
  /** Turns a failure into the refusal that the caller sees. */
  refusal?: (error: unknown) => ServiceError;
  /** Added to the 404 of an unknown path, to tell where the paths are listed. */
  hint?: string;
  ignoreTrailingSlash?: boolean;
}

/**
 * Makes a server without routes. It reads the three encodings of the spec, and answers every failure in the spec's
 * error form, also for requests that reach no route.
 */
export async function newServer(options: ServerOptions = {}): Promise<FastifyInstance> {
  const { host = '127.0.0.1', refusal = toServiceError, hint = '', ignoreTrailingSlash = false } = options;
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, details, headers } = refusal(error);
    if (status >= 500) request.failure = error;
    // With this header Fastify would hang up before the caller has read the answer; without it Node reads and drops the
    // rest of the body.
    reply.removeHeader('connection');
    // Set here too: requests that Fastify refuses itself do not run hooks.
    reply
      .status(status)
      .headers({ ...SANDBOX_HEADERS, ...headers })
      .send(errorBody(status, details, request.url));
  };
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    // Node would refuse a request without a host with an empty answer; `hostGuard` refuses it in the error form.
    http: { requireHostHeader: false },
    routerOptions: { ignoreTrailingSlash },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply as FastifyReply),
  });
  app.decorateRequest('failure', null);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(SANDBOX_HEADERS);
    done();
  });
  app.addHook('onRequest', hostGuard(host));
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw new ServiceError(404, `detail: There is no such path.${hint && ` ${hint}`}`);
  });
  await acceptBodies(app);
  return app;
}

/** The answers to requests that Node refuses itself, by Node's code. */
const REFUSED_BY_NODE: Readonly<Record<string, { readonly status: string; readonly why: string }>> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', why: 'The headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', why: 'The request was not complete in time.' },
};
const NOT_HTTP = { status: '400 Bad Request', why: 'This is not a valid HTTP request.' };

/** Answers a request that is not HTTP, or not complete in time, in the spec's error form, and hangs up. */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, why } = REFUSED_BY_NODE[error.code ?? ''] ?? NOT_HTTP;
  const safeHeaders = Object.entries(SANDBOX_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  const body = JSON.stringify(errorBody(400, `detail: ${why}`, ''));
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${safeHeaders.join('')}Connection: close\r\n\r\n${body}`,
  );
}
