import type { TariffFile } from '../books/formats/index.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import { readTariff, type TariffRow } from '../ledger/read/prices.ts';
import type { Counts } from '../ledger/write/own-orders.ts';
import { writeTariff } from '../ledger/write/prices.ts';
import { parseUnits } from '../money/index.ts';

/** Lines of the rate card. One that says what an earlier file's line says is that line. */
export async function applyTariff(trx: LedgerTransaction, evidenceId: number, file: TariffFile): Promise<Counts> {
  const held = new Set((await readTariff(trx)).map(contentOf));
  const lines = file.rows.map(({ from, to, fee, per_package, ...row }) => ({
    evidence_id: evidenceId,
    ...row,
    from_day: from,
    to_day: to,
    fee: parseUnits(fee),
    per_package: per_package === null ? null : parseUnits(per_package),
  }));
  const added = lines.filter((line) => !held.has(contentOf(line)));
  await writeTariff(trx, added);
  return { new: added.length, changed: 0, unchanged: lines.length - added.length };
}

/** All that a line of the rate card says. */
function contentOf(line: Omit<TariffRow, 'evidence_id' | 'line' | 'source'>): string {
  const { workflow, district, area, merchant_location, from_day, to_day, currency, fee, per_package } = line;
  const amounts = [fee, per_package].map((units) => (units === null ? null : String(units)));
  return JSON.stringify([workflow, district, area, merchant_location, from_day, to_day, currency, ...amounts]);
}
