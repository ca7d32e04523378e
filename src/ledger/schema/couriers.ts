/** The couriers of the books, and what each row of a courier bears. */
import type { ColumnType } from 'kysely';
import type { Units } from '../../money/units.ts';

export interface CourierTable {
  /** What its rows bear in `courier`. It stays when the courier is renamed. */
  key: string;
  /** What people call it, as `--courier` and reports name it: lower case, digits and hyphens. */
  name: string;
  first_evidence_id: number;
}

/** A name that a courier got, and with which evidence: the last is its name. */
export interface CourierNameTable {
  key: string;
  evidence_id: number;
  name: string;
}

/** The row of one courier. Whoever writes through a ledger of a courier leaves the column out: it is filled in. */
export type OfCourier<T> = T & { courier: ColumnType<string, string | undefined, string | undefined> };

/** A money column: read it only through `unitsText()`, which SQL turns into text. */
export type MoneyColumn = ColumnType<never, Units, Units>;

/** The same where there may be none. */
export type MaybeUnits = ColumnType<never, Units | null, Units | null>;

/** Money columns as `MONEY_FIELDS` names them. */
export type MoneyColumns<F extends string> = Record<F, MoneyColumn>;
