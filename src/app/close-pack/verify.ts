import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { FileError, ImportFileError } from '../../base/errors.ts';
import { NotRegularError, readRegularFile, usingRegularFile } from '../../base/files/read.ts';
import { jsonOf } from '../../base/text.ts';
import type { WorkbookMark } from '../../base/workbook-mark.ts';
import { ledgerExists, sha256 } from '../../ledger/index.ts';
import { isInChain } from '../../ledger/queries/evidence/chain.ts';
import { knowsManifest } from '../../ledger/queries/evidence/statements.ts';
import { booksError } from '../../words/errors/books.ts';
import { type Books, readBooks } from '../books.ts';
import { readWorkbook } from '../import/resolutions.ts';
import type { Problem } from '../verify/evidence.ts';

/** The file that lists what is in a close pack. */
export const MANIFEST = 'manifest.json';

export interface PackedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly kind: 'remit close pack';
  readonly month: string;
  readonly made_at: string;
  readonly made_by: string;
  /** Whether the month was closed when the pack was made. */
  readonly status: 'draft' | 'closed';
  /** The head of the chain of evidence: it is in the ledger that the pack was made from. */
  readonly chain_head: string | null;
  readonly files: readonly PackedFile[];
}

export interface VerifiedPack extends Pick<Manifest, 'month' | 'status' | 'chain_head'> {
  readonly ok: boolean;
  /** The folder. */
  readonly pack: string;
  /** Whether the chain's head is in the ledger of these books; null where there is no ledger to look into. */
  readonly in_ledger: boolean | null;
  /** SHA-256 of the manifest's file as it is now. */
  readonly manifest_sha256: string;
  /** How many files were hashed again. */
  readonly files: number;
  readonly problems: readonly Problem[];
}

/** A manifest lists a handful of files. */
const MOST_MANIFEST_BYTES = 1_024 * 1_024;

/**
 * Checks a close pack against its manifest: what is missing, changed or was added, and whether each workbook has the
 * same month and status. If there is a ledger, checks that it holds the chain's head and the manifest itself. Nothing
 * is written.
 *
 * @param folder absolute
 * @throws FileError where it is no close pack
 */
export async function verifyPack(books: Books, folder: string): Promise<VerifiedPack> {
  const { manifest, manifest_sha256 } = await readManifest(folder);
  const problems: Problem[] = [];
  const listed = new Set([MANIFEST]);
  for (const packed of manifest.files) {
    const { name } = packed;
    if (listed.has(name)) problems.push({ where: name, what: 'the manifest lists it twice' });
    listed.add(name);
    const file = path.join(folder, name);
    const fault = (await compareBytes(file, packed)) ?? (await compareStatus(file, manifest, books.signal));
    if (fault !== null) problems.push({ where: name, what: fault });
  }
  for (const name of readdirSync(folder).sort()) {
    if (!listed.has(name)) problems.push({ where: name, what: 'the manifest does not list it: it was put in' });
  }
  const recorded = await findInLedger(books, manifest.chain_head, manifest_sha256);
  const in_ledger = recorded?.head ?? null;
  if (in_ledger === false) {
    problems.push({
      where: 'chain',
      what: `${manifest.chain_head ?? 'no head'} is nowhere in the ledger: evidence was cut off, or this is another ledger`,
    });
  }
  // A ledger that lacks the head lacks the manifest too, and that is said above.
  if (recorded?.head && !recorded.manifest) {
    const what =
      'the ledger has no record of it: it was edited since, or the pack is of an earlier remit, or newer than this copy of the ledger';
    problems.push({ where: MANIFEST, what });
  }
  const { month, status, chain_head, files } = manifest;
  const found = { in_ledger, manifest_sha256, files: files.length, problems };
  return { ok: problems.length === 0, pack: folder, month, status, chain_head, ...found };
}

async function readManifest(folder: string) {
  const text = await readRegularFile(path.join(folder, MANIFEST), { maxBytes: MOST_MANIFEST_BYTES }).catch(() => null);
  const manifest = text === null ? null : parseManifest(text);
  if (text !== null && manifest) return { manifest, manifest_sha256: sha256(text) };
  throw new FileError(booksError({ id: 'no-close-pack', folder, manifest: MANIFEST, holds: text !== null }));
}

/** Reads a manifest; null for any other text. */
function parseManifest(text: string): Manifest | null {
  const manifest = jsonOf(text) as Manifest | null | undefined;
  if (typeof manifest !== 'object' || manifest?.kind !== 'remit close pack') return null;
  if (!Array.isArray(manifest.files) || typeof manifest.month !== 'string') return null;
  const isFile = (file: unknown): file is PackedFile => {
    const { name, sha256, size } = (file ?? {}) as Partial<PackedFile>;
    // A name with a path in it is refused: nothing outside the pack is read.
    const isName = typeof name === 'string' && /^[^/\\]+$/.test(name) && name !== '..';
    return isName && typeof sha256 === 'string' && typeof size === 'number';
  };
  return manifest.files.every(isFile) ? manifest : null;
}

/** Compares a file's bytes with what the manifest says of them. @returns what is wrong; null for nothing */
async function compareBytes(file: string, packed: PackedFile): Promise<string | null> {
  const changed = 'it is not as it was packed: its bytes are others';
  try {
    return await usingRegularFile(file, async (handle, { size }) => {
      if (size !== packed.size) return changed;
      const hash = createHash('sha256');
      // At most one byte more is read: a file that grows meanwhile is found out, and does not keep this busy.
      for await (const piece of handle.createReadStream({ autoClose: false, end: size })) hash.update(piece as Buffer);
      return hash.digest('hex') === packed.sha256 ? null : changed;
    });
  } catch (error) {
    if (error instanceof NotRegularError) return `it is ${error.what}`;
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'it is missing' : `it cannot be read (${code})`;
  }
}

/** Compares what a workbook says of itself with the manifest. @returns what is wrong; null for nothing */
async function compareStatus(file: string, { month, status }: Manifest, signal: AbortSignal): Promise<string | null> {
  if (path.extname(file) !== '.xlsx') return null;
  let mark: WorkbookMark | null;
  try {
    ({ mark } = (await readWorkbook(file, signal)).file);
  } catch (error) {
    if (error instanceof ImportFileError) return `it cannot be read: ${error.message}`;
    throw error;
  }
  if (mark === null) return 'it is no statement that remit wrote';
  if (mark.month !== month) return `it is of ${mark.month}, and the manifest says ${month}`;
  // A pack is a draft as soon as one courier's statement is: the others' may be of a closed month.
  if (mark.status === status || status === 'draft') return null;
  return `it is of a draft, and the manifest says ${status}`;
}

/**
 * Whether the ledger's chain has a pack's head, and whether the manifest is on record; null where there is no ledger.
 */
async function findInLedger(
  books: Books,
  head: string | null,
  manifest_sha256: string,
): Promise<{ readonly head: boolean; readonly manifest: boolean } | null> {
  if (!(await ledgerExists(books.config.ledger))) return null;
  return readBooks(books, { allCouriers: true }, async (db) => ({
    head: head !== null && (await isInChain(db, head)),
    manifest: await knowsManifest(db, manifest_sha256),
  }));
}
