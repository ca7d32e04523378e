import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FileError } from '../../errors.ts';
import { makeFolder, makeFolderBeside, PRIVATE_FILE } from '../../files/index.ts';
import { appendEvidence, sha256, usingTransaction } from '../../ledger/index.ts';
import { type ClosePackData, readCloseOf, usingSnapshot } from '../../ledger/read/index.ts';
import { renderReportToFile } from '../../render/report.ts';
import { VERSION } from '../../version.ts';
import type { LanguageCode } from '../../workbook-words.ts';
import { type Books, refuseOwnFiles, usingBooks } from '../books.ts';
import { planDispute } from '../disputes/plan.ts';
import { claimReport } from '../disputes/sheet.ts';
import { journalOfBooks } from '../journal.ts';
import { type SelfTest, selfTest } from '../selftest/index.ts';
import { type WrittenStatement, writeBooksStatement } from '../statement.ts';
import { type Verified, verifyBooks } from '../verify/index.ts';
import { MANIFEST, type Manifest, type PackedFile } from './manifest.ts';

export interface ClosePack {
  /** The folder, absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** SHA-256 of the manifest's file. */
  readonly manifest_sha256: string;
  readonly statement: Omit<WrittenStatement, 'files'>;
  readonly verified: Verified;
  readonly tested: SelfTest;
}

/** Workbook, journal, claim, self-test and proof. */
const PARTS = 5;

export interface ClosePackRequest {
  readonly month: string;
  /** The folder to make, absolute; null for one beside the month's statement. */
  readonly out: string | null;
  /** A workbook a currency. */
  readonly split?: boolean;
  readonly language?: LanguageCode;
  /** In whose name the claim in it would be made. */
  readonly by: string;
  /** Called before each of its parts is made, and at last when all are. */
  readonly onPart?: (done: number, total: number) => void;
}

/**
 * Puts all that an auditor of a month asks for into one folder: the workbook (set up for print on A4), the journal, the claim on the
 * delivery company, the self-test of the checks, the proof of the ledger, and a manifest with the SHA-256 of each and the chain's head.
 * The folder appears whole or not at all.
 *
 * @throws FileError where the folder is there already or cannot be made
 */
export async function makeClosePack(books: Books, request: ClosePackRequest): Promise<ClosePack> {
  const { month, split = false, language, by, onPart = () => {} } = request;
  const part = (done: number) => onPart(done, PARTS);
  const folder = request.out ?? path.join(books.config.statements, `${month} close pack`);
  refuseOwnFiles(books, folder);
  if (existsSync(folder)) {
    throw new FileError(`${folder} is there already`, 'Name another folder with --out, or move that one away.');
  }
  makeFolder(path.dirname(folder));
  const half = makeFolderBeside(folder);
  try {
    part(0);
    const workbook = path.join(half, `${month}.xlsx`);
    const { files: _, ...statement } = await writeBooksStatement(books, {
      month,
      out: workbook,
      asOf: null,
      split,
      ...(language ? { language } : {}),
    });
    part(1);
    for (const { suffix, pieces } of await journalOfBooks(books, { periods: [month], format: 'hledger', asOf: null })) {
      writePrivate(half, `${month}${suffix}.journal`, [...pieces].join(''));
    }
    part(2);
    const selection = { ids: [], filter: { periods: [month] } };
    const plan = await planDispute(books, { selection, again: true, shortOnly: false, by });
    const { period, merchant, on } = plan;
    const claim = claimReport(plan.lines, { period, by: merchant, on });
    await renderReportToFile(claim, 'csv', path.join(half, 'dispute.csv'), { generatedAt: books.now(), bom: true });
    part(3);
    const tested = await selfTest();
    writeJson(half, 'selftest.json', tested);
    part(4);
    const verified = await verifyBooks(books, { deep: false, head: null });
    writeJson(half, 'verify.json', verified);
    const close = await usingBooks(books, { readOnly: true }, (ledger) =>
      usingSnapshot(ledger, (db) => readCloseOf(db, month)),
    );
    const manifest: Manifest = {
      kind: 'remit close pack',
      month,
      made_at: books.now().toISOString(),
      made_by: `remit ${VERSION}`,
      status: close === null ? 'draft' : 'closed',
      chain_head: verified.head,
      files: readdirSync(half)
        .sort()
        .map((name) => packed(half, name)),
    };
    writeJson(half, MANIFEST, manifest);
    // Before it appears: a pack that the ledger does not know was edited, whoever edited its manifest too.
    const manifest_sha256 = packed(half, MANIFEST).sha256;
    await remember(books, month, manifest_sha256);
    renameSync(half, folder);
    part(PARTS);
    return { folder, manifest, manifest_sha256, statement, verified, tested };
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

async function remember(books: Books, month: string, manifest_sha256: string): Promise<void> {
  const data: ClosePackData = { manifest_sha256 };
  await usingBooks(books, {}, (ledger) =>
    usingTransaction(ledger, (trx) =>
      appendEvidence(trx, { at: books.now(), kind: 'close-pack', subject: month, data }),
    ),
  );
}

function packed(folder: string, name: string): PackedFile {
  const bytes = readFileSync(path.join(folder, name));
  return { name, size: bytes.length, sha256: sha256(bytes) };
}

function writeJson(folder: string, name: string, value: unknown): void {
  writePrivate(folder, name, `${JSON.stringify(value, null, 2)}\n`);
}

/** Money and names are their owner's alone. */
function writePrivate(folder: string, name: string, text: string): void {
  writeFileSync(path.join(folder, name), text, { mode: PRIVATE_FILE, flag: 'wx' });
}
