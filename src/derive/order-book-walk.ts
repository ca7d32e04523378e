import { FiledMap } from '../base/sqlite/filed-map.ts';

/** One order on a page of the order book. */
export interface Sighting {
  /** Null if the id cannot be read. */
  readonly id: string | null;
  /** The subject under which the record is noted if it cannot be read: its id where it has one. Null if it can. */
  readonly unreadableAs: string | null;
}

/**
 * Remembers which orders the walks of one run (readings of the order book, page by page) have shown so far. After a
 * complete walk, the others are gone.
 */
export class OrderBookWalk {
  #run: number | null = null;
  /** The walk, from 1, in which each order was last seen. */
  readonly #seen = new FiledMap<number>();
  /** The walk in which each unreadable record was last seen, by its subject. */
  readonly #unreadable = new Map<string, number>();
  /** The number of unreadable records without an id, by walk. */
  readonly #anonymous = new Map<number, number>();

  /** Forgets everything when the run changes: an interrupted run's walk proves nothing. */
  enter(run: number | null): void {
    if (run === this.#run) return;
    this.#run = run;
    this.#seen.clear();
    this.#unreadable.clear();
    this.#anonymous.clear();
  }

  /** Adds the orders of a document. Call it once their rows are written: a document that fails leaves no sighting. */
  add(sightings: readonly Sighting[], walk: number): void {
    for (const { id, unreadableAs } of sightings) {
      if (id === null) this.#anonymous.set(walk, (this.#anonymous.get(walk) ?? 0) + 1);
      else this.#seen.set(id, walk);
      if (unreadableAs !== null) this.#unreadable.set(unreadableAs, walk);
      else if (id !== null) this.#unreadable.delete(id);
    }
  }

  /** The orders seen in any walk. */
  *seen(): Generator<string> {
    for (const [id] of this.#seen.entries()) yield id;
  }

  /** The number of orders whose last sighting was in this walk. */
  countIn(walk: number): number {
    let count = 0;
    for (const [, last] of this.#seen.entries()) if (last === walk) count += 1;
    return count;
  }

  /** The orders seen in any walk and readable when last seen. */
  *readable(): Generator<string> {
    for (const id of this.seen()) if (!this.#unreadable.has(id)) yield id;
  }

  isSeen(id: string, walk: number): boolean {
    return this.#seen.get(id) === walk;
  }

  /** The number of distinct orders seen so far. */
  get size(): number {
    return this.#seen.size;
  }

  unreadableIn(walk: number): Set<string> {
    return new Set([...this.#unreadable].filter(([, last]) => last === walk).map(([subject]) => subject));
  }

  anonymousIn(walk: number): number {
    return this.#anonymous.get(walk) ?? 0;
  }
}
