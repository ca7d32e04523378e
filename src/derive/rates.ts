import type { RatesFile } from '../books/formats/index.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import { readRates } from '../ledger/read/prices.ts';
import type { Counts } from '../ledger/write/own-orders.ts';
import { writeRates } from '../ledger/write/prices.ts';

/** Rates of exchange. One that an earlier file gave for the day is not written again. */
export async function applyRates(trx: LedgerTransaction, evidenceId: number, file: RatesFile): Promise<Counts> {
  const key = (day: string, from: string, to: string) => `${day} ${from} ${to}`;
  const held = new Set((await readRates(trx)).map((row) => key(row.date, row.from_currency, row.to_currency)));
  const added = file.rows.filter(({ date, from, to }) => !held.has(key(date, from, to)));
  await writeRates(
    trx,
    added.map(({ line, date, from, to, rate }) => {
      return { evidence_id: evidenceId, line, date, from_currency: from, to_currency: to, rate };
    }),
  );
  return { new: added.length, changed: 0, unchanged: file.rows.length - added.length };
}
