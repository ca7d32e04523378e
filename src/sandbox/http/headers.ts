import type { FastifyReply, FastifyRequest } from 'fastify';

/** The policy of an answer that is not a page: it loads nothing, and no page may frame it. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The security headers of every answer, refusals included. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': NOTHING,
  'referrer-policy': 'no-referrer',
};

/** The policy of a page: {@link SAFE_HEADERS}'s with these sources added, such as `style-src 'self'`. */
export function pagePolicy(...sources: string[]): string {
  return [NOTHING, ...sources].join('; ');
}

/** Sets {@link SAFE_HEADERS}; a route that serves a page overrides the policy. */
export function setSafeHeaders(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.headers(SAFE_HEADERS);
  done();
}
