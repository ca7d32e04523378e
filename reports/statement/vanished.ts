import type { LedgerReader } from '../../src/ledger/read/index.ts';
import { readVanishedLines } from '../../src/ledger/read/statement.ts';
import { formatAmount } from '../../src/money/index.ts';
import type { Column, Row } from '../model.ts';

/** The status of an invoice that the courier no longer lists. */
export const VANISHED = 'Vanished';

/** The invoices that the month once listed and lists no more, in the columns of the Invoices sheet: what they stated last. */
export async function vanishedRows(db: LedgerReader, month: string, columns: readonly Column[]): Promise<Row[]> {
  return (await readVanishedLines(db, month)).map((line) => {
    const cells: Row = {
      number: line.number,
      status: VANISHED,
      issued_at: line.issued_at,
      orders: line.orders,
      currency: line.currency,
      cod: formatAmount(line.cod),
      delivery_fee: formatAmount(line.delivery_fee),
      net_due_to_merchant: formatAmount(line.net_due_to_merchant),
    };
    return Object.fromEntries(columns.map(({ name }) => [name, cells[name] ?? null]));
  });
}
