import { isIP, isIPv4 } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { ServiceError } from './errors.ts';

/** Addresses that mean every interface of the machine. */
const EVERY_INTERFACE = new Set(['0.0.0.0', '::']);

/**
 * Guards against DNS rebinding, in which another site's page reads the service under a name that the site points here.
 * A request must name the service as this machine knows it. Any port passes, so that a forwarded port works.
 *
 * @param host the address or name on which the service listens (`--host`). If it means every interface, any IP address
 *   and the machine's name pass too: no other site controls them
 * @returns a hook that fails with ServiceError 400 without a host, and 421 with a foreign one
 */
export function hostGuard(host: string): onRequestHookHandler {
  const hostNames = new Set([withoutDot(host)]);
  if (EVERY_INTERFACE.has(host)) hostNames.add(hostname().toLowerCase());
  const isKnownHost = (name: string): boolean =>
    isLoopback(name) || hostNames.has(name) || (EVERY_INTERFACE.has(host) && isIP(name) !== 0);
  return (request, _reply, done) => {
    const header = request.headers.host;
    const name = header === undefined ? '' : nameOf(header);
    if (name === '') done(new ServiceError(400, 'Host: A host is required.'));
    else if (isKnownHost(name)) done();
    else
      done(new ServiceError(421, 'Host: This service is not known by that name; start it with --host to give it one.'));
  };
}

/** The host in a Host header, in lower case, without port, brackets and final dot; empty if the header is not valid. */
function nameOf(header: string): string {
  const [, address, name] = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9_.-]{1,253}))(?::\d{1,5})?$/.exec(header) ?? [];
  return withoutDot(address ?? name ?? '');
}

function withoutDot(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true;
  return isIPv4(name) && name.startsWith('127.');
}

/** The origin under which the caller reached the service, for links. An invalid Host header is not repeated. */
export function originOf(request: FastifyRequest): string {
  const isValid = nameOf(request.host) !== '';
  const host = isValid ? request.host : `127.0.0.1:${request.socket.localPort ?? 80}`;
  return `http://${host}`;
}

/** The content policy of an answer that is not a page: it loads nothing, and no page may frame it. */
const LOAD_NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The security headers of every answer, refusals included; a route that serves a page overrides the policy. */
export const SANDBOX_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': LOAD_NOTHING,
  'referrer-policy': 'no-referrer',
};

/** The content policy of a page that loads from these sources, such as `style-src 'self'`. */
export function pagePolicy(...sources: string[]): string {
  return [LOAD_NOTHING, ...sources].join('; ');
}
