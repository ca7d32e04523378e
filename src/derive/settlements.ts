import type { ReturnsConvention } from '../base/returns.ts';
import type { Settlement, SettlementFile } from '../imports/formats/settlement-file.ts';
import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import { matchesOfInvoices, removeMatches } from '../ledger/write/matches.ts';
import type { Counts } from '../ledger/write/own-orders.ts';
import {
  clearSettlements,
  findSettlementNumber,
  giveSettlementNumber,
  readHeldSettlement,
  readSettlementNumbers,
  type SettlementRows,
  writeSettlement,
} from '../ledger/write/settlements.ts';
import { ordersOf, settlementRows } from './settlement.ts';

type SheetEvidence = Pick<EvidenceRow, 'id' | 'at' | 'run_id' | 'sha256'>;

/** How many orders a sheet lists. */
export function countOrders({ settlements }: SettlementFile): number {
  return settlements.reduce((sum, { rows }) => sum + ordersOf(rows).length, 0);
}

/** The months in which a sheet's payouts were made, in order. */
export function monthsOfSheet({ settlements }: SettlementFile): string[] {
  return [...new Set(settlements.map(({ issued_on }) => issued_on.slice(0, 7)))].sort();
}

/** Whether the ledger holds each payout of a sheet as the sheet has it. */
export async function holdsAll(trx: LedgerTransaction, file: SettlementFile, sha256: string): Promise<boolean> {
  for (const settlement of file.settlements) {
    const number = await findSettlementNumber(trx, settlement.invoice);
    if (number === null || (await lookAt(trx, settlement, { number, sha256 }, file.returns)).held !== 'same')
      return false;
  }
  return true;
}

/** Writes the payouts of a sheet, each whole: one that is as the ledger holds it changes nothing, any other restates it. */
export async function applySettlements(
  trx: LedgerTransaction,
  { id, at, run_id, sha256 }: SheetEvidence,
  file: SettlementFile,
): Promise<Counts> {
  const counts = { new: 0, changed: 0, unchanged: 0 };
  for (const settlement of file.settlements) {
    const number =
      (await findSettlementNumber(trx, settlement.invoice)) ?? (await giveSettlementNumber(trx, settlement.invoice));
    const { rows, held } = await lookAt(trx, settlement, { number, sha256: sha256! }, file.returns);
    const count = rows.invoice.orders.length;
    if (held === 'same') counts.unchanged += count;
    else {
      counts[held === 'none' ? 'new' : 'changed'] += count;
      const period = settlement.issued_on.slice(0, 7);
      await writeSettlement(trx, rows, { evidenceId: id, at, run: run_id!, period });
    }
  }
  return counts;
}

async function lookAt(
  trx: LedgerTransaction,
  settlement: Settlement,
  invoice: { readonly number: number; readonly sha256: string },
  returns: ReturnsConvention,
): Promise<{ readonly rows: SettlementRows; readonly held: 'none' | 'same' | 'other' }> {
  const rows = settlementRows(settlement, invoice, returns);
  const held = await readHeldSettlement(trx, invoice.number);
  if (!held) return { rows, held: 'none' };
  const { status, issued_at } = rows.invoice.invoice;
  const isSame =
    held.content_sha256 === rows.invoice.contentSha256 && held.status === status && held.issued_at === issued_at;
  return { rows, held: isSame ? 'same' : 'other' };
}

/**
 * Makes the payouts again of the sheets that are left, after one was taken back; what it alone brought is gone, and the matches with it.
 *
 * @param again applies the sheets in force, in the order in which they came
 */
export async function withoutSettlement(
  trx: LedgerTransaction,
  undone: { readonly id: number; readonly run: number; readonly at: string; readonly by: string },
  again: () => Promise<void>,
): Promise<void> {
  const before = await readSettlementNumbers(trx);
  await clearSettlements(trx, before, undone.run);
  await again();
  const left = new Set(await readSettlementNumbers(trx));
  const gone = before.filter((number) => !left.has(number));
  const why = `import ${undone.id} was undone`;
  await removeMatches(trx, await matchesOfInvoices(trx, gone), { at: undone.at, by: undone.by, why });
}
