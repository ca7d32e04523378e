import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { InterruptedError, LedgerBusyError, LedgerError, RemitError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { renameOver } from '../../base/files/replace.ts';
import { VERSION } from '../../base/version.ts';
import { readFleet } from '../../config/fleet.ts';
import { type LakeRows, QUESTIONS, queryLake } from '../../ledger/fleet/lake-database.ts';
import { usingFleetLock } from '../../ledger/fleet/roles-and-locks.ts';
import { wholeLedger } from '../../ledger/index.ts';
import { readFigureHead } from '../../ledger/queries/evidence/chain.ts';
import { readDocumentedMonths } from '../../ledger/queries/months.ts';
import { type Books, usingBooks } from '../books.ts';
import { writeText } from '../init.ts';
import { booksOfMerchant, type FleetProgram } from './fleet.ts';
import { type LakePart, STAGED, VIEW_NAMES, writeViews } from './lake-views.ts';

interface FleetLake {
  readonly lake: string;
  readonly run: number;
  /** The merchants whose part was written after the run that was given, or in this run. */
  readonly changed: readonly {
    readonly merchant: string;
    readonly run: number;
    readonly months: readonly string[];
    readonly rows: number;
  }[];
  readonly unchanged: number;
  /** The merchants whose books could not be read: their parts of the lake stay as they were. */
  readonly failed: readonly { readonly merchant: string; readonly reason: string }[];
  readonly removed: readonly string[];
}

/**
 * In the lake, `_remit/olive.json` describes the part of the merchant olive. `.next/olive.part` is a part that is being
 * written, `.next/olive` a whole one that is not in place yet. Engines that read a folder as a table skip names with a
 * leading dot or underscore.
 */
const PARTS = '_remit';
const NEXT = '.next';
const WAIT_MS = 60_000;

/**
 * Brings the lake up to date: the part of each merchant whose books changed is written apart, and then replaces the old
 * one.
 *
 * @param since the run after which parts count as changed; null for this run's alone
 * @param written called for each merchant whose part this run wrote
 */
export async function writeLake(
  program: FleetProgram,
  { since, written }: { since: number | null; written: (merchant: string) => void },
): Promise<FleetLake> {
  const fleet = await readFleet(program.folder);
  const { lake } = fleet;
  makeFolder(path.join(lake, PARTS));
  return usingFleetLock(
    lockOf(lake),
    async () => {
      await finishParts(lake);
      const oldParts = readParts(lake);
      const run = Math.max(0, lastRun(lake), ...[...oldParts.values()].map((part) => part.run)) + 1;
      const removed = [...oldParts.keys()].filter((merchant) => !fleet.merchants.has(merchant));
      for (const merchant of removed) await removePart(lake, merchant, oldParts.get(merchant)!);
      const parts = new Map<string, LakePart>();
      const failed: FleetLake['failed'][number][] = [];
      for (const merchant of fleet.merchants.values()) {
        if (program.signal.aborted) throw new InterruptedError('the lake was interrupted');
        const before = oldParts.get(merchant.name);
        try {
          const books = await booksOfMerchant(merchant, program);
          // Opened once for all reports, not once for each. Nothing that only reads calls `hold`.
          const part = await usingBooks(books, { readOnly: true, allCouriers: true }, (ledger) =>
            writePart({ ...books, within: { ledger, hold: async () => {} } }, merchant.name, { lake, before, run }),
          );
          parts.set(merchant.name, part);
          if (part !== before) written(merchant.name);
        } catch (error) {
          if (!(error instanceof RemitError)) throw error;
          failed.push({ merchant: merchant.name, reason: error.message });
          if (before) parts.set(merchant.name, before);
        }
      }
      await writeText(path.join(lake, PARTS, 'run'), `${run}\n`);
      const isChanged = (part: LakePart) => part.run > (since ?? run - 1);
      const changed = [...parts].filter(([, part]) => isChanged(part));
      const hasFailed = (name: string) => failed.some(({ merchant }) => merchant === name);
      return {
        lake,
        run,
        changed: changed.map(([merchant, { files, run: changedIn }]) => ({
          merchant,
          run: changedIn,
          months: monthsOfFiles(Object.keys(files)),
          rows: Object.values(files).reduce((sum, { rows }) => sum + rows, 0),
        })),
        unchanged: [...parts].filter(([name, part]) => !isChanged(part) && !hasFailed(name)).length,
        failed,
        removed,
      };
    },
    WAIT_MS,
  );
}

/** The months in the paths of files: `2026-10` in `orders/merchant=olive/month=2026-10/orders.parquet`. */
function monthsOfFiles(files: readonly string[]): string[] {
  const months = files.flatMap((file) => /\/month=([^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(months)].sort();
}

function lastRun(lake: string): number {
  const file = path.join(lake, PARTS, 'run');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) || 0 : 0;
}

function readParts(lake: string): Map<string, LakePart> {
  const folder = path.join(lake, PARTS);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return new Map(names.sort().map((name) => [name.slice(0, -'.json'.length), readPart(path.join(folder, name))]));
}

const readPart = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as LakePart;

/** How often books are read if they change while they are read. */
const MOST_READS = 3;

/** @returns the new part; the old one if nothing changed */
async function writePart(
  books: Books,
  merchant: string,
  { before, run, lake }: { before: LakePart | undefined; run: number; lake: string },
): Promise<LakePart> {
  const unfinished = path.join(lake, NEXT, `${merchant}.part`);
  for (let attempt = 1; attempt <= MOST_READS; attempt += 1) {
    const { head, months } = await stateOf(books);
    const isWhole = before && Object.keys(before.files).every((file) => existsSync(path.join(lake, file)));
    if (isWhole && before.head === head && before.version === VERSION) return before;
    await rm(unfinished, { recursive: true, force: true });
    makeFolder(unfinished);
    const last = months.at(-1);
    const written = last ? await writeViews(books, merchant, unfinished, last) : { columns: {}, files: {} };
    if ((await stateOf(books)).head !== head) continue;
    const part: LakePart = { run, version: VERSION, head, written_at: books.now().toISOString(), ...written };
    await writeText(path.join(unfinished, 'part.json'), `${JSON.stringify(part)}\n`);
    // The part is whole now: if this run is killed, the next one moves it into place.
    const finished = path.join(lake, NEXT, merchant);
    await rm(finished, { recursive: true, force: true });
    await renameOver(unfinished, finished);
    await finishPart(lake, merchant);
    return part;
  }
  await rm(unfinished, { recursive: true, force: true });
  throw new LedgerError(
    `the books of ${merchant} changed each time while they were read`,
    'Run it again when the sync is over.',
  );
}

/** The chain's head at the last evidence that figures rest on, and the months that have documents. */
function stateOf(books: Books): Promise<{ readonly head: string | null; readonly months: string[] }> {
  return usingBooks(books, { readOnly: true, allCouriers: true }, async ({ db }) => {
    const wholeDb = wholeLedger(db);
    return { head: (await readFigureHead(wholeDb))?.chain ?? null, months: await readDocumentedMonths(wholeDb) };
  });
}

/** Moves the whole parts of a killed run into place; a run that is at work now does so itself. */
async function finishLake(lake: string): Promise<void> {
  if (!existsSync(path.join(lake, NEXT))) return;
  await usingFleetLock(lockOf(lake), () => finishParts(lake)).catch((error: unknown) => {
    if (!(error instanceof LedgerBusyError)) throw error;
  });
}

const lockOf = (lake: string) => path.join(lake, PARTS, 'lake.db');

/** Moves whole parts of a killed run into place, and deletes unfinished ones. */
async function finishParts(lake: string): Promise<void> {
  const folder = path.join(lake, NEXT);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (name.endsWith('.part')) await rm(path.join(folder, name), { recursive: true, force: true });
    else await finishPart(lake, name);
  }
}

/** Moves a part's files over the old ones, and deletes the old files that the part no longer has. */
async function finishPart(lake: string, merchant: string): Promise<void> {
  const finished = path.join(lake, NEXT, merchant);
  const description = path.join(finished, 'part.json');
  // A run had moved the whole part, and was killed while it deleted this folder.
  if (!existsSync(description)) return rm(finished, { recursive: true, force: true });
  const part = readPart(description);
  const place = path.join(lake, PARTS, `${merchant}.json`);
  const old = existsSync(place) ? readPart(place) : null;
  for (const [file, { sha256 }] of Object.entries(part.files)) {
    const from = path.join(finished, `${file}${STAGED}`);
    // A run that was killed has moved it already.
    if (!existsSync(from)) continue;
    if (old?.files[file]?.sha256 === sha256 && existsSync(path.join(lake, file))) continue;
    await mkdir(path.dirname(path.join(lake, file)), { recursive: true });
    await renameOver(from, path.join(lake, file));
  }
  for (const file of Object.keys(old?.files ?? {})) if (!part.files[file]) await removeFile(lake, file);
  await writeText(place, `${JSON.stringify(part)}\n`);
  await rm(finished, { recursive: true, force: true });
}

async function removePart(lake: string, merchant: string, { files }: LakePart): Promise<void> {
  for (const file of Object.keys(files)) await removeFile(lake, file);
  await rm(path.join(lake, PARTS, `${merchant}.json`), { force: true });
}

/** Deletes a file, and its month's and merchant's folders if they are empty then. */
async function removeFile(lake: string, file: string): Promise<void> {
  await rm(path.join(lake, file), { force: true });
  // Only folders of a partition, as `month=2026-10`, are deleted: their names have a `=`.
  for (let folder = path.dirname(file); folder.includes('='); folder = path.dirname(folder)) {
    try {
      await rmdir(path.join(lake, folder));
    } catch {
      // It is not empty, so the folders above it are not either.
      return;
    }
  }
}

/**
 * Answers a question from the lake of all merchants.
 *
 * @param question a name of {@link QUESTIONS}, or SQL
 * @throws LedgerError while there is no lake; UsageError for SQL that cannot be answered
 */
export async function queryFleet(program: FleetProgram, question: string): Promise<LakeRows> {
  const { lake } = await readFleet(program.folder);
  await finishLake(lake);
  const parts = [...readParts(lake).values()];
  if (parts.length === 0) throw new LedgerError(`there is no lake in ${lake}`, 'Write it with: remit fleet lake');
  const tables = VIEW_NAMES.map((name) => {
    const columnsOfParts = parts.flatMap((part) => (part.columns[name] ? [part.columns[name]] : []));
    const columns = new Map(columnsOfParts.flat().map((column) => [column.name, column]));
    const hasFiles = parts.some(({ files }) => Object.keys(files).some((file) => file.startsWith(`${name}/`)));
    // If books could not be read, their part may be of another version of remit, with other columns.
    const isAlike = new Set(columnsOfParts.map((columnsOfPart) => JSON.stringify(columnsOfPart))).size < 2;
    return { name, hasFiles, isAlike, columns: [...columns.values()] };
  });
  return queryLake(lake, tables, QUESTIONS[question] ?? question);
}
