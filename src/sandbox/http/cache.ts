import type { Store } from '../store/store.ts';

/** What an entry takes beside its body and key. */
const ENTRY_OVERHEAD = 200;

/**
 * Answers to reads, serialised, for as long as nobody writes: neither this handle nor another. Bounded in bytes; the entry
 * that was used longest ago goes first.
 *
 * Whether another handle has written is asked once a request, when its key is looked up ({@link merchant}), because asking
 * costs more than all else that a kept answer needs.
 */
export class ReadCache {
  readonly #store: Store;
  readonly #limit: number;
  readonly #entries = new Map<string, Buffer>();
  readonly #merchants = new Map<string, number>();
  #bytes = 0;
  #writes = -1;
  #othersVersion = -1;

  constructor(store: Store, limitBytes = 64 * 1024 * 1024) {
    this.#store = store;
    this.#limit = limitBytes;
  }

  /** The answer kept under a key, or the one that `make` makes. */
  answer(key: string, make: () => Buffer): Buffer {
    if (this.#store.writes !== this.#writes) this.#forget();
    const kept = this.#entries.get(key);
    if (kept) {
      this.#entries.delete(key);
      this.#entries.set(key, kept);
      return kept;
    }
    const made = make();
    this.#keep(key, made);
    return made;
  }

  /** The merchant of a key's hash, kept like the answers; only keys that exist are kept, so their number is bounded. */
  merchant(keyHash: string, find: () => number | undefined): number | undefined {
    if (this.#store.writes !== this.#writes || this.#store.othersVersion() !== this.#othersVersion) this.#forget();
    const kept = this.#merchants.get(keyHash);
    if (kept !== undefined) return kept;
    const found = find();
    if (found !== undefined) this.#merchants.set(keyHash, found);
    return found;
  }

  #forget(): void {
    this.#writes = this.#store.writes;
    this.#othersVersion = this.#store.othersVersion();
    this.#entries.clear();
    this.#merchants.clear();
    this.#bytes = 0;
  }

  #keep(key: string, body: Buffer): void {
    const size = sizeOf(key, body);
    if (size > this.#limit / 4) return;
    this.#entries.set(key, body);
    this.#bytes += size;
    for (const [oldest, old] of this.#entries) {
      if (this.#bytes <= this.#limit) break;
      this.#entries.delete(oldest);
      this.#bytes -= sizeOf(oldest, old);
    }
  }
}

function sizeOf(key: string, body: Buffer): number {
  return body.length + key.length * 2 + ENTRY_OVERHEAD;
}
