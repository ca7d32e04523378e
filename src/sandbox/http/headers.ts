import type { FastifyReply, FastifyRequest } from 'fastify';

/** The policy of an answer that no browser has to render: nothing is loaded, and no page may frame it. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The headers of every answer, refusals included, that keep a browser from making more of it than it is. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': NOTHING,
  'referrer-policy': 'no-referrer',
};

/** A policy for a page: as {@link SAFE_HEADERS}, but for the sources that it names, such as `style-src 'self'`. */
export function pagePolicy(...sources: string[]): string {
  return [NOTHING, ...sources].join('; ');
}

/** Sets {@link SAFE_HEADERS}; a route that serves a page sets its own policy after it. */
export function setSafeHeaders(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.headers(SAFE_HEADERS);
  done();
}
