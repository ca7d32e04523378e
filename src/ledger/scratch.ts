import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Ledger, usingLedger } from './open.ts';

/** Makes an empty ledger that is thrown away when `use` has ended, whatever happens. */
export async function usingScratchLedger<T>(use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'remit-scratch-'));
  try {
    return await usingLedger(path.join(folder, 'ledger.db'), { create: true, scratch: true }, use);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
