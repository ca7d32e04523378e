import { LRUCache } from 'lru-cache';
import { newSecret } from '../door/secret.ts';
import type { Who } from '../who.ts';
import type { Uploaded } from './act.ts';

const MOST_BYTES = 64 << 20;
const FORGET_AFTER_MS = 60 * 60 * 1_000;

interface Held {
  readonly owner: string;
  readonly files: readonly Uploaded[];
}

/** The owner of staged files: a person or a program. */
export function ownerOf(who: Who | null): string {
  return `${who?.kind} ${who?.user}`;
}

/** Files that were shown before they are taken: they stay in memory, so that nobody has to send them again. */
export class Staged {
  readonly #held = new LRUCache<string, Held>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ files }) => files.reduce((sum, { bytes }) => sum + bytes.length, 1),
    ttl: FORGET_AFTER_MS,
  });

  /** @returns the name under which their owner takes them; larger files than fit are sent again */
  keep(files: readonly Uploaded[], owner: string): string {
    const key = newSecret();
    this.#held.set(key, { files, owner });
    return key;
  }

  /** None where they wait no longer, or for somebody else. */
  take(key: string, owner: string): readonly Uploaded[] {
    const held = this.#held.get(key);
    return held?.owner === owner ? held.files : [];
  }
}
