import type { Statement } from './batch.ts';

/** So many statements wait at most: what they write is held in memory. */
const MOST_WAITING = 16;

/** So long something else is waited for before they are sent by themselves: a question that comes sooner takes them along. */
const MEANWHILE_MS = 5;

/** Sends statements that only write, and one behind them that is asked something. @returns its rows */
type Send = (told: readonly Statement[], asked: Statement | null) => Promise<unknown[]>;

/**
 * The statements of a transaction whose answers nobody needs. A round trip is the dearest part of most of them: they go with the next
 * question, or by themselves while something else is waited for.
 */
export class Told {
  readonly #send: Send;
  readonly #waiting: Statement[] = [];
  #isScheduled = false;
  /** Never fails. */
  #sending: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(send: Send) {
    this.#send = send;
  }

  /** @throws the failure of an earlier one, where so many wait that this one has to */
  async add(statement: Statement): Promise<void> {
    this.#waiting.push(statement);
    if (this.#waiting.length >= MOST_WAITING) {
      await this.#arrived();
      this.#sendMeanwhile();
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      this.#sendMeanwhile();
    }, MEANWHILE_MS);
  }

  /** Asks something once all are done. @throws the failure of one of them, or its own */
  async ask(asked: Statement): Promise<unknown[]> {
    await this.#arrived();
    return this.#send(this.#waiting.splice(0), asked);
  }

  /** Waits until all are done. @throws the failure of one of them */
  async done(): Promise<void> {
    await this.#arrived();
    if (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0), null);
  }

  /** Drops those that were not sent, because their transaction is rolled back. */
  async forget(): Promise<void> {
    this.#waiting.length = 0;
    await this.#sending;
    this.#failure = null;
  }

  async #arrived(): Promise<void> {
    await this.#sending;
    const failure = this.#failure;
    this.#failure = null;
    if (failure) throw failure.error;
  }

  #sendMeanwhile(): void {
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
