import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { FileError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { isProcessAlive } from '../../base/files/temporary.ts';
import { SETTINGS_FILE } from '../../config/index.ts';
import { settingsText } from '../../config/template.ts';
import type { BookFile } from '../../sandbox/world/books/files.ts';
import { writeText } from '../init.ts';
import { DEMO_SERVICE } from './world.ts';

/** The files of a demo: the folder of its books, and in it the file of the service that plays the courier. */
export interface DemoFolder {
  readonly folder: string;
  readonly service: string;
  readonly settings: string;
  /** Whether an earlier demo in it was finished. */
  readonly isFinished: boolean;
  /** Whether the files of a demo that was stopped were deleted from it. */
  readonly wasCleared: boolean;
}

const KEY_FILE = 'api-key';
const OWN_FILES = 'own-files';
/** A file that is there from a demo's first instant until its end, with the id of its process. */
const MARK = '.remit-demo';
/** What a demo puts into its folder, as paths in it. If anything else is there, nothing is deleted. */
const DEMO_FILES = [
  /^(sheets\/)?((courier|ledger)\.(db|lock)(-wal|-shm|-journal)?|remit\.toml|api-key|\.remit-demo)$/,
  /^(statements|own-files|sheets)$/,
  /^statements\/\d{4}-\d{2}\.xlsx$/,
  /^(own-files|sheets)\/[a-z-]+\.(csv|ofx|xml)$/,
  /(^|\/)\.remit-[^/]*\.tmp$/,
];

/**
 * Makes the demo's folder, or finds an earlier demo in it. The files of a demo that was stopped before its end are
 * deleted.
 *
 * @throws FileError when it holds anything else, or a demo is at work in it
 */
export async function openDemoFolder(folder: string): Promise<DemoFolder> {
  const service = path.join(folder, DEMO_SERVICE);
  const settings = path.join(folder, SETTINGS_FILE);
  const wasCleared = clearStopped(folder);
  const isFinished = existsSync(service) && existsSync(settings);
  if (!isFinished) {
    makeFolder(folder);
    if (readdirSync(folder).length > 0) {
      const hint = 'Name another folder, or delete this one if it is left over from a demo that was stopped.';
      throw new FileError(`${folder} is not empty, and no finished demo is in it`, hint);
    }
    await writeText(path.join(folder, MARK), `${process.pid}\n`);
  }
  return { folder, service, settings, isFinished, wasCleared };
}

/** Marks the demo as finished: the next demo in its folder uses the same world. */
export function finishDemoFolder({ folder }: DemoFolder): void {
  rmSync(path.join(folder, MARK), { force: true });
}

/** Writes the settings of a new demo, and its key into a file. @param payer the courier's name on the bank's lines */
export async function writeDemoSettings(
  { folder, settings }: DemoFolder,
  apiUrl: string,
  key: string,
  payer: string,
): Promise<void> {
  makeFolder(path.join(folder, 'statements'));
  await writeText(path.join(folder, KEY_FILE), `${key}\n`);
  const names = {
    merchant_name: null,
    merchant_address: null,
    courier_title: 'Example Delivery',
    courier_address: null,
    courier_email: null,
  };
  const text = settingsText({ apiUrl, sheetsOf: [], keyFile: KEY_FILE, keyCommand: null, timeZone: 'UTC', names });
  await writeText(settings, `${text}\n[receipts]\npayers = [${JSON.stringify(payer)}]\n`);
}

/** Writes the files of the shop and its bank into the demo's folder. @returns their absolute paths */
export async function writeOwnFiles({ folder }: DemoFolder, files: readonly BookFile[]) {
  const subfolder = path.join(folder, OWN_FILES);
  makeFolder(subfolder);
  const written = [];
  for (const { kind, name, text } of files) {
    const file = path.join(subfolder, name);
    await writeText(file, text);
    written.push({ kind, file });
  }
  return written;
}

/**
 * Deletes the files of a demo that was stopped, if the folder holds nothing else.
 *
 * @throws FileError while that demo runs
 */
function clearStopped(folder: string): boolean {
  const mark = path.join(folder, MARK);
  if (!existsSync(mark)) return false;
  const pid = Number.parseInt(readFileSync(mark, 'utf8'), 10);
  if (pid !== process.pid && pid > 0 && isProcessAlive(pid)) {
    throw new FileError(`another demo is at work in ${folder}`, 'Wait until it has finished, or name another folder.');
  }
  const paths = readdirSync(folder, { encoding: 'utf8', recursive: true });
  const foreign = paths.find((one) => !DEMO_FILES.some((form) => form.test(one.replaceAll(path.sep, '/'))));
  if (foreign !== undefined) {
    const what = `${folder} is left over from a demo that was stopped, and holds ${JSON.stringify(foreign)} too`;
    throw new FileError(what, 'Move that out and run the demo again, or name another folder.');
  }
  // The mark is deleted last: if this is killed in between, the next demo goes on here.
  for (const name of readdirSync(folder))
    if (name !== MARK) rmSync(path.join(folder, name), { recursive: true, force: true });
  rmSync(mark, { force: true });
  return true;
}
