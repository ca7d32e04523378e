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
  readonly began: number;
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
  #decided = 0;

  /** Notes that something was decided: what was read before is old. */
  decided(): void {
    this.#decided += 1;
  }

  /**
   * @param address the page's path and search
   * @param isWhole whether a model may be shown again for the same books
   * @returns null where nothing is read in time
   */
  async read<Model>(
    address: string,
    seen: Seen,
    { start, isWhole }: { readonly start: () => Promise<Model>; readonly isWhole: (model: Model) => boolean },
  ): Promise<ReadModel<Model> | null> {
    const held = this.#readings.get(address);
    const before = held?.began === this.#decided ? held : undefined;
    const isCurrent = before !== undefined && (before.read === null || before.seen.last === seen.last);
    const reading = isCurrent ? before : this.#begin(address, seen, start, isWhole);
    const model = (await Promise.race([reading.promise, delay(PATIENCE_MS, null, { ref: false })])) as Model | null;
    if (model !== null) return { model, seen: reading.seen };
    if (!before?.read || performance.now() - before.read.at > OLD_MS) return null;
    return { model: before.read.model as Model, seen: before.seen };
  }

  #begin<Model>(address: string, seen: Seen, start: () => Promise<Model>, isWhole: (model: Model) => boolean): Reading {
    const promise = start();
    const reading: Reading = { seen, began: this.#decided, promise, read: null };
    this.#readings.set(address, reading);
    const forget = () => this.#readings.peek(address) === reading && this.#readings.delete(address);
    promise.then((model) => {
      if (isWhole(model)) reading.read = { model, at: performance.now() };
      else forget();
    }, forget);
    return reading;
  }
}
