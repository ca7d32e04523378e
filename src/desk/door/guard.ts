import type { FastifyRequest } from 'fastify';
import { because } from '../../words/errors/desk.ts';
import { Refusal } from '../refusal.ts';

/** Where the desk is reached: what a request must name, to the letter. */
export interface Address {
  readonly origin: string;
  readonly host: string;
}

/** Refuses a request that names another host, two hosts, or one in its first line: another site's name may point here. @throws Refusal 421 */
export function requireHost({ raw, url }: FastifyRequest, { host, origin }: Address): void {
  const named = raw.headersDistinct.host ?? [];
  if (named.length === 1 && named[0] === host && /^[/*]/.test(url)) return;
  throw new Refusal(421, 'host', because({ id: 'other-name', origin }));
}

/**
 * Refuses what a page of another origin sends: ports share cookies, so the origin is what keeps another program's page on this machine out.
 *
 * @throws Refusal 403
 */
export function requireOwnPage({ headers }: FastifyRequest, { origin }: Address): void {
  const site = headers['sec-fetch-site'];
  if (headers.origin === origin && (site === 'same-origin' || site === 'none')) return;
  throw new Refusal(403, 'origin', because({ id: 'other-page' }));
}

/** Whether a request only looks. */
export function isReading({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}
