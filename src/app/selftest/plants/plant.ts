import type { CourierBooks } from '../books.ts';
import type { OwnFiles } from '../own-files.ts';

/** Money that a mismatch takes in a month, in one currency. */
export interface PlantedEffect {
  readonly period: string;
  readonly currency: string;
  /** As the bridge prints it: negative where the merchant is short. */
  readonly effect: string;
}

/** A mismatch of one kind, put into books that are clean otherwise. */
export interface Plant {
  /** The check that finds it, and no other. */
  readonly code: string;
  /** The months that are closed before anything goes wrong, the first of the books first; none where absent. */
  readonly closes?: readonly string[];
  /** What the courier does between two syncs, night by night. */
  readonly nights: readonly ((books: CourierBooks) => void)[];
  /** What is wrong in the merchant's own files, which are imported then; absent where the plant is the courier's alone. */
  readonly own?: (files: OwnFiles) => void;
  /** Other checks that it cannot be hidden from. */
  readonly beside?: readonly string[];
  /** How many mismatches that are: one a currency or field where the catalogue says so. */
  readonly findings: number;
  /** Its lines in the bridge; none where no money is at stake. */
  readonly effects: readonly PlantedEffect[];
}

/** The number of the invoice that a plant adds to November. */
export const NEW = 1004;
/** When it is issued. */
export const ISSUED = '2026-11-30';

/** Effects in November, the month of what is planted. */
export function november(effects: Readonly<Record<string, string>>): PlantedEffect[] {
  return Object.entries(effects).map(([currency, effect]) => ({ period: '2026-11', currency, effect }));
}
