import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { acceptBodies } from './bodies.ts';
import { answerClientError } from './client-error.ts';
import { BODY_LIMIT, errorBody, ServiceError, toServiceError } from './errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The failure behind a 500, which the caller is not told. */
    failure: unknown;
  }
}

/** How long a caller may take to send a request. */
const REQUEST_TIMEOUT_MS = 30_000;

export interface ServerOptions {
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
  const { refusal = toServiceError, hint = '', ignoreTrailingSlash = false } = options;
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, details, headers } = refusal(error);
    if (status >= 500) request.failure = error;
    // After a refused body Fastify would close at once, and a caller that is still sending would never read the answer;
    // without that header Node reads the rest and drops it.
    reply.removeHeader('connection');
    reply
      .status(status)
      .headers(headers)
      .send(errorBody(status, details, request.url));
  };
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply as FastifyReply),
  });
  app.decorateRequest('failure', null);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw new ServiceError(404, `detail: There is no such path.${hint && ` ${hint}`}`);
  });
  await acceptBodies(app);
  return app;
}
