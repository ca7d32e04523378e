import type { Insertable, Kysely } from 'kysely';
import type { LedgerSchema } from '../schema.ts';
import { insertRows } from './insert.ts';

/** Adds lines to the rate card. */
export async function writeTariff(
  trx: Kysely<LedgerSchema>,
  lines: readonly Insertable<LedgerSchema['tariff_line']>[],
): Promise<void> {
  await insertRows(trx, 'tariff_line', lines);
}

/** Adds rates of exchange. */
export async function writeRates(
  trx: Kysely<LedgerSchema>,
  lines: readonly Insertable<LedgerSchema['rate_line']>[],
): Promise<void> {
  await insertRows(trx, 'rate_line', lines);
}

/** Removes the whole rate card, or all rates, which are then made again from the remaining imports. */
export async function clearPrices(trx: Kysely<LedgerSchema>, table: 'tariff_line' | 'rate_line'): Promise<void> {
  await trx.deleteFrom(table).execute();
}
