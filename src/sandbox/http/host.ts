import { isIP, isIPv4 } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from './errors.ts';

/** Addresses that mean every interface of the machine. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

/**
 * A guard against pages of other sites whose name was made to lead here (DNS rebinding): a request must name the service as
 * this machine knows it. The port is not looked at, so that a forwarded one works.
 *
 * @param host the address or name that the service listens on (`--host`). With one that means every interface, any plain
 *   address and the machine's own name pass too: neither can be made to lead elsewhere
 * @returns a hook that throws ServiceError 400 where there is no host, 421 where it is another's
 */
export function hostGuard(
  host: string,
): (request: FastifyRequest, reply: unknown, done: (error?: Error) => void) => void {
  const own = new Set([bare(host)]);
  if (EVERYWHERE.has(host)) own.add(hostname().toLowerCase());
  const isOurs = (name: string): boolean =>
    isLoopback(name) || own.has(name) || (EVERYWHERE.has(host) && isIP(name) !== 0);
  return (request, _reply, done) => {
    const header = request.headers.host;
    const name = header === undefined ? '' : nameOf(header);
    if (name === '') done(new ServiceError(400, 'Host: A host is required.'));
    else if (isOurs(name)) done();
    else
      done(new ServiceError(421, 'Host: This service is not known by that name; start it with --host to give it one.'));
  };
}

/** The host of a Host header in lower case, without port, brackets and final dot; empty where it is none. */
function nameOf(header: string): string {
  const [, address, name] = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9_.-]{1,253}))(?::\d{1,5})?$/.exec(header) ?? [];
  return bare(address ?? name ?? '');
}

function bare(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true;
  return isIPv4(name) && name.startsWith('127.');
}
