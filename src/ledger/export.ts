import type { Kysely } from 'kysely';
import { type KeptRow, readColumns, readTable } from './dump.ts';
import type { LedgerSchema } from './schema.ts';
import { DERIVED_TABLES, EVIDENCE_TABLES, type TableShape } from './tables.ts';

/** A table for other programs: money as bigint units of 1/10,000, everything else as it is stored. */
export interface ExportedTable {
  readonly name: string;
  readonly columns: readonly ExportedColumn[];
  /** The rows in the order of the key, a page at a time; a cell for each column in its order. Read once. */
  readonly pages: AsyncIterable<readonly (readonly ExportedCell[])[]>;
}

export interface ExportedColumn {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'money';
  readonly nullable: boolean;
}

export type ExportedCell = string | number | bigint | null;

/** Of use only to remit itself: the bodies of documents, and their index. */
const OWN = new Set(['evidence_body', 'evidence_pack', 'evidence_part']);

/** Every table of the ledger but the bodies of documents. Call it in one snapshot, so that all rows belong together. */
export async function exportTables(db: Kysely<LedgerSchema>): Promise<ExportedTable[]> {
  const tables = await db.introspection.getTables();
  const known = await readColumns(db);
  const shapes = Object.entries({ ...EVIDENCE_TABLES, ...DERIVED_TABLES }) as [string, TableShape][];
  return shapes
    .filter(([name]) => !OWN.has(name))
    .map(([name, shape]) => {
      const columns = (tables.find((table) => table.name === name && !table.isView)?.columns ?? []).map((column) => ({
        name: column.name,
        type: typeOf(column, shape),
        nullable: column.isNullable,
      }));
      return { name, columns, pages: cellsOf(readTable(db, known, name, shape), columns) };
    });
}

function typeOf({ name, dataType }: { name: string; dataType: string }, { money }: TableShape): ExportedColumn['type'] {
  if (money.includes(name)) return 'money';
  return /int/i.test(dataType) ? 'integer' : 'text';
}

async function* cellsOf(pages: AsyncIterable<readonly KeptRow[]>, columns: readonly ExportedColumn[]) {
  for await (const page of pages) yield page.map((row) => columns.map(({ name }) => row[name] as ExportedCell));
}
