import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { FileError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { isProcessAlive } from '../../base/files/temporary.ts';
import { SETTINGS_FILE } from '../../config/index.ts';
import { settingsText } from '../../config/template.ts';
import type { ImportRequest } from '../import/index.ts';
import { writeText } from '../init.ts';
import { DEMO_SERVICE } from './world.ts';

/** The files of a demo: a books folder, and the service's own file beside it. */
export interface DemoFolder {
  readonly folder: string;
  readonly service: string;
  readonly settings: string;
  /** Whether an earlier demo made it. */
  readonly isThere: boolean;
  /** Whether what a demo that was stopped had left was taken away. */
  readonly isCleared: boolean;
}

const KEY_FILE = 'api-key';
const OWN_FILES = 'own-files';
/** Is there from a demo's first instant until all of it is done, and holds the id of its process. */
const MARK = '.remit-demo';
/** All that a demo makes; nothing else is ever taken away. */
const OWN =
  /^(courier|ledger)\.(db|lock)(-wal|-shm|-journal)?$|^(api-key|remit\.toml|statements|own-files|sheets|\.remit-demo)$|^\.remit-.*\.tmp$/;

/**
 * Makes the demo's folder, or finds an earlier demo in it. What a demo left that was stopped before its end is taken away.
 *
 * @throws FileError when it holds anything else, or a demo is at work in it
 */
export async function openDemoFolder(folder: string): Promise<DemoFolder> {
  const service = path.join(folder, DEMO_SERVICE);
  const settings = path.join(folder, SETTINGS_FILE);
  const isCleared = clearStopped(folder);
  const isThere = existsSync(service) && existsSync(settings);
  if (!isThere) {
    makeFolder(folder);
    if (readdirSync(folder).length > 0) {
      throw new FileError(
        `${folder} is not empty, and no finished demo is in it`,
        'Name another folder, or delete this one if it is left over from a demo that was stopped.',
      );
    }
    await writeText(path.join(folder, MARK), `${process.pid}\n`);
  }
  return { folder, service, settings, isThere, isCleared };
}

/** Says that all of a demo is done: from now on its folder is gone through again. */
export function finishDemoFolder({ folder }: DemoFolder): void {
  rmSync(path.join(folder, MARK), { force: true });
}

export interface DemoSettings {
  readonly apiUrl: string;
  readonly key: string;
  /** Who the courier is on the bank's lines. */
  readonly payer: string;
}

/** Writes the settings of a new demo: the service's address, the key in a file of its own, whose payments are the courier's. */
export async function writeDemoSettings(
  { folder, settings }: DemoFolder,
  { apiUrl, key, payer }: DemoSettings,
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

/** A file of the shop's own or of its bank. */
export interface OwnFile {
  readonly kind: ImportRequest['kind'];
  readonly name: string;
  readonly text: string;
}

/** Writes the shop's own files beside the settings, as its programs and its bank would export them. @returns their paths */
export async function writeOwnFiles({ folder }: DemoFolder, files: readonly OwnFile[]): Promise<OwnFilePath[]> {
  const inside = path.join(folder, OWN_FILES);
  makeFolder(inside);
  const written: OwnFilePath[] = [];
  for (const { kind, name, text } of files) {
    const file = path.join(inside, name);
    await writeText(file, text);
    written.push({ kind, file });
  }
  return written;
}

export interface OwnFilePath {
  readonly kind: ImportRequest['kind'];
  /** Absolute. */
  readonly file: string;
}

/** Takes away what a demo that was stopped left in its folder, if nothing else is in it. @throws FileError while it is at work */
function clearStopped(folder: string): boolean {
  const mark = path.join(folder, MARK);
  if (!existsSync(mark)) return false;
  const pid = Number.parseInt(readFileSync(mark, 'utf8'), 10);
  if (pid !== process.pid && pid > 0 && isProcessAlive(pid)) {
    throw new FileError(`another demo is at work in ${folder}`, 'Wait until it has finished, or name another folder.');
  }
  const names = readdirSync(folder);
  const foreign = names.find((name) => !OWN.test(name));
  if (foreign !== undefined) {
    throw new FileError(
      `${folder} is left over from a demo that was stopped, and holds ${JSON.stringify(foreign)} too`,
      'Move that out and run the demo again, or name another folder.',
    );
  }
  // The mark goes last: killed in between, the next demo goes on here.
  for (const name of names) if (name !== MARK) rmSync(path.join(folder, name), { recursive: true, force: true });
  rmSync(mark, { force: true });
  return true;
}
