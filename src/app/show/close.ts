import type { CloseRecord } from '../../derive/closes.ts';
import { UsageError } from '../../errors.ts';
import {
  findMismatchesBy,
  type LedgerReader,
  type LoggedClose,
  readClosedRecord,
  readCloseLog,
} from '../../ledger/read/index.ts';
import { quoted } from '../../text.ts';

/** A close with what it froze, as its evidence keeps it. */
type CloseOfLog = LoggedClose & { readonly record: CloseRecord };

/** Every close of a month, the newest last, and what has drifted from the one in force. */
export async function showClose(db: LedgerReader, month: string) {
  const log = await readCloseLog(db, month);
  if (log.length === 0) {
    throw new UsageError(`${quoted(month)} was never closed`, '`remit close MONTH --by NAME` closes a month.');
  }
  const closes: CloseOfLog[] = [];
  for (const close of log) closes.push({ ...close, record: await recordOf(db, close.id) });
  const drift = await findMismatchesBy(db, { periods: [month], codes: ['closed-period-changed'] });
  return { period: month, closes, mismatches: drift.filter(({ status }) => status !== 'resolved') };
}

async function recordOf(db: LedgerReader, id: number): Promise<CloseRecord> {
  return JSON.parse((await readClosedRecord(db, id)).toString('utf8')) as CloseRecord;
}
