import type { Store } from '../../store/store.ts';
import type { Planted } from '../planted.ts';
import type { Targets } from '../plants/targets.ts';

/** What a drift will change: made when the world is planted, and right until then. */
export interface Prepared {
  readonly invoice?: number;
  readonly order?: string;
  readonly month?: string;
}

/** A change of the service between two syncs. */
export interface Drift {
  readonly code: string;
  /** Tells drifts of one code apart; the plainest has none. */
  readonly variant?: string;
  prepare(targets: Targets): Prepared;
  /** What a check finds before the change, because it was wrong from the start. */
  already?(store: Store, prepared: Prepared): Planted[];
  /** Makes the change. @param at when it happens, as `timestamp()` writes it @returns what a check will find */
  strike(store: Store, prepared: Prepared, at: string): Planted[];
}

/** The part of {@link Prepared} that a drift needs. */
export function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a change was prepared without what it changes');
  return value;
}
