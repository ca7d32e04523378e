/** The couriers of the books, and the types of columns that several tables share. */
import type { ColumnType } from 'kysely';
import type { Units } from '../../money/units.ts';

export interface CourierTable {
  /** The value of `courier` in its rows. It stays when the courier is renamed. */
  key: string;
  /** What people call it, as `--courier` and reports name it: lower case, digits and hyphens. */
  name: string;
  first_evidence_id: number;
}

/** Each name that a courier was given, and the evidence that gave it; the last one is its name. */
export interface CourierNameTable {
  key: string;
  evidence_id: number;
  name: string;
}

/** A row of one courier. Through a handle of that courier you insert it without `courier`: the handle fills it in. */
export type OfCourier<T> = T & { courier: ColumnType<string, string | undefined, string | undefined> };

/** A money column: read it only through `unitsText()`, which SQL turns into text. */
export type MoneyColumn = ColumnType<never, Units, Units>;

/** A money column that may be null. */
export type MaybeUnits = ColumnType<never, Units | null, Units | null>;

/** A money column for each field of a list such as `MONEY_FIELDS`. */
export type MoneyColumns<F extends string> = Record<F, MoneyColumn>;
