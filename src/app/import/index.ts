import path from 'node:path';
import { type FileSource, readAtMost, readSafely } from '../../books/formats/index.ts';
import type { ColumnMap } from '../../books/maps/index.ts';
import { type Applied, applyImport, type ReadFile } from '../../derive/import-file.ts';
import { UsageError } from '../../errors.ts';
import {
  appendEvidence,
  type ImportedKind,
  type Ledger,
  type LedgerTransaction,
  ledgerExists,
  type SealedBody,
  sealBody,
  usingTransaction,
} from '../../ledger/index.ts';
import { findImported } from '../../ledger/read/imported.ts';
import { usingScratchLedger } from '../../ledger/scratch.ts';
import { quoted } from '../../text.ts';
import { type Books, placeOf, usingBooks } from '../books.ts';
import { matchNow } from '../match/run.ts';
import { notesOf } from './notes.ts';
import { refuseFile } from './refusals.ts';
import { type Imported, summaryOf } from './summary.ts';

export type { FileSource } from '../../books/formats/index.ts';
export type { Imported } from './summary.ts';

export interface ImportRequest {
  readonly kind: ImportedKind;
  /** Absolute paths, or bytes with the name that messages give them. */
  readonly files: readonly FileSource[];
  /** The name of a map of remit.toml; null where the files themselves say how they are read. */
  readonly map: string | null;
  /** Who imports. */
  readonly by: string;
  /** Say what would change, and change nothing. */
  readonly dryRun: boolean;
  /** Take a statement that does not add up. */
  readonly allowGap: boolean;
}

/** A file that was read, ready to be kept. */
interface Ready {
  readonly name: string;
  readonly read: ReadFile;
  readonly body: SealedBody;
}

/**
 * Imports files of one kind, all of them or none. A file that was imported before, as it is, changes nothing.
 *
 * @throws ImportFileError where a file cannot be read as what it is; UsageError for an unknown map; LedgerBusyError while a sync is at work
 */
export async function importFiles(books: Books, request: ImportRequest): Promise<Imported[]> {
  const map = mapOf(books, request.map);
  const ready: Ready[] = [];
  for (const given of request.files) {
    const { name, bytes } = typeof given === 'string' ? { name: given, bytes: await readAtMost(given) } : given;
    const file = await readSafely(request.kind, { bytes, name }, { map, signal: books.signal });
    const body = await sealBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    ready.push({ name: path.basename(name), read: { kind: request.kind, file } as ReadFile, body });
  }
  const work = async (ledger: Ledger) => {
    const imported = await apply(ledger, books, ready, { ...request, columns: map });
    if (!request.dryRun) await matchNow(ledger, books);
    return imported;
  };
  if (request.dryRun && !(await ledgerExists(placeOf(books.config)))) return usingScratchLedger(work);
  return usingBooks(books, { create: true, exclusive: !request.dryRun }, work);
}

/** A map of remit.toml. @throws UsageError where there is none of that name */
function mapOf({ config }: Books, name: string | null): ColumnMap | null {
  if (name === null) return null;
  const map = Object.hasOwn(config.maps, name) ? config.maps[name] : undefined;
  if (map) return map;
  const known = Object.keys(config.maps);
  throw new UsageError(
    `there is no map ${quoted(name)}`,
    known.length === 0
      ? 'remit.toml holds no [maps.NAME] yet; docs/settings.md has an example.'
      : `The maps are ${known.join(', ')}.`,
  );
}

type Work = ImportRequest & { readonly columns: ColumnMap | null };

async function apply(
  ledger: Ledger,
  books: Pick<Books, 'now' | 'config'>,
  ready: readonly Ready[],
  work: Work,
): Promise<Imported[]> {
  try {
    return await usingTransaction(ledger, async (trx) => {
      const imported: Imported[] = [];
      for (const file of ready) imported.push(await applyOne(trx, books, file, work));
      // What a dry run would have changed is known now, and is given up with the transaction.
      if (work.dryRun) throw new DryRun(imported);
      return imported;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.imported;
    throw error;
  }
}

class DryRun extends Error {
  readonly imported: Imported[];

  constructor(imported: Imported[]) {
    super();
    this.imported = imported;
  }
}

async function applyOne(
  trx: LedgerTransaction,
  { now, config }: Pick<Books, 'now' | 'config'>,
  { name, read, body }: Ready,
  { dryRun, allowGap, by: actor, columns }: Work,
): Promise<Imported> {
  const about = { file: name, sha256: body.sha256 };
  const known = await findImported(trx, read.kind, body.sha256);
  if (known) {
    refuseOtherMap(known, columns, name);
    const nothing: Applied = { new: 0, changed: 0, unchanged: known.rows };
    return { summary: summaryOf(read, { ...about, import: known.id }, nothing), isKnown: true, notes: [] };
  }
  await refuseFile(trx, { file: name, read, allowGap });
  const data = { map: columns, allow_gap: allowGap };
  const evidence = await appendEvidence(trx, {
    at: now(),
    kind: 'import',
    actor,
    subject: read.kind,
    source: name,
    body,
    data,
  });
  const applied = await applyImport(trx, evidence, read);
  const notes = await notesOf(trx, config, evidence.id, read, applied);
  return {
    summary: summaryOf(read, { ...about, import: dryRun ? null : evidence.id }, applied),
    isKnown: false,
    notes,
  };
}

/** The same bytes by another map are other rows: which of them is meant, a person must say. */
function refuseOtherMap(
  known: { id: number; column_map: string | null },
  columns: ColumnMap | null,
  name: string,
): void {
  if (known.column_map === (columns === null ? null : JSON.stringify(columns))) return;
  throw new UsageError(
    `${name} is import ${known.id} already, read by ${known.column_map === null ? 'no map' : 'another map'}`,
    `Take it back first with \`remit import undo ${known.id}\`, or import it as before.`,
  );
}
