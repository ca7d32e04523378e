import type { RemitError } from '../base/errors.ts';

/** A failure after which another attempt may succeed. */
export class Transient extends Error {
  /** Makes the error to throw after the last attempt, given how many were made. */
  readonly giveUp: (attempts: number) => RemitError;
  /** How long the server asked to wait, in milliseconds; null if it did not. */
  readonly afterMs: number | null;
  /** Whether the request certainly changed nothing on the server: it did not arrive, or was rejected unread. */
  readonly isUntouched: boolean;

  constructor(giveUp: Transient['giveUp'], options: Partial<Pick<Transient, 'afterMs' | 'isUntouched'>> = {}) {
    super('transient');
    this.giveUp = giveUp;
    this.afterMs = options.afterMs ?? null;
    this.isUntouched = options.isUntouched ?? false;
  }
}

export interface RetryPolicy {
  readonly maxAttempts: number;
  /** Milliseconds for all attempts and the waits between them. */
  readonly deadlineMs: number;
  /** Waits; rejects when the client is stopped. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Called after a wait, before the next attempt. */
  readonly onRetry: () => void;
  /** Waits until an attempt may be sent; this does not count against the deadline. @throws when none may be sent */
  readonly admit: () => Promise<void>;
  /** A number from 0 to below 1. */
  readonly random: () => number;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/**
 * Runs `attempt` until it succeeds, fails with another error than {@link Transient}, or attempts or time run out. Waits
 * grow exponentially with full jitter, and are at least as long as the server asks; a wait beyond the deadline ends the
 * attempts at once.
 *
 * @param isRepeatable whether the request may be sent again after it may have reached the server
 * @param attempt receives the milliseconds that are left
 */
export async function withRetries<T>(
  policy: RetryPolicy,
  isRepeatable: boolean,
  attempt: (leftMs: number) => Promise<T>,
): Promise<T> {
  let end = performance.now() + policy.deadlineMs;
  for (let attempts = 1; ; attempts++) {
    const admitStart = performance.now();
    await policy.admit();
    end += performance.now() - admitStart;
    try {
      return await attempt(end - performance.now());
    } catch (error) {
      if (!(error instanceof Transient)) throw error;
      if (attempts >= policy.maxAttempts || !(isRepeatable || error.isUntouched)) throw error.giveUp(attempts);
      const wait = Math.max(error.afterMs ?? 0, backoff(attempts, policy.random));
      if (performance.now() + wait >= end) throw error.giveUp(attempts);
      await policy.sleep(wait);
      policy.onRetry();
    }
  }
}

function backoff(attempts: number, random: () => number): number {
  return random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
}

/**
 * Parses a Retry-After header: seconds, or an HTTP date, which is compared with the server's clock if it sent one.
 *
 * @returns milliseconds to wait; null when there is no such header or it cannot be read
 */
export function retryAfterMs(header: string | undefined, serverDate: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\s*[0-9]{1,9}\s*$/.test(header)) return Number(header) * 1000;
  // An HTTP date begins with a day of the week; Date.parse accepts much that does not.
  const until = /^\s*[a-z]{3,9},? /i.test(header) ? Date.parse(header) : Number.NaN;
  if (Number.isNaN(until)) return null;
  const now = Date.parse(serverDate ?? '');
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}
