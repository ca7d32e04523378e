import { type RawBuilder, sql } from 'kysely';
import { unitsText } from '../ledger/index.ts';
import { amountOfUnits, ExactDecimal } from '../money/index.ts';
import type { CheckContext, Finding } from './check.ts';
import { amounts, finding, inPeriods } from './finding.ts';
import { countOccurrences, type InvoiceRow } from './occurrence.ts';

/** An invoice row's amount, in one field and currency, that should not be there. */
export interface RowAmount extends InvoiceRow {
  readonly period: string;
  readonly reference: string;
  readonly state: string;
  readonly currency: string;
  readonly amount: ExactDecimal;
}

/**
 * Finds the rows that state an amount, other than zero, in one field although their order's state should leave none there.
 *
 * @param where a condition on the row, `o`
 * @param message the sentence about one of them
 */
export async function findRowAmounts(
  { db, periods }: CheckContext,
  field: 'cod' | 'delivery_fee',
  where: RawBuilder<unknown>,
  message: (row: RowAmount) => string,
): Promise<Finding[]> {
  const column = sql.ref(`a.${field}`);
  const stated = await sql<Omit<RowAmount, 'amount'> & { units: string }>`
    select i.number, i.period, o.position, o.order_id, o.reference_id as reference, o.delivery_state as state,
      a.currency, ${unitsText(column)} as units
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    where ${inPeriods(periods)} and ${where} and ${column} <> 0
    order by i.number, o.position, a.currency`.execute(db);
  return countOccurrences(stated.rows).map(({ row: { units, ...row }, occurrence }) => {
    const amount = amountOfUnits(units);
    return finding({
      period: row.period,
      invoice_number: row.number,
      order_id: row.order_id,
      reference_id: row.reference,
      currency: row.currency,
      field,
      occurrence,
      ...amounts(new ExactDecimal(0), amount),
      message: message({ ...row, amount }),
    });
  });
}
