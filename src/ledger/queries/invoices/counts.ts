/** How many invoices, rows and orders there are. */
import { sql } from 'kysely';
import { isOneOf } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** How many documents there are. */
export interface Population {
  /** Invoices of some months whose detail was read, live or vanished. */
  readonly invoices: number;
  /** Their rows. */
  readonly rows: number;
  /** Orders of the order book, of all months. */
  readonly orders: number;
}

/** Counts the invoices of some months, their rows, and the order book. */
export async function countPopulation(db: LedgerReader, periods: readonly string[]): Promise<Population> {
  const { rows } = await sql<Record<keyof Population, number>>`
    select count(*) as invoices, coalesce(sum(row_count), 0) as "rows",
      (select count(*) from courier_order) as orders
    from invoice where ${isOneOf('period', periods)}`.execute(db);
  const { invoices, rows: lines, orders } = rows[0]!;
  return { invoices: Number(invoices), rows: Number(lines), orders: Number(orders) };
}

/** The numbers of some months' invoices, in order, each with how many rows it holds. */
export async function readRowCounts(
  db: LedgerReader,
  periods: readonly string[],
): Promise<{ readonly number: number; readonly row_count: number }[]> {
  const { rows } = await sql<{ number: number; row_count: number }>`
    select number, row_count from invoice where ${isOneOf('period', periods)} order by number`.execute(db);
  return rows;
}

/** How many rows the lists of some months hold now. */
export async function countListed(db: LedgerReader, periods: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from invoice_listed l
    where ${isOneOf('l.period', periods)} and l.vanished_at is null`.execute(db);
  return Number(rows[0]!.count);
}
