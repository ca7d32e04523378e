import { readSettlements, type SettlementSettings } from '../checks/facts/receipts/settlements.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import type { OpenAmount } from '../matching/settle.ts';

/** What is open of each currency of each invoice, what is settled included. */
export async function readOpen(db: LedgerReader, config: SettlementSettings): Promise<readonly OpenAmount[]> {
  const { invoices } = await readSettlements(db, config);
  return invoices.map(({ number, currency, outstanding }) => ({ number, currency, open: outstanding }));
}
