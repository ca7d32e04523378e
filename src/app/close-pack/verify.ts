import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FileError } from '../../errors.ts';
import { ledgerExists, sha256 } from '../../ledger/index.ts';
import { isInChain, knowsManifest, usingSnapshot } from '../../ledger/read/index.ts';
import { type Books, placeOf, usingBooks } from '../books.ts';
import type { Problem } from '../verify/index.ts';
import { MANIFEST, parseManifest } from './manifest.ts';

/** What a look at a close pack found. */
export interface VerifiedPack {
  readonly ok: boolean;
  readonly pack: string;
  readonly month: string | null;
  readonly status: 'draft' | 'closed' | null;
  readonly chain_head: string | null;
  /** Whether the chain's head is in the ledger of these books; null where there is no ledger to look into. */
  readonly in_ledger: boolean | null;
  /** SHA-256 of its manifest as it is. */
  readonly manifest_sha256: string;
  /** How many files were hashed again. */
  readonly files: number;
  readonly problems: readonly Problem[];
}

/**
 * Checks a close pack against its manifest: what is missing, changed or was put in; and where there is a ledger, the chain's head and the
 * manifest itself against what it holds. Nothing is written.
 *
 * @param folder absolute
 * @throws FileError where it is no close pack
 */
export async function verifyPack(books: Books, folder: string): Promise<VerifiedPack> {
  const { manifest, manifest_sha256 } = readManifest(folder);
  const problems: Problem[] = [];
  const listed = new Set([MANIFEST]);
  for (const { name, sha256: expected, size } of manifest.files) {
    if (listed.has(name)) problems.push({ where: name, what: 'the manifest lists it twice' });
    listed.add(name);
    const bytes = bytesOf(path.join(folder, name));
    if (bytes === null) problems.push({ where: name, what: 'it is missing' });
    else if (sha256(bytes) !== expected || bytes.length !== size) {
      problems.push({ where: name, what: 'it is not as it was packed: its bytes are others' });
    }
  }
  for (const name of readdirSync(folder).sort()) {
    if (!listed.has(name)) problems.push({ where: name, what: 'the manifest does not list it: it was put in' });
  }
  const known = await lookUp(books, manifest.chain_head, manifest_sha256);
  const in_ledger = known && known.head;
  if (in_ledger === false) {
    problems.push({
      where: 'chain',
      what: `${manifest.chain_head ?? 'no head'} is nowhere in the ledger: evidence was cut off, or this is another ledger`,
    });
  }
  if (known?.head && !known.manifest) {
    const what =
      'the ledger has no record of it: it was edited since, or the pack is of an earlier remit, or newer than this copy of the ledger';
    problems.push({ where: MANIFEST, what });
  }
  const { month, status, chain_head, files } = manifest;
  return {
    ok: problems.length === 0,
    pack: folder,
    month,
    status,
    chain_head,
    in_ledger,
    manifest_sha256,
    files: files.length,
    problems,
  };
}

function readManifest(folder: string) {
  const bytes = bytesOf(path.join(folder, MANIFEST));
  const manifest = bytes && parseManifest(bytes.toString('utf8'));
  if (bytes && manifest) return { manifest, manifest_sha256: sha256(bytes) };
  throw new FileError(
    bytes === null ? `${folder} holds no ${MANIFEST}` : `the ${MANIFEST} of ${folder} is not one of a close pack`,
    'Name a folder that `remit statement --close-pack MONTH` made.',
  );
}

/** Null for what is no file that can be read. */
function bytesOf(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

/** Whether the ledger holds a pack's head and made its manifest; null where there is no ledger. */
async function lookUp(
  books: Books,
  head: string | null,
  manifest_sha256: string,
): Promise<{ readonly head: boolean; readonly manifest: boolean } | null> {
  if (!(await ledgerExists(placeOf(books.config)))) return null;
  return usingBooks(books, { readOnly: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => ({
      head: head !== null && (await isInChain(db, head)),
      manifest: await knowsManifest(db, manifest_sha256),
    })),
  );
}
