import { parseRate } from '../../imports/rates/fraction.ts';
import type { Rate } from '../../imports/rates/rate-table.ts';
import { readRates } from '../../ledger/queries/imports.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';

/** The imported rates of exchange, each with its place for messages and the import that brought it: what a rate table is made of. */
export async function readRateLines(db: LedgerReader): Promise<(Rate & { readonly evidence_id: number })[]> {
  return (await readRates(db)).map(({ evidence_id, source, line, date, from_currency, to_currency, rate }) => ({
    ...{ evidence_id, date, from: from_currency, to: to_currency },
    ...{ place: `${source}:${line}`, rate: parseRate(rate) },
  }));
}
