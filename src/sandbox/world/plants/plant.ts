import type { Planted } from '../planted.ts';
import type { Targets } from './targets.ts';

/** One mismatch that can be planted. */
export interface Plant {
  readonly code: string;
  /** Tells plants of one code apart; the plainest has none. */
  readonly variant?: string;
  /** Plants it; answers what a check will name, where that is not null. */
  plant(targets: Targets): Partial<Omit<Planted, 'code'>>;
}
