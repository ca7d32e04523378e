import type { Operation } from '../api/operations.ts';
import { operationUrl, parseBaseUrl, type Scalar } from './address.ts';
import { MASKED_KEY } from './mask-key.ts';
import { DEFAULTS } from './options.ts';
import type { HttpRequest } from './transport.ts';

/** An operation's arguments: path and query values by their names on the wire, and the body. */
export interface CallInput {
  path?: Readonly<Record<string, Scalar>>;
  query?: Readonly<Record<string, Scalar | undefined>>;
  body?: unknown;
}

/** A request with its headers, as it is sent. */
export function buildRequest(
  method: HttpRequest['method'],
  url: string,
  body: unknown,
  { apiKey, userAgent }: { apiKey: string; userAgent: string },
): HttpRequest {
  const headers: Record<string, string> = {
    'X-Api-Key': apiKey,
    Accept: 'application/json',
    'Accept-Encoding': 'gzip',
    'User-Agent': userAgent,
  };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return { method, url, headers, body: body === undefined ? null : JSON.stringify(body) };
}

/** The request that {@link Client.call} would send, with asterisks for the key. Sends nothing and needs no key. */
export function previewRequest(baseUrl: string, { method, path }: Operation, input: CallInput): HttpRequest {
  const url = operationUrl(parseBaseUrl(baseUrl), path, input.path, input.query);
  return buildRequest(method, url, input.body, { apiKey: MASKED_KEY, userAgent: DEFAULTS.userAgent });
}
