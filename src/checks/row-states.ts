import { type RawBuilder, sql } from 'kysely';
import type { CheckContext } from './check.ts';
import { inPeriods } from './finding.ts';

/** An invoice's row, by its states. */
export interface StateRow {
  readonly number: number;
  readonly period: string;
  readonly status: string;
  readonly vanished_at: string | null;
  readonly position: number;
  readonly order_id: string;
  readonly reference: string;
  readonly delivery_state: string;
  readonly payment_state: string;
}

/** The rows of these months' invoices that a condition over invoice `i` and row `o` picks out. */
export async function rowsWhere({ db, periods }: CheckContext, condition: RawBuilder<unknown>): Promise<StateRow[]> {
  const { rows } = await sql<StateRow>`
    select i.number, i.period, i.status, i.vanished_at, o.position, o.order_id, o.reference_id as reference,
      o.delivery_state, o.payment_state
    from invoice i join invoice_order o on o.invoice_number = i.number
    where ${inPeriods(periods)} and ${condition}
    order by i.number, o.position`.execute(db);
  return rows;
}
