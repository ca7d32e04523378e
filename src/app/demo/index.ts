import { monthIn } from '../../base/day.ts';
import { addMonths } from '../../base/period.ts';
import type { Planted } from '../../sandbox/world/planted.ts';
import { type Books, usingBooks } from '../books.ts';
import { checkLedger } from '../check.ts';
import type { CheckResult, FoundMismatch } from '../check-result.ts';
import { requireApiUrl } from '../client.ts';
import { type ClosedMonth, closeLedger, type RefusedClose } from '../close/close.ts';
import type { Imported } from '../import/summary.ts';
import { type MatchReport, matchesOf } from '../match/report-matches.ts';
import { writeMonth } from '../statement/statement.ts';
import { type BooksSync, type Progress, syncBooks } from '../sync.ts';
import { type DemoFolder, finishDemoFolder, openDemoFolder, writeDemoSettings, writeOwnFiles } from './folder.ts';
import { type ImportedSheet, importFile, importSheets } from './sheets.ts';
import { driftDemo, seedDemo, serveDemoAgain, serveNewDemo } from './world.ts';

export type { Planted };

/** Who imports and decides in a demo. */
const BY = 'demo';
/** The reason why the demo closes a month in spite of the faults that were planted in it. */
const WITH_OPEN = 'asked the courier';

/** What the demo did, in the order in which it did it. */
export interface Demo {
  readonly folder: string;
  readonly url: string;
  readonly statement: string;
  /** Null when an earlier demo is run again. */
  readonly planted: readonly Planted[] | null;
  readonly syncs: readonly BooksSync[];
  /** The imports of the shop's own files; none where an earlier demo is run again. */
  readonly imports: readonly Imported[];
  /** The imports of couriers' settlement sheets, into books of their own; none where an earlier demo is run again. */
  readonly sheets: readonly ImportedSheet[];
  readonly matches: MatchReport;
  readonly result: CheckResult;
  /** Last month's close, or why it could not be closed; null where an earlier demo is run again. */
  readonly close: ClosedMonth | RefusedClose | null;
}

/** What the demo needs of the program around it. */
interface DemoSurroundings {
  readonly now: () => Date;
  readonly progress: Progress;
  /** Shows a sentence to the person who waits. */
  readonly note: (sentence: string) => void;
  /** The books of the demo's folder, once it holds settings. The user's own environment changes nothing in them. */
  readonly books: () => Promise<Books>;
  readonly booksIn: (folder: string, courier: string) => Promise<Books>;
}

/**
 * Runs everything once, against the delivery company's service on this machine: a seeded world with a fault of every
 * kind, a sync, the files of the shop and its bank, last month's close, a second sync, the settlement sheets of other
 * couriers, the checks, last month's statement, the matches. An earlier demo is run again.
 *
 * @param folder absolute
 * @throws FileError when the folder holds anything else, or a demo is at work in it
 */
export async function runDemo(folder: string, surroundings: DemoSurroundings): Promise<Demo> {
  const files = await openDemoFolder(folder);
  if (files.isFinished) return runAgain(files, surroundings);
  if (files.wasCleared) surroundings.note(`A demo was stopped in ${folder} before its end; it begins anew.`);
  const demo = await runNew(files, surroundings);
  finishDemoFolder(files);
  return demo;
}

async function runNew(
  files: DemoFolder,
  { now, progress, note, books: openBooks, booksIn }: DemoSurroundings,
): Promise<Demo> {
  note('Making a world: shops, orders, invoices, and one fault of every kind ...');
  const world = seedDemo(files.service, now());
  const service = await serveNewDemo(files.service);
  try {
    await writeDemoSettings(files, service.url, world.key, world.payer);
    const ownFiles = await writeOwnFiles(files, world.ownFiles);
    const books = await openBooks();
    const month = addMonths(monthIn(now(), 'UTC'), -1);
    const months = [addMonths(month, -1), month, addMonths(month, 1)];
    const first = await syncAll(books, months, progress);
    const imports: Imported[] = [];
    for (const { kind, file } of ownFiles) imports.push(await importFile(books, kind, file, BY));
    const close = await usingBooks(books, { exclusive: 'close' }, (ledger) =>
      closeLedger(ledger, books, { month, by: BY, withOpen: WITH_OPEN, first: true }),
    );
    const drift = driftDemo(files.service);
    const second = await syncAll(books, null, progress);
    const sheets = await importSheets(files.folder, now(), booksIn, BY);
    const planted = [...world.planted, ...drift];
    return await conclude(books, { folder: files.folder, syncs: [first, second], imports, sheets, close, planted });
  } finally {
    await service.close();
  }
}

async function runAgain(files: DemoFolder, { progress, note, books: openBooks }: DemoSurroundings): Promise<Demo> {
  note(`${files.folder} holds an earlier demo; its world is used again.`);
  const books = await openBooks();
  const service = await serveDemoAgain(files.service, requireApiUrl(books.config));
  try {
    const syncs = [await syncAll(books, null, progress)];
    const { folder } = files;
    return await conclude(books, { folder, syncs, imports: [], sheets: [], close: null, planted: null });
  } finally {
    await service.close();
  }
}

function syncAll(books: Books, periods: readonly string[] | null, progress: Progress): Promise<BooksSync> {
  return syncBooks(books, { periods, orders: true, full: false }, progress);
}

async function conclude(
  books: Books,
  done: Pick<Demo, 'folder' | 'syncs' | 'imports' | 'sheets' | 'close' | 'planted'>,
): Promise<Demo> {
  const url = requireApiUrl(books.config);
  return usingBooks(books, {}, async (ledger) => {
    const result = await checkLedger(ledger, books, { periods: null });
    const month = addMonths(monthIn(books.now(), books.config.timeZone), -1);
    const { files } = await writeMonth(ledger, books, { month, out: null, asOf: null });
    const matches = await matchesOf(ledger, books);
    return { ...done, url, statement: files[0]!.file, matches, result };
  });
}

/** Whether the checks found a planted fault. What it does not name (null), such as an order, may be any. */
export function isFound(planted: Planted, mismatches: readonly FoundMismatch[]): boolean {
  const named = (['code', 'invoice_number', 'order_id', 'currency'] as const).filter((name) => planted[name] !== null);
  return mismatches.some((mismatch) => named.every((name) => planted[name] === mismatch[name]));
}
