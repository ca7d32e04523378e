import { describe, expect, it } from 'vitest';
import { REPORTS } from '../../../reports/index.ts';
import { verifyLedger } from '../../../src/app/verify/index.ts';
import { dumpHash } from '../../../src/ledger/dump.ts';
import { type Ledger, readHead } from '../../../src/ledger/index.ts';
import { usingSnapshot } from '../../../src/ledger/read/index.ts';
import { check, OPTIONS } from '../../checks/options.ts';
import { CHECK_FIXTURES } from '../../fixtures/checks.ts';
import { type LedgerSpec, withLedger, withLedgerAt } from '../../helpers/ledger.ts';
import { hasPostgres, ICU, newDatabase } from '../../helpers/postgres.ts';
import { rendered } from '../../helpers/render.ts';

/** Everything that anybody can see of a ledger after a check. */
async function seen(ledger: Ledger, verified: boolean) {
  const result = await check(ledger);
  const reports: Record<string, string> = {};
  for (const entry of REPORTS) {
    await usingSnapshot(ledger, async (db) => {
      const periods = entry.needsPeriod ? OPTIONS.periods : [];
      const report = await entry.build({ db, periods, period: entry.needsPeriod ? '2026-09..2026-11' : '' });
      for (const format of ['json', 'csv'] as const) {
        reports[`${entry.name}.${format}`] = (await rendered(report, format)).toString('utf8');
      }
    });
  }
  return {
    result,
    reports,
    dump: await dumpHash(ledger.db),
    head: await readHead(ledger.db),
    problems: verified ? (await verifyLedger(ledger, { deep: false, head: null })).problems : [],
  };
}

async function expectEqual(
  spec: LedgerSpec,
  { create, verify = false }: { create?: string; verify?: boolean } = {},
): Promise<void> {
  const { place } = await newDatabase(create === undefined ? {} : { create });
  const right = await withLedger(spec, (ledger) => seen(ledger, verify));
  const there = await withLedgerAt(place, spec, (ledger) => seen(ledger, verify));
  expect(there).toEqual(right);
  expect(right.problems).toEqual([]);
}

describe.skipIf(!hasPostgres)('a ledger on PostgreSQL gives what one on SQLite gives', () => {
  it.each(Object.entries(CHECK_FIXTURES))('where %s is found', async (_code, spec) => expectEqual(spec));

  it('in a database that sorts by the rules of a language', async () => {
    await expectEqual(CHECK_FIXTURES['duplicate-reference']!, { create: ICU, verify: true });
  });
});
