import { LRUCache } from 'lru-cache';
import { newSecret } from '../door/secret.ts';
import type { Uploaded } from './act.ts';

const MOST_BYTES = 64 << 20;
const FORGET_AFTER_MS = 60 * 60 * 1_000;

/** Files that were shown before they are taken: they stay in memory, so that nobody has to send them again. */
export class Staged {
  readonly #held = new LRUCache<string, readonly Uploaded[]>({
    maxSize: MOST_BYTES,
    sizeCalculation: (files) => files.reduce((sum, { bytes }) => sum + bytes.length, 1),
    ttl: FORGET_AFTER_MS,
  });

  /** @returns the name under which they are taken; larger files than fit are sent again */
  keep(files: readonly Uploaded[]): string {
    const key = newSecret();
    this.#held.set(key, files);
    return key;
  }

  take(key: string): readonly Uploaded[] {
    return this.#held.get(key) ?? [];
  }
}
