import { LRUCache } from 'lru-cache';
import { newSecret, type Who } from '../door/sessions.ts';
import type { Uploaded } from './route.ts';

const MOST_BYTES = 64 << 20;
const FORGET_AFTER_MS = 60 * 60 * 1_000;

/** The owner of staged files: a person or a program. */
export function ownerOf(who: Who | null): string {
  return `${who?.kind} ${who?.user}`;
}

/** Files whose preview was shown. They wait in memory for the decision, so that nobody has to send them again. */
export class Staged {
  readonly #byKey = new LRUCache<string, { readonly owner: string; readonly files: readonly Uploaded[] }>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ files }) => files.reduce((sum, { bytes }) => sum + bytes.length, 1),
    ttl: FORGET_AFTER_MS,
  });

  /** @returns the name under which their owner finds them; files that do not fit must be sent again */
  keep(files: readonly Uploaded[], owner: string): string {
    const key = newSecret();
    this.#byKey.set(key, { files, owner });
    return key;
  }

  /** None if they wait no longer, or belong to somebody else. */
  filesOf(key: string, owner: string): readonly Uploaded[] {
    const staged = this.#byKey.get(key);
    return staged?.owner === owner ? staged.files : [];
  }
}
