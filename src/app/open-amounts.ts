import { readSettlements, type SettlementSettings } from '../checks/facts/receipts/settlements.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import type { OpenAmount } from '../matching/settle.ts';

/** The open amount of each invoice in each currency, settled ones included. */
export async function readOpen(db: LedgerReader, config: SettlementSettings): Promise<readonly OpenAmount[]> {
  const { invoices } = await readSettlements(db, config);
  return invoices.map(({ number, currency, outstanding }) => ({ number, currency, open: outstanding }));
}
