import type { MonthSpan } from '../calendar.ts';
import type { ReturnsRule } from '../operator/returns.ts';

/** A planted mismatch, with what the check that finds it reports. */
export interface Planted {
  code: string;
  invoice_number: number | null;
  order_id: string | null;
  currency: string | null;
  /** The wrong field, if one plant causes several findings that differ in nothing else. */
  field?: string;
  /** The month, `YYYY-MM`, of the wrong list, if no invoice or order is wrong. */
  period?: string;
  /** The shop's reference of an order that the courier does not have. */
  reference_id?: string;
  /** The amount of the wrong receipt. */
  amount?: string;
  /**
   * How much more the courier's figure gives the merchant than is right, a decimal in `currency`: negative if the
   * merchant gets too little. Absent if no figure changes.
   */
  effect?: string;
}

export type PlantFilter = (plant: { readonly code: string; readonly variant?: string | undefined }) => boolean;

/** A planted mismatch, with null for each field that is not given. */
export function planted(code: string, facts: Partial<Omit<Planted, 'code'>>): Planted {
  return { code, invoice_number: null, order_id: null, currency: null, ...facts };
}

/** The world that `seedWorld` makes, with its plants. */
export interface WorldOptions {
  readonly months: MonthSpan;
  /** Orders of each merchant over all months; about 400 a month by default. */
  readonly orders?: number | undefined;
  /** Equal seeds, months, orders and `asOf` give equal worlds, except for the keys. */
  readonly seed: string;
  /** Nothing happens after this moment. */
  readonly asOf: Date;
  /** Adds one of every mismatch to the first merchant, or those that the filter accepts. */
  readonly plant: boolean | PlantFilter;
  /** How RETURN orders count. If absent, their COD is zero. */
  readonly returns?: ReturnsRule | undefined;
  /** Writes the first merchant's books too; with `plant`, they differ from the courier's documents in every way. */
  readonly books?: boolean;
}
