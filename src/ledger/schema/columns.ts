import type { ColumnType } from 'kysely';
import type { Units } from '../../money/units.ts';

/** A money column: read it only through `unitsText()`, which SQL turns into text. */
export type MoneyColumn = ColumnType<never, Units, Units>;

/** The same where there may be none. */
export type MaybeUnits = ColumnType<never, Units | null, Units | null>;

/** Money columns as `MONEY_FIELDS` names them. */
export type MoneyColumns<F extends string> = Record<F, MoneyColumn>;
