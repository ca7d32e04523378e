import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A whole answer. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Decompressed. */
  readonly body: Buffer;
  readonly receivedAt: Date;
}

/** The largest answer that is read: far above any real page, far below the memory of a small machine. */
export const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** Why an attempt brought no whole answer. `code` is Node's or undici's own word for it. */
export class AttemptFailed extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Codes of {@link AttemptFailed} that are this file's own. */
export const NOT_HTTP = 'NOT_HTTP';
export const TIMED_OUT = 'TIMED_OUT';
export const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
export const UNKNOWN_ENCODING = 'UNKNOWN_ENCODING';

/** Hosts that are this machine itself. */
export const LOOPBACK = /^(localhost|127\.[0-9.]+|\[::1\])$/;

/**
 * Keep-alive connections to the base URL's origin, at most `connections` of them. HTTP(S)_PROXY and NO_PROXY are
 * honoured; this machine itself is always reached directly.
 */
export function openConnections(baseUrl: URL, connections: number): Dispatcher {
  const options = { connections, maxResponseSize: MAX_BODY_BYTES, headersTimeout: 0, bodyTimeout: 0 };
  return LOOPBACK.test(baseUrl.hostname) ? new Agent(options) : new EnvHttpProxyAgent(options);
}

/**
 * One attempt: sends the request and reads the whole answer. Redirects are not followed.
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
  let cause: string | null = null;
  const end = (code: string) => {
    cause ??= code;
    abort.abort();
  };
  const onStop = () => end('STOPPED');
  const timer = setTimeout(() => end(TIMED_OUT), Math.max(1, limits.timeoutMs));
  limits.stop.addEventListener('abort', onStop);
  if (limits.stop.aborted) onStop();
  try {
    const { origin, pathname, search } = new URL(request.url);
    const { method, headers, body } = request;
    const path = pathname + search;
    const answer = await connections.request({ origin, path, method, headers, body, signal: abort.signal });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: await decompress(bytes, answer.headers['content-encoding']),
      receivedAt: new Date(),
    };
  } catch (error) {
    throw error instanceof AttemptFailed ? error : new AttemptFailed(cause ?? codeOf(error));
  } finally {
    clearTimeout(timer);
    limits.stop.removeEventListener('abort', onStop);
  }
}

async function decompress(bytes: Buffer, encoding: string | string[] | undefined): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') return bytes;
  if (encoding !== 'gzip') throw new AttemptFailed(UNKNOWN_ENCODING);
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    throw new AttemptFailed(codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : codeOf(error));
  }
}

/** The code of a network error; where several addresses were tried, the first one's. */
function codeOf(error: unknown): string {
  const { name, code, errors, cause } = error as { name?: string; code?: unknown; errors?: unknown[]; cause?: unknown };
  if (name === 'HTTPParserError') return NOT_HTTP;
  if (typeof code === 'string' && code !== '') return code;
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  return typeof cause === 'object' && cause !== null ? codeOf(cause) : 'UNKNOWN';
}
