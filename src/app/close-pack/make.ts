import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FileError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { renameOver } from '../../base/files/replace.ts';
import { makeFolderBeside } from '../../base/files/temporary.ts';
import { PRIVATE_FILE } from '../../base/private.ts';
import { VERSION } from '../../base/version.ts';
import type { Config } from '../../config/index.ts';
import { appendEvidence, type Ledger, ofCourier, sha256 } from '../../ledger/index.ts';
import type { ClosePackData } from '../../ledger/queries/evidence/statements.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { renderReportToFile } from '../../render/report.ts';
import { booksError } from '../../words/errors/books.ts';
import type { LanguageCode } from '../../words/index.ts';
import { type Books, booksOf, changeBooks, refuseOwnFiles, usingBooks } from '../books.ts';
import { usingAllChecked } from '../check.ts';
import { type Courier, couriersWithMonths, ledgerOf } from '../couriers.ts';
import { claimData } from '../disputes/claim-report.ts';
import { planDisputeOf } from '../disputes/plan.ts';
import { journalOfCourier } from '../journal.ts';
import { type SelfTest, selfTest } from '../selftest/index.ts';
import { planStatement, rememberStatement, type WrittenStatement, writePlanned } from '../statement/statement.ts';
import { type Verified, verifyRows, verifyStore } from '../verify/index.ts';
import { MANIFEST, type Manifest, type PackedFile } from './verify.ts';

export interface ClosePack {
  /** The folder, absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** SHA-256 of the manifest's file. */
  readonly manifest_sha256: string;
  readonly statements: readonly (Omit<WrittenStatement, 'files'> & { readonly courier: string })[];
  /** The couriers without anything in the month: the pack has nothing of them. */
  readonly missing: readonly string[];
  readonly verified: Verified;
  readonly tested: SelfTest;
}

/** Self-test, workbook, journal, claim and proof. */
const PARTS = 5;

export interface ClosePackRequest {
  readonly month: string;
  /** The folder to make, absolute; null for one beside the month's statement. */
  readonly out: string | null;
  /** One workbook per currency. */
  readonly split?: boolean;
  readonly language?: LanguageCode;
  /** In whose name the claim in the pack would be made. */
  readonly by: string;
  /** Called before each part is made, and once when all are. */
  readonly onPart?: (done: number, total: number) => void;
}

/**
 * Puts all that an auditor of a month needs into one folder: the workbook (set up for print on A4), the journal and the
 * claim of each courier, the self-test of the checks, the proof of the ledger, and a manifest with the SHA-256 of each
 * and the chain's head. All of it is of one state of the ledger. The folder appears whole or not at all.
 *
 * @throws FileError where the folder is there already or cannot be made
 */
export async function makeClosePack(books: Books, request: ClosePackRequest): Promise<ClosePack> {
  const { month, onPart = () => {} } = request;
  const reportPart = (done: number) => onPart(done, PARTS);
  const folder = request.out ?? path.join(books.config.statements, `${month} close pack`);
  refuseOwnFiles(books, folder);
  if (existsSync(folder)) throw new FileError(booksError({ id: 'folder-there', folder }));
  makeFolder(path.dirname(folder));
  const unfinished = makeFolderBeside(folder);
  try {
    reportPart(0);
    const tested = await selfTest();
    writeJson(unfinished, 'selftest.json', tested);
    reportPart(1);
    const { statements, missing, verified } = await packBooks(books, request, unfinished, reportPart);
    const manifest: Manifest = {
      kind: 'remit close pack',
      month,
      made_at: books.now().toISOString(),
      made_by: `remit ${VERSION}`,
      status: statements.some(({ closed }) => closed === null) ? 'draft' : 'closed',
      chain_head: verified.head,
      files: readdirSync(unfinished)
        .sort()
        .map((name) => describeFile(unfinished, name)),
    };
    writeJson(unfinished, MANIFEST, manifest);
    // Recorded before the pack appears: a pack that the ledger does not know was edited, even if its manifest fits.
    const manifest_sha256 = describeFile(unfinished, MANIFEST).sha256;
    const data: ClosePackData = { manifest_sha256 };
    await changeBooks(books, { allCouriers: true }, (trx) =>
      appendEvidence(trx, { at: books.now(), kind: 'close-pack', subject: month, data }),
    );
    await renameOver(unfinished, folder);
    reportPart(PARTS);
    return { folder, manifest, manifest_sha256, statements, missing, verified, tested };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** A courier in the pack, with its statement before it is checked and written. */
interface PackedCourier {
  readonly courier: Courier<Config>;
  readonly ledger: Ledger;
  readonly surroundings: Books;
  /** What the names of its files end in: nothing for an only courier. */
  readonly suffix: string;
  readonly planned: Awaited<ReturnType<typeof planStatement>>;
}

/** Writes what the books have of the month into the folder: each courier's files, and the proof of the ledger. */
async function packBooks(
  books: Books,
  request: ClosePackRequest,
  unfinished: string,
  reportPart: (done: number) => void,
): Promise<Pick<ClosePack, 'statements' | 'missing' | 'verified'>> {
  const { month, split = false, language } = request;
  return usingBooks(books, { allCouriers: true }, async (ledger) => {
    const { couriers, lacking } = await couriersWithMonths(ledger, books.config, [month]);
    const missing = lacking.map(({ courier }) => courier);
    const isOnlyCourier = couriers.length + missing.length === 1;
    const packed: PackedCourier[] = [];
    for (const courier of couriers) {
      const [courierLedger, surroundings] = [ledgerOf(ledger, courier), booksOf(books, courier)];
      const suffix = isOnlyCourier ? '' : `-${courier.name}`;
      const out = path.join(unfinished, `${month}${suffix}.xlsx`);
      const wanted = { month, out, asOf: null, split, ...(language && { language }) };
      const planned = await planStatement(courierLedger, surroundings, wanted);
      packed.push({ courier, ledger: courierLedger, surroundings, suffix, planned });
    }
    // The proof has two parts: the database itself here, and the evidence and rows in the snapshot that is packed.
    const store = await verifyStore(ledger);
    const { written, verified } = await usingAllChecked(ledger, packed, [month], async (wholeDb, checked) => {
      const written: WrittenStatement[] = [];
      for (const [index, one] of packed.entries()) {
        const courierDb = ofCourier(wholeDb, one.courier.key);
        written.push(await writePlanned(courierDb, one.surroundings, one.planned, checked[index]!.get(month)!));
        reportPart(2);
        const journals = await journalOfCourier(courierDb, one.courier, [month], 'hledger', { standsAlone: true });
        for (const journal of journals) {
          writePrivate(unfinished, `${month}${journal.suffix}.journal`, [...journal.pieces].join(''));
        }
        reportPart(3);
        await packClaim(courierDb, one, request, unfinished);
      }
      reportPart(4);
      const verified = await verifyRows(wholeDb, store, { deep: false, head: null });
      writeJson(unfinished, 'verify.json', verified);
      return { written, verified };
    });
    // The workbooks are still in the unfinished folder: no matter, because the ledger keeps their names without it.
    for (const [index, { ledger: courierLedger, surroundings }] of packed.entries()) {
      await rememberStatement(courierLedger, surroundings, month, written[index]!);
    }
    // The caller is not told the paths in the unfinished folder: the manifest lists the files.
    const statements = written.map(({ files: _, ...statement }, index) => {
      return { courier: packed[index]!.courier.name, ...statement };
    });
    return { statements, missing, verified };
  });
}

/** Writes the claim of all the month's findings, whether they were claimed before or not. Nothing is claimed by it. */
async function packClaim(
  db: LedgerReader,
  { surroundings, suffix }: PackedCourier,
  { month, by }: ClosePackRequest,
  unfinished: string,
) {
  const selection = { ids: [], filter: { periods: [month] } };
  const { lines, period } = await planDisputeOf(db, surroundings, { selection, again: true, shortOnly: false, by });
  const file = path.join(unfinished, `dispute${suffix}.csv`);
  const options = { generatedAt: surroundings.now(), bom: true };
  await renderReportToFile(claimData(lines, { period }, 'csv'), 'csv', file, options);
}

function describeFile(folder: string, name: string): PackedFile {
  const bytes = readFileSync(path.join(folder, name));
  return { name, size: bytes.length, sha256: sha256(bytes) };
}

function writeJson(folder: string, name: string, value: unknown): void {
  writePrivate(folder, name, `${JSON.stringify(value, null, 2)}\n`);
}

/** Only its owner may read it: it holds money and names. */
function writePrivate(folder: string, name: string, text: string): void {
  writeFileSync(path.join(folder, name), text, { mode: PRIVATE_FILE, flag: 'wx' });
}
