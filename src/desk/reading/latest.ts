import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Seen } from '../../app/desk/seen.ts';

/** How long a person waits for a page of large books before one that asks again takes its place. */
const PATIENCE_MS = 60;
/** A page that was read so long ago is not shown again while it is read anew. */
const OLD_MS = 15_000;
/** So many pages are kept. */
const MOST = 24;

interface Reading {
  readonly seen: Seen;
  /** How many decisions this desk had made when the reading began. */
  readonly decisionsBefore: number;
  readonly promise: Promise<unknown>;
  /** Null until it is read. */
  read: { readonly model: unknown; readonly at: number } | null;
}

/** A page's model, and how far the books were seen when it was read. */
interface ReadModel<Model> {
  readonly model: Model;
  readonly seen: Seen;
}

/**
 * The last reading of each page of large books. While a sync goes on, the books change faster than a page is read: the page then shows what
 * it read some seconds ago, and reads on. What was read before a decision at this desk is not shown after it.
 */
export class LatestReadings {
  readonly #readings = new LRUCache<string, Reading>({ max: MOST });
  #decisions = 0;

  /** Notes that something was decided: what was read before is old. */
  decided(): void {
    this.#decisions += 1;
  }

  /**
   * @param address the page's path and search
   * @param isFinished whether a model may be shown again for the same books
   * @returns null where nothing is read in time
   */
  async read<Model>(
    address: string,
    seen: Seen,
    { start, isFinished }: { readonly start: () => Promise<Model>; readonly isFinished: (model: Model) => boolean },
  ): Promise<ReadModel<Model> | null> {
    const kept = this.#readings.get(address);
    const last = kept?.decisionsBefore === this.#decisions ? kept : undefined;
    // One that still goes on is waited for, whatever was added to the books meanwhile.
    const isCurrent = last !== undefined && (last.read === null || last.seen.last === seen.last);
    const reading = isCurrent ? last : this.#begin(address, seen, start, isFinished);
    const model = (await Promise.race([reading.promise, delay(PATIENCE_MS, null, { ref: false })])) as Model | null;
    if (model !== null) return { model, seen: reading.seen };
    if (!last?.read || performance.now() - last.read.at > OLD_MS) return null;
    return { model: last.read.model as Model, seen: last.seen };
  }

  #begin<Model>(
    address: string,
    seen: Seen,
    start: () => Promise<Model>,
    isFinished: (model: Model) => boolean,
  ): Reading {
    const promise = start();
    const reading: Reading = { seen, decisionsBefore: this.#decisions, promise, read: null };
    this.#readings.set(address, reading);
    const forget = () => this.#readings.peek(address) === reading && this.#readings.delete(address);
    promise.then((model) => {
      if (isFinished(model)) reading.read = { model, at: performance.now() };
      else forget();
    }, forget);
    return reading;
  }
}
