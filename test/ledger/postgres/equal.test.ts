import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REPORTS } from '../../../reports/index.ts';
import { verifyLedger } from '../../../src/app/verify/index.ts';
import { runChecks } from '../../../src/checks/run.ts';
import { dumpHash } from '../../../src/ledger/dump.ts';
import { type Ledger, readHead } from '../../../src/ledger/index.ts';
import { usingSnapshot } from '../../../src/ledger/read/index.ts';
import { check, OPTIONS } from '../../checks/options.ts';
import { CHECK_FIXTURES } from '../../fixtures/checks.ts';
import { type LedgerSpec, withLedger, withLedgerAt } from '../../helpers/ledger.ts';
import { hasPostgres, ICU, newDatabase } from '../../helpers/postgres.ts';
import { rendered } from '../../helpers/render.ts';

/** How many random worlds are tried; more with REMIT_WORLDS. */
const WORLDS = Number(process.env.REMIT_WORLDS ?? 4);

const cents = fc.integer({ min: -90_000_000, max: 90_000_000 }).map((n) => (n / 100).toFixed(2));
const amounts = fc.dictionary(fc.constantFrom('USD', 'LBP', 'EUR'), fc.tuple(cents, cents), { maxKeys: 2 });
const state = fc.constantFrom('DELIVERED', 'CANCELLED', 'IN_TRANSIT', 'delivered', 'Ünbekannt');
const name = fc.constantFrom('a', 'B', 'b', 'Z', 'ä', 'é', 'بيت', '#7001', '7001', ' 7001', '');
const row = fc.record(
  {
    order_id: fc.constantFrom('A', 'B', 'a', 'Ä', 'b-1', 'b_1', 'ı', 'I', 'İ', '10', '9').map((id) => `o${id}`),
    reference_id: name,
    amounts,
    delivery_state: state,
    payment_state: fc.constantFrom('PAID_TO_MERCHANT', 'UNPAID', 'odd'),
    book: fc.option(fc.record({ amounts, delivery_state: state, fee_stated: fc.boolean() }, { requiredKeys: [] })),
  },
  { requiredKeys: ['order_id'] },
);
const night = fc.record(
  {
    invoices: fc.uniqueArray(
      fc.record(
        {
          number: fc.integer({ min: 1, max: 6 }),
          status: fc.constantFrom('PAID', 'PENDING_PAYMENT', 'odd'),
          rows: fc.array(row, { maxLength: 4 }),
          detail: fc.constantFrom('unreadable' as const, 'missing' as const),
          vanished: fc.boolean(),
        },
        { requiredKeys: ['number', 'rows'] },
      ),
      { selector: ({ number }) => number, maxLength: 4 },
    ),
    orderBook: fc.constantFrom('complete' as const, 'partial' as const, 'none' as const),
  },
  { requiredKeys: ['invoices'] },
);
/** A month is synced also where no invoice comes of it: of one that never was, every report says so and no more. */
const SYNCED = { periods: ['2026-10'] };
const nights = fc
  .tuple(night, night)
  .map(([first, second]) => ({ ...SYNCED, ...first, nights: [{ ...SYNCED, ...second }] }) as LedgerSpec);

/** Everything that anybody can see of a ledger after a check. */
async function seen(ledger: Ledger, verified: boolean) {
  const result = await check(ledger);
  const reports: Record<string, string> = {};
  for (const entry of REPORTS) {
    await usingSnapshot(ledger, async (db) => {
      // The dashboard shows one month, and what the checks find in it.
      const isOne = entry.name === 'dashboard';
      const periods = isOne ? ['2026-10'] : entry.needsPeriod ? OPTIONS.periods : [];
      const report = await entry.build({
        db,
        settings: OPTIONS.settings,
        periods,
        period: isOne ? '2026-10' : entry.needsPeriod ? '2026-09..2026-11' : '',
        lookAt: () => runChecks(db, { periods, settings: OPTIONS.settings, now: OPTIONS.now }),
      });
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

  it('where nobody planted anything on purpose: random nights, amounts, currencies and names', async () => {
    await fc.assert(
      fc.asyncProperty(nights, (spec) => expectEqual(spec)),
      { numRuns: WORLDS, endOnFailure: true },
    );
  });

  it('in a database that sorts by the rules of a language', async () => {
    await expectEqual(CHECK_FIXTURES['duplicate-reference']!, { create: ICU, verify: true });
  });
});
