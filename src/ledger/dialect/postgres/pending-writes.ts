import type { SqlStatement } from './batch.ts';

/** How many writes wait at most: their values are kept in memory. */
const MOST_WAITING = 16;

/** How long they wait for a query to be sent with. After that they are sent alone. */
const SENT_AFTER_MS = 5;

/** Sends writes, and a query after them. @returns the query's rows */
type Send = (writes: readonly SqlStatement[], query: SqlStatement | null) => Promise<unknown[]>;

/**
 * The writes of a transaction that were not sent yet. Nobody needs their answers, and the round trip is the dearest
 * part of most: so they are sent with the next query, or alone if none comes soon.
 */
export class PendingWrites {
  readonly #send: Send;
  readonly #waiting: SqlStatement[] = [];
  #isScheduled = false;
  /** Never rejects: a failure is kept in `#failure`. */
  #sending: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Adds a write. If many wait, it first waits for the earlier ones. @throws the failure of one of those */
  async add(statement: SqlStatement): Promise<void> {
    this.#waiting.push(statement);
    if (this.#waiting.length >= MOST_WAITING) {
      await this.#untilSent();
      this.#sendWaiting();
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      this.#sendWaiting();
    }, SENT_AFTER_MS);
  }

  /** Sends a query after all writes. @returns its rows @throws the failure of one of the writes, or of the query */
  async ask(query: SqlStatement): Promise<unknown[]> {
    await this.#untilSent();
    return this.#send(this.#waiting.splice(0), query);
  }

  /** Sends all writes and waits until they are done. @throws the failure of one of them */
  async done(): Promise<void> {
    await this.#untilSent();
    if (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0), null);
  }

  /** Drops the writes that were not sent, because their transaction is rolled back. */
  async forget(): Promise<void> {
    this.#waiting.length = 0;
    await this.#sending;
    this.#failure = null;
  }

  async #untilSent(): Promise<void> {
    await this.#sending;
    const failure = this.#failure;
    this.#failure = null;
    if (failure) throw failure.error;
  }

  #sendWaiting(): void {
    if (this.#sending || this.#failure || this.#waiting.length === 0) return;
    this.#sending = this.#send(this.#waiting.splice(0), null)
      .then(
        () => {},
        (error) => {
          this.#failure = { error };
          this.#waiting.length = 0;
        },
      )
      .then(() => {
        this.#sending = null;
      });
  }
}
