import { readClosedSettings } from '../../../ledger/queries/closes/closes.ts';
import type { InvoiceHistory } from '../../../ledger/queries/invoices/history.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import type { PeriodCloseTable } from '../../../ledger/schema.ts';
import { knownAt, placesAt } from '../closes/places.ts';
import { readSettlements, type Settlements } from '../receipts/settlements.ts';

/** What moves balances: the invoices' histories, and what came of their money. */
export interface KnownMoney {
  readonly histories: readonly InvoiceHistory[];
  readonly settlements: Settlements;
}

/** The same as it was known when a month was closed, by the settings of then. @param histories all of them, as they are known now */
export async function readKnownAt(
  db: LedgerReader,
  histories: readonly InvoiceHistory[],
  then: PeriodCloseTable,
): Promise<KnownMoney> {
  const settings = await readClosedSettings(db, then.id);
  const placed = await placesAt(db, then, settings.timeZone);
  const known = histories.map((history) => placed(knownAt(history, then)));
  const settlements = await readSettlements(db, settings, { then, histories: known });
  return {
    histories: known,
    settlements: { ...settlements, invoices: settlements.invoices.map(placed) },
  };
}
