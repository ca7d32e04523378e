import { sql } from 'kysely';
import { parseInstant } from '../instant.ts';
import { chunks } from '../ledger/chunks.ts';
import { isOneOf } from '../ledger/sql.ts';
import type { CheckContext } from './check.ts';

/** The first live invoice of some orders, by order: its number, month and date of issue. */
export async function firstInvoices(
  { db }: Pick<CheckContext, 'db'>,
  orderIds: readonly string[],
): Promise<Map<string, { readonly number: number; readonly period: string; readonly issued_at: string }>> {
  const first = new Map<string, { number: number; period: string; issued_at: string }>();
  for (const chunk of chunks([...new Set(orderIds)])) {
    const { rows } = await sql<{ order_id: string; number: number; period: string; issued_at: string }>`
      select o.order_id, i.number, i.period, i.issued_at from invoice_order o
      join invoice i on i.number = o.invoice_number and i.vanished_at is null
      where ${isOneOf('o.order_id', chunk)}
      order by o.order_id, i.number`.execute(db);
    for (const { order_id, ...invoice } of rows) {
      const before = first.get(order_id);
      if (!before || instantOf(invoice) < instantOf(before)) first.set(order_id, invoice);
    }
  }
  return first;
}

function instantOf({ issued_at }: { issued_at: string }): number {
  return parseInstant(issued_at)?.getTime() ?? 0;
}
