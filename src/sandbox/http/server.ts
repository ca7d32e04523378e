import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { acceptBodies } from './bodies.ts';
import { answerClientError } from './client-error.ts';
import { BODY_LIMIT, errorBody, ServiceError, toServiceError } from './errors.ts';
import { SAFE_HEADERS, setSafeHeaders } from './headers.ts';
import { hostGuard } from './host.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The failure behind a 500, which the caller is not told. */
    failure: unknown;
  }
}

/** How long a caller may take to send a request. */
const REQUEST_TIMEOUT_MS = 30_000;

export interface ServerOptions {
  /** The address or name it listens on: beside the loopback's, the only one under which it answers. */
  host?: string | undefined;
  /** What a failure is answered with. */
  refusal?: (error: unknown) => ServiceError;
  /** Said to a caller who asks for a path that is none: where the paths are. */
  hint?: string;
  ignoreTrailingSlash?: boolean;
}

/**
 * A server without routes, which reads the three encodings of the spec and answers every failure in its error form, those
 * before any route is found included.
 */
export async function newServer(options: ServerOptions = {}): Promise<FastifyInstance> {
  const { host = '127.0.0.1', refusal = toServiceError, hint = '', ignoreTrailingSlash = false } = options;
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, details, headers } = refusal(error);
    if (status >= 500) request.failure = error;
    // After a refused body Fastify would close at once, and a caller that is still sending would never read the answer;
    // without that header Node reads the rest and drops it.
    reply.removeHeader('connection');
    // Set here too: a request that Fastify itself refuses meets no hook.
    reply
      .status(status)
      .headers({ ...SAFE_HEADERS, ...headers })
      .send(errorBody(status, details, request.url));
  };
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    // Node's own refusal of a request without a host has neither body nor headers; `hostGuard` refuses it in the error form.
    http: { requireHostHeader: false },
    routerOptions: { ignoreTrailingSlash },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply as FastifyReply),
  });
  app.decorateRequest('failure', null);
  app.addHook('onRequest', setSafeHeaders);
  app.addHook('onRequest', hostGuard(host));
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw new ServiceError(404, `detail: There is no such path.${hint && ` ${hint}`}`);
  });
  await acceptBodies(app);
  return app;
}
