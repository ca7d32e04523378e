import { courierOf } from '../courier.ts';
import type { ImportedKind } from '../schema.ts';
import { highest, type Trx } from './insert.ts';
import type { Counts } from './own-orders.ts';

export async function writeImportedCounts(trx: Trx, id: number, counts: Counts & { readonly last_receipt?: number }) {
  await trx.updateTable('imported').set(counts).where('id', '=', id).execute();
}

/** Marks an import as undone; the caller removes the rows that it brought. */
export async function markUndone(trx: Trx, id: number, undone: { at: string; by: string; why: string }): Promise<void> {
  await trx
    .updateTable('imported')
    .set({ undone_at: undone.at, undone_by: undone.by, undone_why: undone.why })
    .where('id', '=', id)
    .execute();
}

/** The imports of a kind that were not undone, oldest first; settlement sheets of the handle's courier only. */
export function readImportsInForce(trx: Trx, kind: ImportedKind) {
  const courier = kind === 'settlement' ? courierOf(trx) : null;
  return trx
    .selectFrom('imported')
    .select(['id', 'at', 'run_id', 'sha256', 'source', 'column_map'])
    .where('kind', '=', kind)
    .where('courier', courier === null ? 'is' : '=', courier)
    .where('undone_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** An import's kind and run; undefined if no import has that id. */
export function readImportedKind(trx: Trx, id: number) {
  return trx.selectFrom('imported').select(['kind', 'run_id']).where('id', '=', id).executeTakeFirst();
}

/** The highest id that any receipt ever had. Each import records it, so that an undone one does not free its ids. */
export function readLastReceipt(trx: Trx): Promise<number> {
  return highest(trx, 'imported', 'last_receipt');
}

/** Removes the whole rate card, or all rates, which are then made again from the remaining imports. */
export async function clearPrices(trx: Trx, table: 'tariff_line' | 'rate_line'): Promise<void> {
  await trx.deleteFrom(table).execute();
}
