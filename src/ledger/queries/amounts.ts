/** Turns money columns into decimals, and searches the ledger for an amount. */
import { sql } from 'kysely';
import { type ExactDecimal, ZERO } from '../../money/decimal.ts';
import { MONEY_FIELDS } from '../../money/fields.ts';
import { amountOfUnits, formatUnits } from '../../money/units.ts';
import { type LedgerReader, rowsOf } from './snapshot.ts';

/** Money by currency and field, as plain decimal text. */
export type AmountsText = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Rows of one currency each, in ledger units as text, as {@link AmountsText}. Fields that are null are left out. */
export function amountsOf(rows: readonly ({ currency: string } & Record<string, unknown>)[]): AmountsText {
  return Object.fromEntries(
    rows.map((row) => {
      const fields = MONEY_FIELDS.filter((field) => typeof row[field] === 'string');
      return [row.currency, Object.fromEntries(fields.map((field) => [field, formatUnits(row[field] as string)]))];
    }),
  );
}

/** A money column of an outer join: null is zero. */
export function amountOrZero(units: string | null): ExactDecimal {
  return units === null ? ZERO : amountOfUnits(units);
}

interface AmountFound {
  readonly kind: 'invoice' | 'order' | 'receipt';
  readonly id: string;
  readonly currency: string;
  readonly field: string;
}

/** Invoices, orders and receipts with an amount, or with its negative; at most `most` of each. */
export function findAmount(db: LedgerReader, units: bigint, most: number) {
  const either = sql`(${units}, ${-units})`;
  return rowsOf<AmountFound>(db)`
    select * from (select 'invoice' as kind, cast(invoice_number as text) as id, currency, 'net_due_to_merchant' as field
      from invoice_amount where net_due_to_merchant in ${either} order by invoice_number limit ${most}) i
    union all
    select * from (select 'order' as kind, order_id as id, currency, 'cod' as field
      from courier_order_amount where cod in ${either} order by order_id limit ${most}) o
    union all
    select * from (select 'receipt' as kind, cast(id as text) as id, currency, 'amount' as field
      from receipt where amount in ${either} and replaced_by is null order by id limit ${most}) r`;
}
