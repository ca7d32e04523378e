import type { Store } from '../../store/store.ts';
import type { Planted } from '../planted.ts';
import type { Targets } from '../plants/targets.ts';

/** The document that a drift will change: made when the world is planted, and right until it drifts. */
export interface DriftTarget {
  readonly invoice?: number;
  readonly order?: string;
  readonly month?: string;
}

/** A change that the courier makes to earlier documents between two syncs, by the code of the check that finds it. */
export interface Drift {
  readonly code: string;
  /** Tells apart the drifts of one code; the simplest has none. */
  readonly variant?: string;
  prepare(targets: Targets): DriftTarget;
  /** The mismatches that a check finds even before the change. */
  foundBefore?(store: Store, prepared: DriftTarget): Planted[];
  /** Makes the change at a moment, as `timestamp()` writes it. @returns what a check will find */
  strike(store: Store, prepared: DriftTarget, at: string): Planted[];
}

/** A field of {@link DriftTarget}, which must be there. */
export function requireTarget<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a change was prepared without what it changes');
  return value;
}
