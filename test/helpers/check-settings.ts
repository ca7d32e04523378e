import { type CheckContext, type CheckSettings, SharedFacts } from '../../src/checks/check.ts';
import { readSources } from '../../src/checks/facts/sources.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';

/** The settings of a remit.toml that says nothing but who pays for the courier. */
export const DEFAULT_SETTINGS: CheckSettings = {
  overdueDays: 30,
  invoiceLagDays: 14,
  matchDays: 21,
  remittanceLagDays: 5,
  remittanceTolerance: '0',
  rateTolerance: '0',
  referenceRule: ['trim', 'drop-hash', 'ignore-case'],
  returns: 'auto',
  timeZone: 'UTC',
  receipts: { payers: ['Cedar Road'], accounts: [] },
};

/** What checks and statements of one month are given. */
export async function checkContext(db: LedgerReader, month: string): Promise<CheckContext> {
  const sources = await readSources(db);
  const now = new Date('2026-11-20T12:00:00Z');
  return { db, periods: [month], settings: DEFAULT_SETTINGS, now, sources, facts: new SharedFacts() };
}
