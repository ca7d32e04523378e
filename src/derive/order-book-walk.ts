/** Which orders a walk over the order book has shown so far: what a concluded walk does not show is gone. */
export class OrderBookWalk {
  #run: number | null = null;
  /** The walk, from 1, in which each order was last seen. */
  readonly #seen = new Map<string, number>();
  /** Those that cannot be read, by what they are noted under. */
  readonly #unreadable = new Map<string, number>();
  #anonymous = new Map<number, number>();

  /** Begins anew where another run begins: what an interrupted one saw says nothing. */
  enter(run: number | null): void {
    if (run === this.#run) return;
    this.#run = run;
    this.#seen.clear();
    this.#unreadable.clear();
    this.#anonymous = new Map();
  }

  see(id: string, walk: number): void {
    this.#seen.set(id, walk);
    this.#unreadable.delete(id);
  }

  /** @param id null where not even that can be read */
  seeUnreadable(subject: string, id: string | null, walk: number): void {
    if (id !== null) this.see(id, walk);
    else this.#anonymous.set(walk, (this.#anonymous.get(walk) ?? 0) + 1);
    this.#unreadable.set(subject, walk);
  }

  /** What was seen in a walk; in `null`, in any. */
  seenIn(walk: number | null): string[] {
    return [...this.#seen].filter(([, last]) => walk === null || last === walk).map(([id]) => id);
  }

  /** What was seen in any walk, and could be read when it was last seen. */
  readable(): string[] {
    return this.seenIn(null).filter((id) => !this.#unreadable.has(id));
  }

  isSeen(id: string, walk: number): boolean {
    return this.#seen.get(id) === walk;
  }

  /** How many distinct orders were seen so far. */
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
