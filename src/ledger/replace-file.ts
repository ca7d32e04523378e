import { rm } from 'node:fs/promises';
import path from 'node:path';
import { explainWriteFault } from '../base/files/read.ts';
import { renameOver } from '../base/files/replace.ts';
import { openTemporary } from '../base/files/temporary.ts';
import { filesOf } from './dialect/index.ts';

/** What an error calls the target: a file, which no flag of the command named. */
const AS_FILE = { noun: 'file', flag: null } as const;

/**
 * Makes a ledger in a temporary file in the same folder, and renames it to `target` once it is whole.
 *
 * @param make fills the temporary file, which exists and is empty
 * @throws FileError when the file cannot be written
 */
export async function replaceLedgerFile<T>(target: string, make: (file: string) => Promise<T>): Promise<T> {
  const file = await makeEmptyFile(target);
  const temporaryFiles = filesOf({ kind: 'file', file });
  try {
    const made = await make(file);
    await renameOver(file, target).catch((error: unknown) => {
      throw explainWriteFault(error, target, AS_FILE);
    });
    return made;
  } finally {
    for (const each of temporaryFiles) await rm(each, { force: true });
  }
}

/** Makes a file in the target's folder that only its owner can read. If this run is killed, the next one removes it. */
async function makeEmptyFile(target: string): Promise<string> {
  try {
    const { path: file, handle } = await openTemporary(path.dirname(target));
    await handle.close();
    return file;
  } catch (error) {
    throw explainWriteFault(error, target, AS_FILE);
  }
}
