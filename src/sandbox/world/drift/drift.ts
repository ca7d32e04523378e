import type { Store } from '../../store/store.ts';
import type { Planted } from '../planted.ts';
import type { Targets } from '../plants/targets.ts';

/** What a change was prepared on: made when the world was planted, right until the change strikes. */
export interface Prepared {
  readonly invoice?: number;
  readonly order?: string;
  readonly month?: string;
}

/** A change between two looks at a service. */
export interface Drift {
  readonly code: string;
  /** Tells changes of one code apart; the plainest has none. */
  readonly variant?: string;
  prepare(targets: Targets): Prepared;
  /** What a check names of it from the start, because it was never right. */
  already?(store: Store, prepared: Prepared): Planted[];
  /** Makes the change; answers what a check will name. @param at when it happens, as `timestamp()` writes it */
  strike(store: Store, prepared: Prepared, at: string): Planted[];
}

/** The part of what was prepared that a change cannot do without. */
export function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a change was prepared without what it changes');
  return value;
}
