import { inZone } from '../../src/base/day.ts';
import type { LedgerReader } from '../../src/ledger/queries/index.ts';
import { readVanishedLines } from '../../src/ledger/queries/invoices/invoices.ts';
import type { Column, Row } from '../model.ts';
import { moneyCells } from '../sums.ts';

/** The status of an invoice that the courier no longer lists. */
const VANISHED = 'Vanished';

/** The invoices that the month once listed and lists no more, in the columns of the Invoices sheet: what they stated last. */
export async function vanishedRows(
  db: LedgerReader,
  month: string,
  { columns, zone }: { readonly columns: readonly Column[]; readonly zone: string },
): Promise<Row[]> {
  return (await readVanishedLines(db, month)).map((line) => {
    const cells: Row = {
      number: line.number,
      status: VANISHED,
      issued_at: inZone(line.issued_at, zone),
      orders: line.orders,
      currency: line.currency,
      ...moneyCells(line),
    };
    return Object.fromEntries(columns.map(({ name }) => [name, cells[name] ?? null]));
  });
}
