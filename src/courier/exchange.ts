import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { ParsedJson } from '../api/json.ts';
import { ApiError, InterruptedError } from '../base/errors.ts';
import { failureOf } from './failures.ts';
import { maskBody, maskKey, withoutKey } from './mask-key.ts';
import type { ClientOptions, ResolvedOptions } from './options.ts';
import { readAnswer } from './read-answer.ts';
import { withRetries } from './retry.ts';
import { AttemptFailed, buildRequest, type HttpRequest, openConnections, type Received, send } from './transport.ts';

/** Counts since the client was made; `bytes` are those of the bodies received, decompressed. */
export interface Stats {
  requests: number;
  retries: number;
  bytes: number;
}

export interface ExchangeAnswer<D = ParsedJson> extends Received {
  readonly url: string;
  /** The parsed body; undefined for a success without one. */
  readonly document: D | undefined;
}

/** Makes a function that runs tasks, at most `size` at once; the others wait in the order in which they came. */
function slots(size: number) {
  let free = size;
  const waiting: (() => void)[] = [];
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The slot passes straight to the next in line, so that no later caller takes it in between.
      if (next === undefined) free++;
      else next();
    }
  };
}

/** A minute, and a second of slack: what is sent evenly arrives less evenly. */
const PACED_MINUTE_MS = 61_000;

/** Makes a function that takes the next turn and returns the milliseconds to it. Turns are spread over the minute. */
function paced(perMinute: number | null): () => number {
  const everyMs = perMinute === null ? 0 : PACED_MINUTE_MS / perMinute;
  let next = 0;
  return () => {
    const now = performance.now();
    const turn = Math.max(now, next);
    next = turn + everyMs;
    return turn - now;
  };
}

type Hooks = Pick<ClientOptions, 'signal' | 'sleep' | 'onWarning' | 'admit'>;

/** Sends requests to one server with one key, limited in number, repeated and timed. Knows nothing of operations. */
export class Exchange {
  readonly stats: Stats = { requests: 0, retries: 0, bytes: 0 };
  readonly #options: ResolvedOptions;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #connections: Dispatcher;
  readonly #inSlot: ReturnType<typeof slots>;
  readonly #takeTurn: () => number;
  readonly #hooks: Hooks;
  readonly #stop = new AbortController();
  #hasWarned = false;
  readonly #onInterrupt = () => this.#stop.abort();

  constructor(options: ResolvedOptions, hooks: Hooks) {
    this.#options = options;
    this.#hooks = hooks;
    this.#sleep = hooks.sleep ?? ((ms) => delay(ms, undefined, { signal: this.#stop.signal }));
    this.#inSlot = slots(options.concurrency);
    this.#takeTurn = paced(options.requestsPerMinute);
    // Each slot has one listener, for its request or its wait; Node warns of a leak from the eleventh on.
    setMaxListeners(options.concurrency, this.#stop.signal);
    this.#connections = openConnections(options.baseUrl, options.concurrency);
    hooks.signal?.addEventListener('abort', this.#onInterrupt);
    if (hooks.signal?.aborted) this.#onInterrupt();
  }

  /**
   * Sends a request and returns its answer, parsed.
   *
   * @param parse throws SyntaxError for a body that is not JSON
   * @throws AuthError, BudgetError, ApiError, ContractError (with the body if its JSON could not be parsed),
   * InterruptedError
   */
  async exchange<D>(method: HttpRequest['method'], url: string, body: unknown, parse: (body: Buffer) => D) {
    const request = buildRequest(method, url, body, this.#options);
    const policy = {
      ...this.#options,
      sleep: this.#sleep,
      onRetry: () => this.stats.retries++,
      admit: () => this.#waitForTurn(),
    };
    try {
      const attempt = (leftMs: number) => this.#attempt(request, leftMs, parse);
      const isRepeatable = method === 'GET';
      return await this.#inSlot(() => withRetries(policy, isRepeatable, attempt));
    } catch (error) {
      throw this.#stop.signal.aborted ? this.#stopped() : withoutKey(error, this.#options.apiKey);
    }
  }

  /** Waits until one more attempt may be sent. */
  async #waitForTurn(): Promise<void> {
    await this.#hooks.admit?.();
    const waitMs = this.#takeTurn();
    if (waitMs > 0) await this.#sleep(waitMs);
  }

  /** Aborts requests under way and closes the connections. */
  async close(): Promise<void> {
    this.#hooks.signal?.removeEventListener('abort', this.#onInterrupt);
    this.#stop.abort();
    await this.#connections.destroy();
  }

  async #attempt<D>(request: HttpRequest, leftMs: number, parse: (body: Buffer) => D): Promise<ExchangeAnswer<D>> {
    const timeoutMs = Math.min(this.#options.timeoutMs, leftMs);
    this.stats.requests++;
    let sent: Received;
    try {
      sent = await send(this.#connections, request, { timeoutMs, stop: this.#stop.signal });
    } catch (error) {
      throw error instanceof AttemptFailed ? failureOf(error, request) : error;
    }
    this.stats.bytes += sent.body.length;
    const received = { ...sent, body: this.#withoutKey(sent.body, request) };
    return { ...received, url: request.url, document: readAnswer(received, request, parse) };
  }

  /** Masks the key before anything reads or stores the body, in case the server sent it back. */
  #withoutKey(body: Buffer, { method, url }: HttpRequest): Buffer {
    const masked = maskBody(body, this.#options.apiKey);
    if (masked !== body && !this.#hasWarned) {
      this.#hasWarned = true;
      const where = maskKey(`${method} ${url}`, this.#options.apiKey);
      this.#hooks.onWarning?.(
        `${new URL(url).host} sends the API key back in its answers (first in ${where}); stars were put in its place before anything was kept. Ask the delivery company to stop that`,
      );
    }
    return masked;
  }

  #stopped(): Error {
    if (this.#hooks.signal?.aborted) return new InterruptedError('interrupted');
    const hint = 'Make another client, or close it later.';
    return new ApiError(`the client of ${this.#options.baseUrl.host} was closed`, hint);
  }
}
