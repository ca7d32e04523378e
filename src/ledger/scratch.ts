import { rm } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryFolder } from '../base/files/temporary.ts';
import { copyToFile } from './copy.ts';
import { type Ledger, usingLedger } from './open.ts';

/** Lends an empty ledger in a temporary folder, and deletes it when `use` has ended. */
export async function usingScratchLedger<T>(use: (ledger: Ledger) => Promise<T>): Promise<T> {
  return usingScratchFile((file) => usingLedger(file, { create: true, scratch: true }, use));
}

/** Lends a copy of a ledger in a temporary folder, and deletes it when `use` has ended. */
export async function usingScratchCopy<T>(ledger: Ledger, use: (copy: Ledger) => Promise<T>): Promise<T> {
  return usingScratchFile(async (file) => {
    await copyToFile(ledger, file);
    return usingLedger(file, { scratch: true }, use);
  });
}

async function usingScratchFile<T>(use: (file: string) => Promise<T>): Promise<T> {
  const folder = makeTemporaryFolder();
  try {
    return await use(path.join(folder, 'ledger.db'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
