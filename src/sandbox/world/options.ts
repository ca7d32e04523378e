import type { Months } from '../calendar.ts';
import type { ReturnsConvention } from '../operator/returns.ts';
import type { PlantFilter } from './planted.ts';

/** What a seeded world is made of. */
export interface WorldOptions {
  readonly months: Months;
  /** Orders of each merchant over all months; about 400 a month by default. */
  readonly orders?: number | undefined;
  /** Equal seeds, months, orders and `asOf` give equal worlds, except for the keys. */
  readonly seed: string;
  /** Nothing happens after this moment. */
  readonly asOf: Date;
  /** Adds one of every mismatch to the first merchant, or those that the filter accepts. */
  readonly plant: boolean | PlantFilter;
  /** How the company counts RETURN orders, which then carry money; without it their COD is zero. */
  readonly returns?: ReturnsConvention | undefined;
  /**
   * Writes the first merchant's own books too; with `plant`, they differ from the courier's documents in every way they
   * can.
   */
  readonly books?: boolean;
}
