/** A row of an invoice; an order may stand on one more than once. */
export interface InvoiceRow {
  readonly number: number;
  readonly position: number;
  readonly order_id: string;
}

/**
 * Numbers the rows that one order has on one invoice, so that each can have a mismatch of its own. Pass them in the order of
 * invoice and position; rows of the same position (one a currency) share their number.
 */
export function countOccurrences<R extends InvoiceRow>(rows: readonly R[]): { row: R; occurrence: number }[] {
  const seen = new Map<string, { position: number; occurrence: number }>();
  return rows.map((row) => {
    const key = `${row.number} ${row.order_id}`;
    const last = seen.get(key);
    const occurrence = last === undefined ? 0 : last.occurrence + (last.position === row.position ? 0 : 1);
    seen.set(key, { position: row.position, occurrence });
    return { row, occurrence };
  });
}
