import type { ImportedKind, ImportedTable } from '../schema.ts';
import type { LedgerReader } from './snapshot.ts';

/** Every import, undone ones too, in the order in which they came. */
export function readImports(db: LedgerReader): Promise<ImportedTable[]> {
  return db.selectFrom('imported').selectAll().orderBy('id').execute();
}

/** An import by its id. */
export function readImport(db: LedgerReader, id: number): Promise<ImportedTable | undefined> {
  return db.selectFrom('imported').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The import in force that holds a file as it is. */
export function findImported(db: LedgerReader, kind: ImportedKind, sha256: string): Promise<ImportedTable | undefined> {
  return db
    .selectFrom('imported')
    .selectAll()
    .where('sha256', '=', sha256)
    .where('kind', '=', kind)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
}
