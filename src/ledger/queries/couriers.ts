/** The couriers of the books. */
import type { Selectable } from 'kysely';
import type { CourierTable } from '../schema.ts';
import type { LedgerReader } from './snapshot.ts';

/** Every courier that anything is known of, by name. */
export async function readCouriers(db: LedgerReader): Promise<Selectable<CourierTable>[]> {
  return db.selectFrom('courier').selectAll().orderBy('name').execute();
}

/**
 * Makes a function that says which courier a name means in a file: the one that bore it when the file was imported, whatever that is called
 * now; else the one that got it first thereafter. It gives the courier's key, and a name that no courier ever bore as it is: a courier of
 * the settings, of which nothing came yet, gets it as its key.
 *
 * @param importId the evidence of the import; absent for a file that is imported now
 */
export async function readCourierNames(db: LedgerReader): Promise<(name: string, importId?: number) => string> {
  const names = await db.selectFrom('courier_name').selectAll().orderBy('evidence_id').execute();
  return (name, importId = Number.MAX_SAFE_INTEGER) => {
    const known = names.filter((one) => one.evidence_id <= importId);
    const current = new Map(known.map((one) => [one.key, one.name]));
    const bearing = [...current].find(([, own]) => own === name)?.[0];
    const bore = known.findLast((one) => one.name === name) ?? names.find((one) => one.name === name);
    return bearing ?? bore?.key ?? name;
  };
}
