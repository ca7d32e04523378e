import type { ImportedTable } from '../../ledger/index.ts';
import { readCouriers } from '../../ledger/queries/couriers.ts';
import { readImports } from '../../ledger/queries/imports.ts';
import { usingSnapshot } from '../../ledger/queries/index.ts';
import { type Books, usingBooks } from '../books.ts';

/** An import as `import list --json` prints it. */
export type ListedImport = Omit<ImportedTable, 'column_map' | 'last_receipt' | 'run_id' | 'allow_gap' | 'ids'> & {
  readonly allow_gap: boolean;
};

/** Every import, undone ones too, in the order in which they came. */
export function listImports(books: Books): Promise<ListedImport[]> {
  return usingBooks(books, { readOnly: true, allCouriers: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const names = new Map((await readCouriers(db)).map(({ key, name }) => [key, name]));
      return (await readImports(db)).map(
        ({ column_map: _, last_receipt: __, run_id: ___, ids: ____, allow_gap, ...row }) => ({
          ...row,
          courier: row.courier === null ? null : (names.get(row.courier) ?? row.courier),
          allow_gap: allow_gap === 1,
        }),
      );
    }),
  );
}
