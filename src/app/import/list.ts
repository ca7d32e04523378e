import type { EvidenceRow } from '../../ledger/evidence/chain.ts';
import type { ImportedTable } from '../../ledger/index.ts';
import { readCouriers } from '../../ledger/queries/couriers.ts';
import { readWaiting } from '../../ledger/queries/evidence/decided.ts';
import { readImports } from '../../ledger/queries/imports.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { type Books, usingBooks } from '../books.ts';
import type { ImportProposal } from './waiting.ts';

/** An import as `import list --json` prints it. */
export type ListedImport = Omit<ImportedTable, 'column_map' | 'last_receipt' | 'run_id' | 'allow_gap' | 'ids'> & {
  readonly allow_gap: boolean;
  /** Present where it pays nothing until a second person has approved it. */
  readonly waiting?: true;
};

/** Every import, undone ones and those that wait for a second person too, in the order in which they came. */
export function listImports(books: Books): Promise<ListedImport[]> {
  return usingBooks(books, { readOnly: true, allCouriers: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const names = new Map((await readCouriers(db)).map(({ key, name }) => [key, name]));
      const imports = (await readImports(db)).map(
        ({ column_map: _, last_receipt: __, run_id: ___, ids: ____, allow_gap, ...row }) => ({
          ...row,
          courier: row.courier === null ? null : (names.get(row.courier) ?? row.courier),
          allow_gap: allow_gap === 1,
        }),
      );
      const waiting = (await readWaiting(db, 'import')).map(waitingImport);
      return [...imports, ...waiting].sort((a, b) => a.id - b.id);
    }),
  );
}

function waitingImport({ id, at, data }: EvidenceRow): ListedImport {
  const { request } = JSON.parse(data!) as { readonly request: ImportProposal };
  const { file, by, from: _, to: __, totals: ___, column_map: ____, replace: _____, table: ______, ...own } = request;
  const undone = { undone_at: null, undone_by: null, undone_why: null };
  const counts = { changed: 0, unchanged: own.rows - own.new };
  return { id, at, actor: by, source: file, courier: null, ...own, ...counts, ...undone, waiting: true };
}
