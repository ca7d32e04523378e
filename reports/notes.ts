/** Notes that several reports have. */

import { dayIn } from '../src/base/day.ts';
import { comesAsSheets, requireMonths } from '../src/checks/facts/months.ts';
import type { SettledSums } from '../src/checks/facts/receipts/settlements.ts';
import { wholeLedger } from '../src/ledger/index.ts';
import { readClosesInForce } from '../src/ledger/queries/closes/closes.ts';
import { readWaiting } from '../src/ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';
import { readSyncedMonths } from '../src/ledger/queries/sync/fetched.ts';
import type { ReportContext } from './context.ts';

/**
 * The notes on months that a report cannot show, or can show only in part. `bySheets`: the courier sends settlement
 * sheets, which no sync fetches.
 */
export type SyncedMonthsNote =
  | { id: 'months-never-synced'; months: readonly string[]; bySheets: boolean; command: string }
  | { id: 'month-listed-in-part'; month: string }
  | { id: 'invoices-not-in-report'; month: string; missing: number; listed: number };

/**
 * The months of a period that a report can show, and the notes on those for which the courier's invoices are missing.
 * No invoice list or settlement sheet covers those that are `uncovered`.
 *
 * @throws LedgerError when it can show none of them
 */
export async function syncedMonths({ db, settings, periods }: Pick<ReportContext, 'db' | 'settings' | 'periods'>) {
  const months = await requireMonths(db, settings, periods);
  const { incomplete, lacking, never } = await readSyncedMonths(db, periods);
  const notes: SyncedMonthsNote[] = [];
  if (never.length > 0) {
    const bySheets = await comesAsSheets(db, settings);
    const [first, last] = [never[0], never.at(-1)];
    const range = first === last ? first : `${first}..${last}`;
    const command = bySheets ? 'remit import settlement FILE' : `remit sync ${range}`;
    notes.push({ id: 'months-never-synced', months: never, bySheets, command });
  }
  for (const month of incomplete) notes.push({ id: 'month-listed-in-part', month });
  for (const { period: month, ...counts } of lacking) notes.push({ id: 'invoices-not-in-report', month, ...counts });
  return { months, uncovered: never, notes };
}

/** `isFrozen`: the report shows the closed month as it was closed, not as the data has it now. */
export type MonthClosedNote = { id: 'month-closed'; month: string; by: string; on: string; isFrozen: boolean };

/** A note for each of these months that is closed. `zone`: the time zone of the days on which they were closed. */
export async function closedMonthNotes(
  db: LedgerReader,
  months: readonly string[],
  { isFrozen, zone }: Pick<MonthClosedNote, 'isFrozen'> & { readonly zone: string },
): Promise<MonthClosedNote[]> {
  const closes = (await readClosesInForce(db)).filter(({ period }) => months.includes(period));
  return closes.map(({ period, actor, at }) => {
    return { id: 'month-closed', month: period, by: actor, on: dayIn(at, zone), isFrozen };
  });
}

/** Says whether the outstanding figure rests on receipts, on the courier's Paid flag, or on both. */
export type OutstandingBasis = { id: 'outstanding-basis'; basis: SettledSums['basis'] };

/** A note on what the outstanding figures rest on; none if there are no figures. */
export function basisNotes(bases: Iterable<SettledSums['basis']>): OutstandingBasis[] {
  const [basis, ...others] = new Set(bases);
  if (basis === undefined) return [];
  return [{ id: 'outstanding-basis', basis: others.length === 0 ? basis : 'both' }];
}

/** `decision`: the number under which a second person approves the file. */
export type WaitingReceiptsNote = { id: 'receipts-waiting'; file: string; lines: number; decision: number };

/** A note per imported file that waits for a second person's approval: its lines are in no figure yet. */
export async function waitingReceipts(db: LedgerReader): Promise<WaitingReceiptsNote[]> {
  return (await readWaiting(wholeLedger(db), 'import')).map(({ id, source, data }) => {
    const { request } = JSON.parse(data!) as { readonly request: { readonly new: number } };
    return { id: 'receipts-waiting', file: source!, lines: request.new, decision: id };
  });
}
