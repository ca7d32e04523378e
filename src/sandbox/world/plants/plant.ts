import type { Planted } from '../plant.ts';
import type { Targets } from './targets.ts';

/** One kind of mismatch that can be planted. */
export interface Plant {
  readonly code: string;
  /** Plants it; answers what a check will name, where that is not null. */
  plant(targets: Targets): Partial<Omit<Planted, 'code'>>;
}
