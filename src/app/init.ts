import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { AuthError, ConfigError, FileError, RemitError, UsageError } from '../base/errors.ts';
import { makeFolder } from '../base/files/folder.ts';
import { replaceFile } from '../base/files/replace.ts';
import { isCourierName } from '../base/names.ts';
import { SETTINGS_FILE } from '../config/index.ts';
import { settingFault } from '../config/settings.ts';
import { type BooksSettings, NAME_SETTINGS, settingsText } from '../config/template.ts';
import { booksError } from '../words/errors/books.ts';

/**
 * What a books folder is made of. `keyFile` is absolute, or relative to the folder; if neither it nor a command is
 * given, the settings name a file in the folder.
 */
export interface NewBooks extends BooksSettings {
  /** The folder, absolute. */
  readonly folder: string;
  /** The key itself, to be kept in a file of its own; null where it comes from elsewhere. */
  readonly key: string | null;
}

/** What was made: absolute paths. */
export interface MadeBooks {
  readonly settings: string;
  /**
   * The file that the settings name for the key, and that is still to be made; null where the key is there or comes
   * otherwise.
   */
  readonly keyMissing: string | null;
  /** The file in which the key was kept; null where none was given. */
  readonly key: string | null;
  /** The command that brings the first invoices. */
  readonly first: 'sync' | 'import settlement FILE';
}

const KEY_FILE = 'api-key';

/** @throws FileError when the folder holds settings or a key already */
export function refuseBooks(folder: string): void {
  for (const present of [path.join(folder, SETTINGS_FILE), path.join(folder, KEY_FILE)]) {
    if (existsSync(present)) throw new FileError(booksError({ id: 'settings-there', file: present }));
  }
}

/**
 * Makes a books folder: settings, the key's file, a place for statements. Never overwrites anything.
 *
 * @throws ConfigError or UsageError for a value that settings cannot hold; FileError when the folder holds books
 * already or cannot be written
 */
export async function makeBooks(newBooks: NewBooks): Promise<MadeBooks> {
  const { folder, apiUrl, key, keyFile, keyCommand } = newBooks;
  refuseBooks(folder);
  refuseFaults(newBooks);
  makeFolder(path.join(folder, 'statements'));
  const file = path.join(folder, SETTINGS_FILE);
  // Without a key, the settings name a file all the same: remit can then say which file is missing.
  const keyFileInSettings = keyFile ?? (keyCommand === null && apiUrl !== null ? KEY_FILE : null);
  // The settings first: killed between the two, it is a books folder that names what it lacks.
  await writeText(file, settingsText({ ...newBooks, keyFile: keyFileInSettings }));
  try {
    if (key !== null) await writeText(path.join(folder, KEY_FILE), `${key}\n`);
  } catch (error) {
    // Else the next try would find the settings, and leave them as they are.
    await rm(file, { force: true });
    throw error;
  }
  const keyPath = keyFileInSettings === null ? null : path.resolve(folder, keyFileInSettings);
  const first = apiUrl === null ? 'import settlement FILE' : 'sync';
  const keptKey = key === null ? null : path.join(folder, KEY_FILE);
  return { settings: file, keyMissing: keyPath === null || existsSync(keyPath) ? null : keyPath, key: keptKey, first };
}

/** Refuses an address, name, time zone or currency that settings cannot hold. @throws ConfigError or UsageError */
function refuseFaults({ apiUrl, sheetsOf, timeZone, names, baseCurrency = null }: NewBooks): void {
  if (apiUrl === null && sheetsOf.length === 0)
    throw new ConfigError(
      'no delivery company is named',
      'Give the address of its API, or its name where it sends sheets.',
    ).at('api_url');
  const wrong = sheetsOf.find((name) => !isCourierName(name));
  if (wrong !== undefined) throw new UsageError(booksError({ id: 'no-courier-name', name: wrong })).at('sheets_of');
  if (apiUrl !== null) refuseWrongAddress(apiUrl);
  const zoneFault = settingFault('time_zone', timeZone);
  if (zoneFault) throw new ConfigError(`the time zone ${zoneFault}`, 'Write it as Asia/Beirut, say.').at('time_zone');
  if (baseCurrency !== null && !/^[A-Z][A-Z0-9]{1,9}$/.test(baseCurrency))
    throw new ConfigError('the base currency is no currency code', 'Write it as USD.').at('base_currency');
  for (const name of NAME_SETTINGS) {
    const nameFault = names[name] === null ? undefined : settingFault(name, names[name]);
    if (nameFault) throw new ConfigError(`${name} ${nameFault}`, 'Write it as said, and run the command again.');
  }
}

const TIMEOUT_MS = 10_000;

/**
 * Tries an API's address and key, before there are settings with them.
 *
 * @throws ConfigError for a bad address, or without a key; AuthError or ApiError by its answer; each names the field at
 * fault
 */
export async function probeNewAccount(apiUrl: string, key: string | null): Promise<void> {
  refuseWrongAddress(apiUrl);
  if (key === null) throw new ConfigError('there is no API key', 'Copy it from the delivery company.').at('api_key');
  const { createClient } = await import('../courier/index.ts');
  const client = createClient({
    baseUrl: apiUrl,
    apiKey: key,
    concurrency: 1,
    timeoutMs: TIMEOUT_MS,
    deadlineMs: TIMEOUT_MS,
    maxAttempts: 1,
    pageSize: 1,
    signal: new AbortController().signal,
    // A client warns only of a server that sends the key back, and the first sync says that.
    onWarning: () => {},
  });
  try {
    await client.profile();
  } catch (error) {
    if (!(error instanceof RemitError)) throw error;
    const isKey = error instanceof AuthError;
    const { deskError } = await import('../words/errors/desk.ts');
    // The error's own hint names settings, which do not exist yet.
    error.sayOtherwise(deskError({ id: 'account-unanswered', why: error.explanation, isKey }));
    throw error.at(isKey ? 'api_key' : 'api_url');
  } finally {
    await client.close();
  }
}

function refuseWrongAddress(apiUrl: string): void {
  const fault = settingFault('api_url', apiUrl);
  if (fault === undefined) return;
  const remedy = 'Copy it from the delivery company; it ends in /v1/external/.';
  throw new ConfigError(`the address of the API ${fault}`, remedy).at('api_url');
}

/** Writes a small file of new books. @throws FileError */
export async function writeText(file: string, text: string): Promise<void> {
  await replaceFile(file, (handle) => handle.writeFile(text), { noun: 'folder', flag: null });
}
