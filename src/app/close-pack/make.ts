import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FileError } from '../../base/errors.ts';
import { makeFolder, makeFolderBeside, renameOver } from '../../base/files/index.ts';
import { PRIVATE_FILE } from '../../base/private.ts';
import { VERSION } from '../../base/version.ts';
import { appendEvidence, sha256, usingTransaction } from '../../ledger/index.ts';
import type { ClosePackData } from '../../ledger/queries/index.ts';
import { renderReportToFile } from '../../render/report.ts';
import { because } from '../../words/errors/books.ts';
import type { LanguageCode } from '../../words/index.ts';
import { type Books, refuseOwnFiles, usingBooks } from '../books.ts';
import { usingChecked } from '../check.ts';
import { claimData } from '../disputes/claim-report.ts';
import { planDisputeOf } from '../disputes/plan.ts';
import { journalOf } from '../journal.ts';
import { type SelfTest, selfTest } from '../selftest/index.ts';
import { planStatement, rememberStatement, type WrittenStatement, writePlanned } from '../statement/statement.ts';
import { type Verified, verifyRows, verifyStore } from '../verify/index.ts';
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

/** Self-test, workbook, journal, claim and proof. */
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
 * All of it is of one state of the ledger. The folder appears whole or not at all.
 *
 * @throws FileError where the folder is there already or cannot be made
 */
export async function makeClosePack(books: Books, request: ClosePackRequest): Promise<ClosePack> {
  const { month, split = false, language, by, onPart = () => {} } = request;
  const part = (done: number) => onPart(done, PARTS);
  const folder = request.out ?? path.join(books.config.statements, `${month} close pack`);
  refuseOwnFiles(books, folder);
  if (existsSync(folder)) {
    throw new FileError(because({ id: 'folder-there', folder }));
  }
  makeFolder(path.dirname(folder));
  const half = makeFolderBeside(folder);
  try {
    part(0);
    const tested = await selfTest();
    writeJson(half, 'selftest.json', tested);
    part(1);
    const { written, verified } = await usingBooks(books, {}, async (ledger) => {
      const out = path.join(half, `${month}.xlsx`);
      const planned = await planStatement(ledger, books, {
        month,
        out,
        asOf: null,
        split,
        ...(language && { language }),
      });
      const store = await verifyStore(ledger, false);
      const made = await usingChecked(ledger, books, [month], async (db, results) => {
        const written = await writePlanned(db, books, planned, results.get(month)!);
        part(2);
        for (const { suffix, pieces } of await journalOf(db, books, { periods: [month], format: 'hledger' })) {
          writePrivate(half, `${month}${suffix}.journal`, [...pieces].join(''));
        }
        part(3);
        const selection = { ids: [], filter: { periods: [month] } };
        const plan = await planDisputeOf(db, books, { selection, again: true, shortOnly: false, by });
        const { period, merchant, on } = plan;
        const claim = claimData(plan.lines, { period, by: merchant, on });
        await renderReportToFile(claim, 'csv', path.join(half, 'dispute.csv'), { generatedAt: books.now(), bom: true });
        part(4);
        const verified = await verifyRows(db, store, { deep: false, head: null });
        writeJson(half, 'verify.json', verified);
        return { written, verified };
      });
      await rememberStatement(ledger, books, month, made.written);
      return made;
    });
    const { files: _, ...statement } = written;
    const manifest: Manifest = {
      kind: 'remit close pack',
      month,
      made_at: books.now().toISOString(),
      made_by: `remit ${VERSION}`,
      status: statement.closed === null ? 'draft' : 'closed',
      chain_head: verified.head,
      files: readdirSync(half)
        .sort()
        .map((name) => packed(half, name)),
    };
    writeJson(half, MANIFEST, manifest);
    // Before the pack appears: one that the ledger does not know was edited, be its manifest edited to match.
    const manifest_sha256 = packed(half, MANIFEST).sha256;
    await remember(books, month, manifest_sha256);
    await renameOver(half, folder);
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
