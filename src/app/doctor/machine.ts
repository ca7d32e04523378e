import { counted } from '../../counted.ts';
import { examinePlace, findDamage, ledgerExists } from '../../ledger/index.ts';
import {
  type LedgerReader,
  monthsHeld,
  readClosesInForce,
  readLastSync,
  readMismatches,
} from '../../ledger/read/index.ts';
import { describePlace } from '../../place.ts';
import { type Books, placeOf, usingBooks } from '../books.ts';
import { bad, type Finding, good } from './finding.ts';

/** What is to be said of the ledger's place: the room on its disk, or its server, the line to it and the rights there. @throws LedgerError */
export function probePlace({ config }: Books): Promise<Finding[]> {
  return examinePlace(placeOf(config));
}

/** Whether the ledger can be opened and is sound; and where months are closed, whether one has changed since. @throws LedgerError */
export async function probeLedger(books: Books): Promise<Finding[]> {
  const place = placeOf(books.config);
  const file = describePlace(place);
  if (!(await ledgerExists(place))) return [good('ledger', `${file} does not exist yet; the first sync makes it`)];
  return usingBooks(books, { readOnly: true }, async (ledger) => {
    const [problem] = await findDamage(ledger);
    if (problem) {
      return [bad('ledger', `${file} is damaged: ${problem}`, 'Restore a backup, or move it away and sync again.')];
    }
    const run = await readLastSync(ledger.db);
    const months = (await monthsHeld(ledger.db)).length;
    const synced = run
      ? `last sync ${run.started_at.slice(0, 16).replace('T', ' ')} UTC (${run.status})`
      : 'never synced';
    return [
      good('ledger', `${file} is sound: ${counted(months, 'month')}, ${synced}`),
      ...(await probeCloses(ledger.db)),
    ];
  });
}

/** By what the last check found: nothing is computed here. */
async function probeCloses(db: LedgerReader): Promise<Finding[]> {
  const closed = (await readClosesInForce(db)).map(({ period }) => period);
  if (closed.length === 0) return [];
  const drifts = (await readMismatches(db, closed)).filter(
    ({ code, status }) => code === 'closed-period-changed' && status === 'open',
  );
  const months = `${counted(closed.length, 'month')} closed, the last ${closed.at(-1)}`;
  if (drifts.length === 0) return [good('closes', `${months}; by the last check none has changed since`)];
  const changed = [...new Set(drifts.map(({ period }) => period))].sort().join(', ');
  const remedy = `\`remit mismatch list --code closed-period-changed\` says what moved; the closes stay as they are.`;
  return [bad('closes', `${months}; changed since: ${changed}`, remedy)];
}
