import type { FileOf } from '../books/formats/index.ts';
import type { ColumnMap, ImportKind } from '../books/maps/index.ts';
import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import { writeImported, writeImportedCounts } from '../ledger/write/imported.ts';
import type { Derive } from './deriver.ts';
import { applyOwnOrders } from './own-orders.ts';
import { applyRates } from './rates.ts';
import { applyReceipts } from './receipts.ts';
import { applyTariff } from './tariff.ts';

/** What is known of an import beside its file. The evidence's subject is its kind, its source the file's name. */
export interface ImportData {
  /** The column map that was named, whole, so that the file is read again the same way; null where the file itself says how. */
  readonly map: ColumnMap | null;
  /** A statement that does not add up was taken all the same. */
  readonly allow_gap: boolean;
}

/** A file as it was read, of any kind. */
export type ReadFile = { [K in ImportKind]: { readonly kind: K; readonly file: FileOf[K] } }[ImportKind];

/** What an import did to the rows. */
export interface Applied {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Of receipts: lines that were held already, by what they were known; and those of a known id that say something else. */
  readonly known?: { readonly id: number; readonly text: number; readonly amount: number; readonly differing: number };
}

/** Makes the rows of an imported file that was read already. Call it inside the transaction that keeps the evidence. */
export async function applyImport(
  trx: LedgerTransaction,
  evidence: Pick<EvidenceRow, 'id' | 'at' | 'actor' | 'source' | 'sha256' | 'data'>,
  read: ReadFile,
): Promise<Applied> {
  const { id, at, actor, source, sha256, data } = evidence;
  const { allow_gap, map } = JSON.parse(data!) as ImportData;
  await writeImported(trx, {
    id,
    at,
    actor: actor!,
    kind: read.kind,
    format: read.file.format,
    source: source!,
    sha256: sha256!,
    map: read.file.map,
    column_map: map === null ? null : JSON.stringify(map),
    allow_gap: allow_gap ? 1 : 0,
    rows: rowsOf(read),
    skipped: read.file.skipped.length,
  });
  const applied = await applyRows(trx, id, read);
  const { new: added, changed, unchanged, ...receipts } = applied;
  const last = 'last_receipt' in receipts ? { last_receipt: receipts.last_receipt } : {};
  await writeImportedCounts(trx, id, { new: added, changed, unchanged, ...last });
  return applied;
}

/** The same without putting the import on record, where it is there already. */
export function applyRows(
  trx: LedgerTransaction,
  id: number,
  read: ReadFile,
): Promise<Applied & { readonly last_receipt?: number }> {
  if (read.kind === 'orders') return applyOwnOrders(trx, id, read.file);
  if (read.kind === 'receipts') return applyReceipts(trx, id, read.file);
  return read.kind === 'tariff' ? applyTariff(trx, id, read.file) : applyRates(trx, id, read.file);
}

/** How many orders, lines or prices a file holds. */
export function rowsOf(read: ReadFile): number {
  if (read.kind === 'orders') return read.file.orders.length;
  if (read.kind === 'receipts') return read.file.statements.reduce((sum, { lines }) => sum + lines.length, 0);
  return read.file.rows.length;
}

/** Reads the bytes of a file that were read once already. */
export async function readAgain(
  kind: ImportKind,
  bytes: Buffer,
  source: string,
  map: ColumnMap | null,
): Promise<ReadFile> {
  // Only now: a sync reads no files.
  const { readBytes } = await import('../books/formats/index.ts');
  return { kind, file: readBytes(kind, bytes, source, { map }) } as ReadFile;
}

/** An imported file, read from its body. */
export const deriveImport: Derive = async ({ trx, evidence, body }) => {
  const { map } = JSON.parse(evidence.data!) as ImportData;
  const read = await readAgain(evidence.subject as ImportKind, await body(), evidence.source!, map);
  await applyImport(trx, evidence, read);
};
