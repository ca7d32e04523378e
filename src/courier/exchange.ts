import { setTimeout as delay } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { ApiError, ConfigError, InterruptedError, RemitError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { parseBaseUrl } from './address.ts';
import { readAnswer } from './answers.ts';
import { failureOf } from './failures.ts';
import { withRetries } from './retry.ts';
import { Slots } from './slots.ts';
import { AttemptFailed, type HttpRequest, openConnections, type Received, send } from './transport.ts';

export interface ExchangeOptions {
  /** The address of the API, ending in `/v1/external/`. */
  baseUrl: string;
  apiKey: string;
  /** How many requests may be under way at once, over the whole client; default 4. */
  concurrency?: number;
  /** Milliseconds for one attempt, from its start to the last byte; default 30,000. */
  timeoutMs?: number;
  /** Milliseconds for one request with all its attempts and waits; default 120,000. */
  deadlineMs?: number;
  /** Default 5. */
  maxAttempts?: number;
  userAgent?: string;
  /** Stops everything: what is under way ends with InterruptedError. */
  signal?: AbortSignal;
  /** For tests: how to wait between attempts. */
  sleep?: (ms: number) => Promise<void>;
  /** For tests: the jitter of the waits, from 0 to below 1. */
  random?: () => number;
}

/** Counts since the client was made; `bytes` are those of the bodies received, decompressed. */
export interface Stats {
  requests: number;
  retries: number;
  bytes: number;
}

export interface Exchanged extends Received {
  /** The parsed body; undefined where a success had none. */
  readonly document: unknown;
}

/** Requests and answers with one server and one key: bounded, retried, timed. Knows nothing of operations. */
export class Exchange {
  readonly baseUrl: URL;
  readonly stats: Stats = { requests: 0, retries: 0, bytes: 0 };
  readonly #apiKey: string;
  readonly #options: Required<Omit<ExchangeOptions, 'baseUrl' | 'apiKey' | 'signal' | 'sleep'>>;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #connections: Dispatcher;
  readonly #slots: Slots;
  readonly #stop = new AbortController();
  readonly #interrupt: AbortSignal | undefined;
  readonly #onInterrupt = () => this.#stop.abort();

  constructor(options: ExchangeOptions) {
    this.baseUrl = parseBaseUrl(options.baseUrl);
    this.#apiKey = checkedKey(options.apiKey);
    this.#options = {
      concurrency: options.concurrency ?? 4,
      timeoutMs: options.timeoutMs ?? 30_000,
      deadlineMs: options.deadlineMs ?? 120_000,
      maxAttempts: options.maxAttempts ?? 5,
      userAgent: options.userAgent ?? `remit/${VERSION}`,
      random: options.random ?? Math.random,
    };
    this.#sleep = options.sleep ?? ((ms) => delay(ms, undefined, { signal: this.#stop.signal }));
    this.#slots = new Slots(this.#options.concurrency);
    this.#connections = openConnections(this.baseUrl, this.#options.concurrency);
    this.#interrupt = options.signal;
    this.#interrupt?.addEventListener('abort', this.#onInterrupt);
    if (this.#interrupt?.aborted) this.#onInterrupt();
  }

  /**
   * Sends a request and returns its answer, parsed.
   *
   * @throws AuthError, ApiError, ContractError (with the body where JSON could not be parsed), InterruptedError
   */
  async exchange(method: HttpRequest['method'], url: string, body: unknown): Promise<Exchanged> {
    const request = this.#requestOf(method, url, body);
    const policy = { ...this.#options, sleep: this.#sleep, onRetry: () => this.stats.retries++ };
    try {
      const task = () => withRetries(policy, method === 'GET', (leftMs) => this.#attempt(request, leftMs));
      return await this.#slots.run(task);
    } catch (error) {
      throw this.#stop.signal.aborted ? this.#stopped() : this.withoutKey(error);
    }
  }

  /** Takes the key out of an error's words: a server may have sent it back in a message or a value. */
  withoutKey<E>(error: E): E {
    if (error instanceof RemitError) error.message = error.message.replaceAll(this.#apiKey, '********');
    return error;
  }

  /** Ends what is under way and closes the connections. */
  async close(): Promise<void> {
    this.#interrupt?.removeEventListener('abort', this.#onInterrupt);
    this.#stop.abort();
    await this.#connections.destroy();
  }

  #requestOf(method: HttpRequest['method'], url: string, body: unknown): HttpRequest {
    const headers: Record<string, string> = {
      'X-Api-Key': this.#apiKey,
      Accept: 'application/json',
      'Accept-Encoding': 'gzip',
      'User-Agent': this.#options.userAgent,
    };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    return { method, url, headers, body: body === undefined ? null : JSON.stringify(body) };
  }

  async #attempt(request: HttpRequest, leftMs: number): Promise<Exchanged> {
    const timeoutMs = Math.min(this.#options.timeoutMs, leftMs);
    this.stats.requests++;
    let received: Received;
    try {
      received = await send(this.#connections, request, { timeoutMs, stop: this.#stop.signal });
    } catch (error) {
      throw error instanceof AttemptFailed ? failureOf(error, request, timeoutMs) : error;
    }
    this.stats.bytes += received.body.length;
    return { ...received, document: readAnswer(received, request) };
  }

  #stopped(): Error {
    if (this.#interrupt?.aborted) return new InterruptedError('Interrupted');
    return new ApiError(`The client of ${this.baseUrl.host} was closed`, 'Make another client, or close it later.');
  }
}

/** @throws ConfigError when the key cannot stand in a header; the key itself is not told */
function checkedKey(apiKey: string): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new ConfigError(
    apiKey === '' ? 'There is no API key' : 'The API key holds spaces, line ends or other characters that no key has',
    'Set REMIT_API_KEY, or api_key_file in remit.toml, to a key from the dashboard settings, API keys section.',
  );
}
