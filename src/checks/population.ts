import { sql } from 'kysely';
import { isOneOf } from '../ledger/sql.ts';
import type { CheckContext } from './check.ts';

/** How much there is to look at. */
export interface Population {
  /** Invoices of these months whose detail was read, live or vanished. */
  readonly invoices: number;
  /** Their rows. */
  readonly rows: number;
  /** Orders of the order book, of all months. */
  readonly orders: number;
}

export function population({ db, periods, memo }: CheckContext): Promise<Population> {
  return memo.once('population', async () => {
    const { rows } = await sql<Record<keyof Population, number>>`
      select count(*) as invoices, coalesce(sum(row_count), 0) as "rows",
        (select count(*) from courier_order) as orders
      from invoice where ${isOneOf('period', periods)}`.execute(db);
    const { invoices, rows: lines, orders } = rows[0]!;
    return { invoices: Number(invoices), rows: Number(lines), orders: Number(orders) };
  });
}
