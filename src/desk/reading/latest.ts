import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Seen } from '../../app/desk/books-state.ts';

/** How long a request waits for a page of large books before it is answered by a page that asks again. */
const PATIENCE_MS = 60;
/** A page that was read longer ago is not shown while it is read anew. */
const OLD_MS = 15_000;
const MOST_PAGES = 24;

interface Reading {
  readonly seen: Seen;
  /** How many decisions this desk had made when the reading began. */
  readonly decisionsBefore: number;
  readonly promise: Promise<unknown>;
  /** Null until the promise resolves. */
  result: { readonly model: unknown; readonly at: number } | null;
}

/**
 * The latest reading of each page of large books. During a sync the books change faster than a page is read: the page
 * then shows what was read some seconds ago, while it is read anew. A decision at this desk makes all readings too old.
 */
export class LatestReadings {
  readonly #readings = new LRUCache<string, Reading>({ max: MOST_PAGES });
  #decisions = 0;

  /** Notes that something was decided: no page shows again what was read before. */
  decided(): void {
    this.#decisions += 1;
  }

  /**
   * Reads a page, or gives what was read of it lately.
   *
   * @param address the page's path and search
   * @param isFinished whether a model may be shown again for the same books
   * @returns the model, and how far the books were seen when it was read; null if nothing was read in time
   */
  async read<Model>(
    address: string,
    seen: Seen,
    { start, isFinished }: { readonly start: () => Promise<Model>; readonly isFinished: (model: Model) => boolean },
  ): Promise<{ readonly model: Model; readonly seen: Seen } | null> {
    const kept = this.#readings.get(address);
    const latest = kept?.decisionsBefore === this.#decisions ? kept : undefined;
    // A reading that still goes on is waited for, whatever was added to the books meanwhile.
    const isCurrent = latest !== undefined && (latest.result === null || latest.seen.last === seen.last);
    const reading = isCurrent ? latest : this.#begin(address, seen, start, isFinished);
    const model = (await Promise.race([reading.promise, delay(PATIENCE_MS, null, { ref: false })])) as Model | null;
    if (model !== null) return { model, seen: reading.seen };
    if (!latest?.result || performance.now() - latest.result.at > OLD_MS) return null;
    return { model: latest.result.model as Model, seen: latest.seen };
  }

  #begin<Model>(
    address: string,
    seen: Seen,
    start: () => Promise<Model>,
    isFinished: (model: Model) => boolean,
  ): Reading {
    const promise = start();
    const reading: Reading = { seen, decisionsBefore: this.#decisions, promise, result: null };
    this.#readings.set(address, reading);
    const forget = () => this.#readings.peek(address) === reading && this.#readings.delete(address);
    promise.then((model) => {
      if (isFinished(model)) reading.result = { model, at: performance.now() };
      else forget();
    }, forget);
    return reading;
  }
}
