import { rm } from 'node:fs/promises';
import path from 'node:path';
import { explainWriteFault } from '../base/files/read.ts';
import { renameOver } from '../base/files/replace.ts';
import { openTemporary } from '../base/files/temporary.ts';
import { filesOf } from './dialect/index.ts';

const BY_NAME = { noun: 'file', flag: null } as const;

/**
 * Makes a ledger in a new file beside another, and puts it in that file's place once it is whole.
 *
 * @param make fills the new file, which is there and empty
 * @throws FileError when the file cannot be written
 */
export async function replaceLedgerFile<T>(target: string, make: (file: string) => Promise<T>): Promise<T> {
  const file = await emptyFileBeside(target);
  const leftBehind = filesOf({ kind: 'file', file });
  try {
    const made = await make(file);
    await renameOver(file, target).catch((error: unknown) => {
      throw explainWriteFault(error, target, BY_NAME);
    });
    return made;
  } finally {
    for (const each of leftBehind) await rm(each, { force: true });
  }
}

/** A copy grows in a file that is its owner's alone from the first byte; one that a killed run left is removed by the next. */
async function emptyFileBeside(target: string): Promise<string> {
  try {
    const { path: file, handle } = await openTemporary(path.dirname(target));
    await handle.close();
    return file;
  } catch (error) {
    throw explainWriteFault(error, target, BY_NAME);
  }
}
