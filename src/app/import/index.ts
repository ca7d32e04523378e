import path from 'node:path';
import { counted } from '../../base/counted.ts';
import { UsageError } from '../../base/errors.ts';
import { readGaps } from '../../checks/facts/receipts/settlements.ts';
import { type Applied, applyImport, type ImportData, type ReadFile, withAccount } from '../../derive/imports.ts';
import { readNotInFile } from '../../derive/receipts.ts';
import { holdsAll } from '../../derive/settlements.ts';
import { readBytes } from '../../imports/formats/read-bytes.ts';
import { type FileSource, readSource } from '../../imports/formats/read-safely.ts';
import { type ColumnMap, readsAlike } from '../../imports/maps/column-map.ts';
import { usingScratchLedger } from '../../ledger/copy.ts';
import {
  appendEvidence,
  type ImportedKind,
  type ImportedTable,
  type Ledger,
  type LedgerTransaction,
  ledgerExists,
  readBody,
  type SealedBody,
  sealBody,
  tryOut,
  usingTransaction,
} from '../../ledger/index.ts';
import { readLastEvidence } from '../../ledger/queries/evidence/decided.ts';
import { findImported } from '../../ledger/queries/imports.ts';
import { lacksMovements } from '../../ledger/write/receipts.ts';
import type { Gap } from '../../matching/statement-chain.ts';
import { importingError } from '../../words/errors/importing.ts';
import { type Books, usingBooks } from '../books.ts';
import { couriersOf } from '../couriers.ts';
import { linesOfImport } from '../decisions/import-lines.ts';
import { matchCouriers } from '../match/run.ts';
import { recordEvidence } from '../record.ts';
import { mapOf, readByMap } from './read-by-map.ts';
import {
  checkAccounts,
  lacksAccount,
  receiptText,
  refuseDisagreeing,
  refuseFile,
  refuseNeedlessAccount,
} from './refusals.ts';
import { asRun, usingSheets } from './settlement-sheet.ts';
import { type Correction, gapNote, type Imported, notesOf, summaryOf } from './summary.ts';
import { type ImportProposal, proposeImport, type TriedImport, tableOf } from './waiting.ts';

export type { FileSource } from '../../imports/formats/read-safely.ts';

export interface ImportRequest {
  readonly kind: ImportedKind;
  /** Absolute paths, or bytes with the name that messages give them. */
  readonly files: readonly FileSource[];
  /** The name of a map in remit.toml; null to read by the courier's map, the file's format or a saved map that fits. */
  readonly map: string | null;
  /** Who imports. */
  readonly by: string;
  /** Report what would change, and change nothing. */
  readonly dryRun: boolean;
  /** Take a statement that does not add up. */
  readonly allowGap: boolean;
  /** Receipts: the account of files that do not name one. */
  readonly account?: string | null;
  /** Receipts: lines in the ledger of the files' days and accounts that are not in the files no longer count. */
  readonly replace?: boolean;
}

/**
 * Adds the password of a protected PDF to a file; it is stored nowhere.
 *
 * @throws ImportFileError, FileError where it cannot be read
 */
export async function withPassword(file: FileSource, password: string): Promise<FileSource> {
  return { ...(await readSource(file)), password };
}

/** A file that was read, and its bytes sealed for evidence. */
interface ReadyFile {
  readonly name: string;
  readonly read: ReadFile;
  /** The map by which it was read; null where it needs none. */
  readonly map: ColumnMap | null;
  readonly body: SealedBody;
}

/**
 * Imports files of one kind, all of them or none. A file that was imported before, as it is, changes nothing.
 *
 * @throws ImportFileError where a file cannot be read as what it is; UsageError for an unknown map; LedgerBusyError
 * while another command is at work
 */
export async function importFiles(books: Books, request: ImportRequest): Promise<Imported[]> {
  const wantedMap = await mapOf(books, request);
  const ready: ReadyFile[] = [];
  for (const given of request.files) {
    const source = await readSource(given);
    const { file, map } = await readByMap(books, request, source, wantedMap);
    const { buffer, byteOffset, byteLength } = source.bytes;
    const body = await sealBody(Buffer.from(buffer, byteOffset, byteLength));
    ready.push({ name: path.basename(source.name), read: { kind: request.kind, file } as ReadFile, map, body });
  }
  const account = request.account?.trim() ?? null;
  if (account === '') throw new UsageError(importingError({ id: 'account-empty' }));
  refuseNeedlessAccount(ready, account);
  // `importingBooks` have the settings on record; a settlement sheet's are narrowed to its courier.
  const importInto = async (ledger: Ledger, importingBooks: Books) => {
    const imported = await applyAll(ledger, importingBooks, ready, { ...request, account });
    // A file may bring something to match to any courier: these books are not narrowed.
    if (!request.dryRun) await matchCouriers(ledger, books);
    return imported;
  };
  const work = (ledger: Ledger, booksOfAll: Books) =>
    request.kind === 'settlement' ? usingSheets(ledger, books, importInto) : importInto(ledger, booksOfAll);
  // A dry run makes no ledger.
  if (request.dryRun && !(await ledgerExists(books.config.ledger))) {
    return usingScratchLedger((ledger) => work(ledger, books));
  }
  // A dry run keeps nobody out, and puts no changed settings on record.
  const ledgerUse = request.dryRun ? { newSettings: 'leave' as const } : { exclusive: 'import' as const };
  return usingBooks(books, { create: true, allCouriers: true, ...ledgerUse }, work);
}

/** How files that were read are imported. */
interface ApplyRequest extends Omit<ImportRequest, 'files' | 'map' | 'account'> {
  readonly account: string | null;
}

/** Imports the files. Receipts are proposed instead if the settings want a second person to approve their import. */
function applyAll(
  ledger: Ledger,
  books: Books,
  ready: readonly ReadyFile[],
  request: ApplyRequest,
): Promise<Imported[]> {
  return usingTransaction(ledger, async (trx) => {
    if (books.config.approvals.imports && request.kind === 'receipts' && !request.dryRun) {
      return proposeAll(trx, books, ready, request);
    }
    const applyEach = async () => {
      const imported: Imported[] = [];
      for (const file of ready) imported.push(await applyOne(trx, books, file, request));
      return imported;
    };
    return request.dryRun ? tryOut(trx, applyEach) : applyEach();
  });
}

/** Tries what each file brings, takes it back, and proposes those that bring anything to a second person. */
async function proposeAll(
  trx: LedgerTransaction,
  books: Books,
  ready: readonly ReadyFile[],
  request: ApplyRequest,
): Promise<Imported[]> {
  const { by, account, allowGap, replace = false } = request;
  const triedFiles = await tryOut(trx, async () => {
    const triedSoFar: TriedImport[] = [];
    for (const file of ready) triedSoFar.push(await tryOne(trx, books, file, request));
    return triedSoFar;
  });
  const imports: Imported[] = [];
  for (const [index, { read, map, body }] of ready.entries()) {
    const tried = triedFiles[index]!;
    const { isKnown, summary } = tried.imported;
    // The ledger has it all: there is nothing to approve.
    if (isKnown && !summary.replaced) {
      imports.push(tried.imported);
      continue;
    }
    const fileAccount = lacksAccount(read) ? account : null;
    const options = { column_map: map, account: fileAccount, allow_gap: allowGap, replace, by };
    imports.push(await proposeImport(trx, books, { read, body, tried, options }));
  }
  return imports;
}

async function tryOne(
  trx: LedgerTransaction,
  books: Books,
  file: ReadyFile,
  request: ApplyRequest,
): Promise<TriedImport> {
  const before = await readLastEvidence(trx);
  const imported = await applyOne(trx, books, file, request);
  return { imported, lines: await linesOfImport(trx, file.name, before) };
}

/** Imports a file that waited, in an open transaction: it is read again from the evidence, and receipts are matched. */
export async function importWaiting(ledger: Ledger, books: Books, request: ImportProposal): Promise<TriedImport> {
  const { file: name, sha256, column_map: map, account, allow_gap: allowGap, replace, by, table } = request;
  const bytes = await readBody(ledger.db, sha256);
  const read: ReadFile = { kind: 'receipts', file: readBytes('receipts', bytes, name, { map, table }) };
  const file: ReadyFile = { name, read, map, body: await sealBody(bytes) };
  const how: ApplyRequest = { kind: 'receipts', by, dryRun: false, account, allowGap, replace };
  const tried = await tryOne(ledger.db, books, file, how);
  await matchCouriers(ledger, books);
  return tried;
}

/** Imports a file in an open transaction, or says that it was imported before. */
async function applyOne(
  trx: LedgerTransaction,
  { now, config }: Books,
  { name, read: fileAsRead, map, body }: ReadyFile,
  { dryRun, allowGap, by: actor, account: givenAccount, replace = false }: ApplyRequest,
): Promise<Imported> {
  const namesNoAccount = lacksAccount(fileAsRead);
  const account = namesNoAccount ? givenAccount : null;
  const read = withAccount(fileAsRead, { map, account });
  const about = { file: name, sha256: body.sha256 };
  const earlier = await findImported(trx, read.kind, body.sha256);
  if (earlier && (await holdsAllOf(trx, read, earlier.id, body.sha256))) {
    refuseOtherReading(earlier, name, map, account);
    const nothing: Applied = { new: 0, changed: 0, unchanged: earlier.rows };
    const { notes, ...lines } = await correctLines(trx, { read, importId: earlier.id, by: actor, at: now(), replace });
    const gaps = await gapsOf(trx, read);
    const summary = summaryOf(read, { ...about, import: earlier.id }, nothing, { ...lines, gaps });
    return { summary, isKnown: true, notes: [...notes, ...gaps.map(gapNote)] };
  }
  // All couriers, whichever one the command names.
  const couriers = await couriersOf(trx, { ...config, courier: null });
  const courierNames = new Set(couriers.flatMap((courier) => [courier.name, courier.key]));
  await refuseFile(trx, name, read, { allowGap, couriers: [...courierNames] });
  const accountNotes = await checkAccounts(trx, name, read, namesNoAccount);
  const file = { name, read, map, body };
  const { evidence, applied } = await appendFile(trx, file, { at: now(), actor, account, allowGap });
  if (!replace) await refuseDisagreeing(trx, name, evidence.id, applied);
  const correction = await correctLines(trx, { read, importId: evidence.id, by: actor, at: now(), replace });
  const { notes, others } = await notesOf(trx, config, evidence.id, read, applied);
  const gaps = await gapsOf(trx, read);
  const importId = dryRun ? null : evidence.id;
  return {
    summary: summaryOf(read, { ...about, import: importId }, applied, { ...correction, gaps }),
    isKnown: false,
    others,
    notes: [...accountNotes, ...correction.notes, ...notes, ...gaps.map(gapNote)],
  };
}

/** Appends a file as evidence, a settlement sheet as that of a run, and writes the rows that it brings. */
async function appendFile(
  trx: LedgerTransaction,
  { name, read, map, body }: ReadyFile,
  { at, actor, account, allowGap }: Pick<ApplyRequest, 'account' | 'allowGap'> & { at: Date; actor: string },
) {
  // A bank's id names a line of one day, amount and currency; imports of 1.0 took the id alone.
  const ids = read.kind === 'receipts' ? { ids: 'by-day' as const } : {};
  const data: ImportData = { map, allow_gap: allowGap, account, ...ids, ...tableOf(read) };
  const document = { at, kind: 'import', actor, subject: read.kind, source: name, body, data };
  const append = async (runId: number | null) => {
    // A sheet is one courier's; any other file is of the whole books.
    const evidence = await appendEvidence(trx, { ...document, runId, isOfBooks: read.kind !== 'settlement' });
    return { evidence, applied: await applyImport(trx, evidence, read) };
  };
  return read.kind === 'settlement' ? asRun(trx, at, read.file, append) : append(null);
}

/** Whether the books still have everything from a file that was imported before. */
async function holdsAllOf(trx: LedgerTransaction, read: ReadFile, importId: number, sha256: string): Promise<boolean> {
  // If a later sheet changed the payouts, importing the earlier sheet again restates them.
  if (read.kind === 'settlement') return holdsAll(trx, read.file, sha256);
  return read.kind !== 'receipts' || !(await lacksMovements(trx, importId));
}

/** The days and amounts that no file shows of the accounts in a file of receipts. */
async function gapsOf(trx: LedgerTransaction, read: ReadFile): Promise<Gap[]> {
  if (read.kind !== 'receipts') return [];
  const { statements } = read.file;
  return readGaps(trx, [...statements, ...statements.flatMap(({ lines }) => lines)]);
}

/** Finds lines in the ledger of a file's days and accounts that the file lacks; with `replace` they no longer count. */
async function correctLines(
  trx: LedgerTransaction,
  { read, importId, by, at, replace }: { read: ReadFile; importId: number; by: string; at: Date; replace: boolean },
): Promise<Omit<Correction, 'gaps'> & { readonly notes: readonly string[] }> {
  const lacking = read.kind === 'receipts' ? await readNotInFile(trx, importId) : [];
  if (lacking.length === 0) return { lacking, replaced: 0, notes: [] };
  const listed = lacking.map((line) => `  ${receiptText(line)}`);
  if (!replace) {
    const lead = `${counted(lacking.length, 'line')} of its days ${lacking.length === 1 ? 'is' : 'are'} held and not in this file; if it is a correction, import it with --replace, if it is of another account, with --account NAME:`;
    return { lacking, replaced: 0, notes: [lead, ...listed] };
  }
  await recordEvidence(trx, { at, kind: 'receipts-replaced', actor: by, subject: String(importId) });
  const lead = `${counted(lacking.length, 'line')} of its days replaced: no longer in the books, and on record`;
  return { lacking: [], replaced: lacking.length, notes: [lead, ...listed] };
}

/** A file imported again by another map, or for another account, would give other lines: a person must choose. */
function refuseOtherReading(
  earlier: Pick<ImportedTable, 'id' | 'column_map' | 'account'>,
  file: string,
  map: ColumnMap | null,
  account: string | null,
): void {
  const earlierMap = earlier.column_map === null ? null : (JSON.parse(earlier.column_map) as ColumnMap);
  const about = { file, imported: earlier.id };
  const isSameMap = earlierMap && map ? readsAlike(earlierMap, map) : earlierMap === map;
  if (!isSameMap)
    throw new UsageError(importingError({ id: 'held-by-other-map', ...about, hasMap: earlierMap !== null }));
  if (account === null || account === earlier.account) return;
  throw new UsageError(importingError({ id: 'held-of-other-account', ...about, account: earlier.account }));
}
