import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { counted, sizeText } from '../../counted.ts';
import { findDamage } from '../../ledger/index.ts';
import { monthsHeld, readLastSync } from '../../ledger/read/index.ts';
import { type Books, placeOf, usingBooks } from '../books.ts';
import { bad, type Finding, good } from './finding.ts';

const LEAST_FREE_BYTES = 200e6;

/** Whether the disk has room for the ledger to double, which a backup or a large first sync may need. */
export async function probeDisk({ config }: Books): Promise<Finding> {
  const ledger = placeOf(config);
  const folder = path.dirname(ledger);
  if (!existsSync(folder))
    return bad('disk', `there is no folder ${folder}`, 'Make it, or correct the path of the ledger.');
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const wanted = Math.max(LEAST_FREE_BYTES, existsSync(ledger) ? statSync(ledger).size : 0);
  const message = `${sizeText(free)} free in ${folder}`;
  return free >= wanted ? good('disk', message) : bad('disk', message, `Free at least ${sizeText(wanted)}.`);
}

/** Whether the ledger can be opened and is sound. @throws LedgerError */
export async function probeLedger(books: Books): Promise<Finding> {
  const file = placeOf(books.config);
  if (!existsSync(file)) return good('ledger', `${file} does not exist yet; the first sync makes it`);
  return usingBooks(books, { readOnly: true }, async (ledger) => {
    const [problem] = await findDamage(ledger);
    if (problem)
      return bad('ledger', `${file} is damaged: ${problem}`, 'Restore a backup, or move it away and sync again.');
    const run = await readLastSync(ledger.db);
    const months = (await monthsHeld(ledger.db)).length;
    const synced = run
      ? `last sync ${run.started_at.slice(0, 16).replace('T', ' ')} UTC (${run.status})`
      : 'never synced';
    return good('ledger', `${file} is sound: ${counted(months, 'month')}, ${synced}`);
  });
}
