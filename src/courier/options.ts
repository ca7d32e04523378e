import { ConfigError } from '../base/errors.ts';
import { VERSION } from '../base/version.ts';
import { parseBaseUrl } from './address.ts';

export interface ClientOptions {
  /** The address of the API, ending in `/v1/external/`. */
  baseUrl: string;
  apiKey: string;
  /** Requests under way at a time; default 4. */
  concurrency?: number;
  /** Milliseconds for one attempt, from its start to the last byte; default 30,000. */
  timeoutMs?: number;
  /** Milliseconds for one request with all its attempts and waits; default 120,000. */
  deadlineMs?: number;
  /** Attempts of one request, the first included; default 5. */
  maxAttempts?: number;
  /** Items to ask for on each page; default 100. */
  pageSize?: number;
  /** The most attempts per minute, evenly spaced; without it as many as can be sent. */
  requestsPerMinute?: number | null;
  /** Called before each attempt, which waits for it; what it throws ends the request. */
  admit?: (() => Promise<void>) | undefined;
  userAgent?: string;
  /**
   * Receives a sentence about something that did not fail but matters, such as a server that sends the key back. It
   * never holds the key.
   */
  onWarning?: ((message: string) => void) | undefined;
  /** Stops everything: requests in progress end with InterruptedError. */
  signal?: AbortSignal | undefined;
  /** For tests: how to wait between attempts. */
  sleep?: ((ms: number) => Promise<void>) | undefined;
  /** For tests: the jitter of the waits, from 0 to below 1. */
  random?: () => number;
}

export const DEFAULTS = {
  concurrency: 4,
  timeoutMs: 30_000,
  deadlineMs: 120_000,
  maxAttempts: 5,
  pageSize: 100,
  requestsPerMinute: null as number | null,
  userAgent: `remit/${VERSION}`,
  random: Math.random,
};

export type ResolvedOptions = typeof DEFAULTS & { baseUrl: URL; apiKey: string };

/** Printable ASCII without a space. */
const KEY = /^[\x21-\x7e]+$/;
const WHOLE_NUMBERS = ['concurrency', 'timeoutMs', 'deadlineMs', 'maxAttempts', 'pageSize'] as const;

/** Checks a client's options and fills in the defaults. @throws ConfigError that names the option, never the key */
export function resolveOptions(options: ClientOptions): ResolvedOptions {
  const resolved = { ...DEFAULTS, ...options, baseUrl: parseBaseUrl(options.baseUrl) };
  // An environment variable that is not set gives undefined.
  if (typeof resolved.apiKey !== 'string' || !KEY.test(resolved.apiKey)) {
    throw new ConfigError(
      !resolved.apiKey ? 'there is no API key' : 'the API key holds spaces, line ends or other signs that no key has',
      'Set REMIT_API_KEY, or api_key_file in remit.toml, to a key from the dashboard settings, API keys section.',
    );
  }
  for (const name of WHOLE_NUMBERS) {
    const value = resolved[name];
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new ConfigError(`the client's ${name} is ${value}`, `Give ${name} a whole number above zero.`);
  }
  return resolved;
}
