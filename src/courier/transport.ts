import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request as fetchOnce } from 'undici';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
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

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Decompressed. */
  readonly body: Buffer;
  readonly receivedAt: Date;
}

/** The largest decompressed answer that is read: a page of 20,000 orders, far below a small machine's memory. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** How many times its size a compressed answer may decompress to; identical rows reach 60. */
export const MAX_RATIO = 256;
/** Up to this decompressed size the ratio is not checked. */
const SMALL_BYTES = 1024 * 1024;

/**
 * Why an attempt brought no whole answer. `code` is Node's or undici's, or one that they do not have: `NOT_HTTP`,
 * `PROXY_DENIED`, `TIMED_OUT`, `TOO_LARGE`, `TOO_DENSE` (it unpacks to more than MAX_RATIO times its size),
 * `UNKNOWN_ENCODING`, `STOPPED` if the caller stopped it, `UNKNOWN` for an error without a code.
 */
export class AttemptFailed extends Error {
  readonly code: string;
  /** If the answer was too large: bytes received, before decompression. */
  readonly received: number;

  constructor(code: string, options: { cause?: unknown; received?: number } = {}) {
    super(code, options);
    this.code = code;
    this.received = options.received ?? 0;
  }
}

/** undici's message when a proxy refuses a connection; it has no code. */
export const PROXY_ANSWER = /^Proxy response \((\d+)\)/;

/** Names and addresses of this machine. */
export const LOOPBACK = /^(localhost|127\.[0-9.]+|\[::1\])$/;

/**
 * Keep-alive connections to the base URL's origin, at most `connections` of them. HTTP(S)_PROXY and NO_PROXY are
 * honoured, except for this machine, which is always reached directly.
 */
export function openConnections(baseUrl: URL, connections: number): Dispatcher {
  const options = { connections, headersTimeout: 0, bodyTimeout: 0 };
  return LOOPBACK.test(baseUrl.hostname) ? new Agent(options) : new EnvHttpProxyAgent(options);
}

/**
 * Sends a request once and reads the whole answer. Redirects are not followed.
 *
 * @param limits milliseconds until the whole answer must be there, and the signal that stops everything
 * @throws AttemptFailed
 */
export async function send(
  connections: Dispatcher,
  request: HttpRequest,
  limits: { timeoutMs: number; stop: AbortSignal },
): Promise<Received> {
  const abort = new AbortController();
  /** Why we ended the request ourselves; null if we did not. */
  let endedBy: string | null = null;
  const end = (code: string) => {
    endedBy ??= code;
    abort.abort();
  };
  const onStop = () => end('STOPPED');
  const timer = setTimeout(() => end('TIMED_OUT'), Math.max(1, limits.timeoutMs));
  limits.stop.addEventListener('abort', onStop);
  if (limits.stop.aborted) onStop();
  try {
    const { origin, pathname, search } = new URL(request.url);
    const { method, headers, body } = request;
    const path = pathname + search;
    const signal = abort.signal;
    // The body is read whole: the default, a pause after each 64 KB, would only leave the connection idle.
    const highWaterMark = MAX_BODY_BYTES;
    const answer = await connections.request({ origin, path, method, headers, body, signal, highWaterMark });
    const bytes = await readBytes(answer.body, MAX_BODY_BYTES);
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: await decompress(bytes, answer.headers['content-encoding']),
      receivedAt: new Date(),
    };
  } catch (error) {
    throw error instanceof AttemptFailed ? error : new AttemptFailed(endedBy ?? codeOf(error), { cause: error });
  } finally {
    clearTimeout(timer);
    limits.stop.removeEventListener('abort', onStop);
  }
}

/** Reads a body to its end. @throws AttemptFailed when it has more bytes than `most`; the connection is closed then */
async function readBytes(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early destroys the stream, and with it the connection.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw new AttemptFailed('TOO_LARGE', { received: size });
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
}

async function decompress(bytes: Buffer, encoding: string | string[] | undefined): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') return bytes;
  if (encoding !== 'gzip') throw new AttemptFailed('UNKNOWN_ENCODING');
  const mostByRatio = Math.max(SMALL_BYTES, bytes.length * MAX_RATIO);
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: Math.min(MAX_BODY_BYTES, mostByRatio) });
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ERR_BUFFER_TOO_LARGE') throw new AttemptFailed(code, { cause: error });
    throw new AttemptFailed(mostByRatio < MAX_BODY_BYTES ? 'TOO_DENSE' : 'TOO_LARGE', { received: bytes.length });
  }
}

/** The code of a network error; that of the first if several addresses were tried. */
function codeOf(error: unknown): string {
  const { name, message, code, errors, cause } = error as Error & { code?: unknown; errors?: unknown[] };
  if (name === 'HTTPParserError') return 'NOT_HTTP';
  if (PROXY_ANSWER.test(message ?? '')) return 'PROXY_DENIED';
  if (typeof code === 'string' && code !== '') return code;
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  return typeof cause === 'object' && cause !== null ? codeOf(cause) : 'UNKNOWN';
}

const MAX_LOGO_BYTES = 1_000_000;
const LOGO_TIMEOUT_MS = 3_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * Fetches the organisation's logo (spec, 'Organisation profile': `logo_url`). It may be on any server, so the API key
 * is not sent, redirects are not followed, and the address must be https or on the API's own origin.
 *
 * @returns the picture's bytes; null when it cannot be fetched, is no PNG or JPEG, or is over 1 MB
 */
export async function fetchLogo(logoUrl: string, baseUrl: string): Promise<Buffer | null> {
  try {
    const url = new URL(logoUrl, baseUrl);
    if (url.protocol !== 'https:' && url.origin !== new URL(baseUrl).origin) return null;
    const answer = await fetchOnce(url, { signal: AbortSignal.timeout(LOGO_TIMEOUT_MS) });
    // Of an answer that brings no logo no byte is read.
    const picture = await readBytes(answer.body, answer.statusCode === 200 ? MAX_LOGO_BYTES : 0);
    return [PNG, JPEG].some((magic) => picture.subarray(0, magic.length).equals(magic)) ? picture : null;
  } catch {
    return null;
  }
}
