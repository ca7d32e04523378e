import type { FastifyRequest } from 'fastify';
import { deskError } from '../../words/errors/desk.ts';
import { Refusal } from '../refusal.ts';

/** Where the desk is reached. A request must name it to the letter. */
export interface Address {
  readonly origin: string;
  readonly host: string;
}

/** Refuses a request for any other host: another site's name may point at this machine. @throws Refusal 421 */
export function requireHost({ raw, url }: FastifyRequest, { host, origin }: Address): void {
  const hosts = raw.headersDistinct.host ?? [];
  // `GET http://other.example/ HTTP/1.1` names a host too.
  const isPath = url.startsWith('/') || url.startsWith('*');
  if (hosts.length === 1 && hosts[0] === host && isPath) return;
  throw new Refusal(421, 'host', deskError({ id: 'other-name', origin }));
}

/**
 * Refuses what a page of another origin sends, and what names no site. The cookie is no proof: the browser sends it
 * from a page at another port of this machine too.
 *
 * @throws Refusal 403
 */
export function requireOwnPage({ headers }: FastifyRequest, { origin }: Address): void {
  const site = headers['sec-fetch-site'];
  // `none`: no page made the request, but the person at the browser.
  if (headers.origin === origin && (site === 'same-origin' || site === 'none')) return;
  throw new Refusal(403, 'origin', deskError({ id: 'other-page' }));
}

/** Whether a request only reads; any other may change something. */
export function isReading({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * The security headers of every answer, refusals included. The policy names `frame-ancestors`, `base-uri` and
 * `require-trusted-types-for` too, because they do not fall back to `default-src`.
 */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
