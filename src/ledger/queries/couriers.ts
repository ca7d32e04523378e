/** The couriers of the books. */
import type { Selectable } from 'kysely';
import type { CourierTable } from '../schema.ts';
import type { LedgerReader } from './snapshot.ts';

/** Every courier that anything is known of, by name. */
export async function readCouriers(db: LedgerReader): Promise<Selectable<CourierTable>[]> {
  return db.selectFrom('courier').selectAll().orderBy('name').execute();
}
