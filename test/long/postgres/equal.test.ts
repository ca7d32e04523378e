import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REPORTS } from '../../../reports/index.ts';
import { verifyLedger } from '../../../src/app/verify/index.ts';
import { placeOf } from '../../../src/base/place.ts';
import { readMatchBooks } from '../../../src/checks/facts/receipts/match-books.ts';
import { runChecks } from '../../../src/checks/run.ts';
import { copyLedger } from '../../../src/ledger/copy.ts';
import { dumpHash } from '../../../src/ledger/dump.ts';
import { type Ledger, type Place, readHead, sha256, usingLedger } from '../../../src/ledger/index.ts';
import { usingSnapshot } from '../../../src/ledger/queries/snapshot.ts';
import { check, OPTIONS } from '../../checks/options.ts';
import { CHECK_FIXTURES } from '../../fixtures/checks.ts';
import { DEFAULT_SETTINGS } from '../../helpers/check-settings.ts';
import { type LedgerSpec, withLedgerAt } from '../../helpers/ledger.ts';
import { hasPostgres, ICU, newDatabase } from '../../helpers/postgres.ts';
import { rendered } from '../../helpers/render.ts';
import { workbookOf } from '../../helpers/statement.ts';

/** How many random worlds are tried; more with REMIT_EQUAL_WORLDS. */
const WORLDS = Number(process.env.REMIT_EQUAL_WORLDS ?? 2);

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
/** Lines of our CSV, one a key. */
const lines = <T>(line: fc.Arbitrary<T>, key: (line: T) => string, text: (line: T) => string) =>
  fc.uniqueArray(line, { selector: key, maxLength: 5 }).map((all) => all.map(text));
const currency = fc.constantFrom('USD', 'LBP', 'EUR');
const day = fc.integer({ min: 1, max: 31 }).map((n) => `2026-10-${String(n).padStart(2, '0')}`);
/** The net of a default row, of two, and what fits nothing. */
const paid = fc.oneof(fc.constantFrom('22.00', '44.00', '21.50', '-22.00'), cents);
const text = fc.constantFrom('COD', 'COD 1', 'COD 2 and 3', 'Überweisung 4', 'بيت', 'rent');
const own = fc.record(
  {
    orders: lines(
      fc.tuple(
        name.filter((each) => each.trim() !== ''),
        day,
        fc.constantFrom('handed_over', 'cancelled', 'open'),
        currency,
        cents.map((amount) => amount.replace('-', '')),
      ),
      ([reference]) => reference.trim(),
      (line) => line.join(','),
    ),
    receipts: lines(
      fc.tuple(day, paid, currency, text, fc.constantFrom('', '1', '2', '3')),
      (line) => line.join(','),
      (line) => line.join(','),
    ),
    tariff: lines(
      fc.tuple(fc.integer({ min: 1, max: 3 }), currency, fc.constantFrom('3.00', '2.50', '0')),
      ([location, code]) => `${location} ${code}`,
      ([location, code, fee]) => `STANDARD,,,${location},,,${code},${fee}`,
    ),
    rates: lines(
      fc.tuple(day, fc.constantFrom('89500', '89500.25')),
      ([date]) => date,
      ([date, rate]) => `${date},USD,LBP,${rate}`,
    ),
  },
  { requiredKeys: [] },
);
const nights = fc.tuple(night, night, own).map(([first, second, files]) => {
  // A file without a line is no file.
  const filled = Object.fromEntries(Object.entries(files).filter(([, held]) => held.length > 0));
  return { ...SYNCED, ...first, nights: [{ ...SYNCED, ...second }], own: filled } as LedgerSpec;
});

const THREE = { periods: OPTIONS.periods, period: '2026-09..2026-11' };
const ONE_MONTH = { periods: ['2026-10'], period: '2026-10' };
const NONE = { periods: [], period: '' };

/** Everything that anybody can see of a ledger after a check, which matches what it can first. */
async function seen(ledger: Ledger, verified: boolean) {
  const result = await check(ledger);
  const reports: Record<string, string> = {};
  for (const entry of REPORTS) {
    await usingSnapshot(ledger, async (db) => {
      const months = entry.name === 'dashboard' ? ONE_MONTH : entry.needsPeriod ? THREE : NONE;
      const look = () => runChecks(db, { ...OPTIONS, periods: months.periods });
      const report = await entry.build({ db, settings: OPTIONS.settings, runChecks: look, ...months });
      reports[entry.name] = (await rendered(report, 'json')).toString('utf8');
    });
  }
  const statement = verified ? sha256(await workbookOf(ledger)) : null;
  return {
    result,
    reports,
    statement,
    matches: await usingSnapshot(ledger, (db) => readMatchBooks(db, DEFAULT_SETTINGS)),
    dump: await dumpHash(ledger.db),
    head: await readHead(ledger.db),
    problems: verified ? (await verifyLedger(ledger, { deep: false, head: null })).problems : [],
  };
}

async function expectEqual(
  spec: LedgerSpec,
  { create, verify = false, copy = false }: { create?: string; verify?: boolean; copy?: boolean } = {},
): Promise<void> {
  const { place } = await newDatabase(create === undefined ? {} : { create });
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-equal-'));
  const file = placeOf('ledger.db', folder);
  try {
    const right = await withLedgerAt(file, spec, (ledger) => seen(ledger, verify));
    const there = await withLedgerAt(place, spec, (ledger) => seen(ledger, verify));
    expect(there).toEqual(right);
    expect(right.problems).toEqual([]);
    if (!copy) return;
    // A copy each way, the one into a database that sorts by the rules of a language, goes on as what it was made from.
    const other = (await newDatabase({ create: ICU })).place;
    await copyLedger(file, other);
    const back = placeOf('back.db', folder);
    await copyLedger(place, back);
    const again = (where: Place) => usingLedger(where, {}, (ledger) => seen(ledger, verify));
    const after = await again(file);
    for (const where of [place, other, back]) expect(await again(where)).toEqual(after);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.skipIf(!hasPostgres)('a ledger on PostgreSQL gives what one on SQLite gives', () => {
  it.each(Object.entries(CHECK_FIXTURES))('where %s is found', async (_code, spec) => expectEqual(spec));

  it('where nobody planted anything on purpose: random nights, amounts, currencies, names, own files and matches, also copied each way', {
    timeout: 120_000 + WORLDS * 30_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(nights, (spec) => expectEqual(spec, { verify: true, copy: true })),
      { numRuns: WORLDS, endOnFailure: true },
    );
  });

  it('where our figure rests on the own book alone', async () => {
    const { invoices, own } = CHECK_FIXTURES['book-cod-differs']!;
    const tariff = ['STANDARD,,,,,,USD,2.50', 'STANDARD,,,7,,,LBP,100'];
    const later = { number: 1051, rows: [{ order_id: 'A' }, { order_id: 'E' }, { order_id: 'F', reference_id: '' }] };
    const spec = { orderBook: 'none' as const, invoices: [...invoices!, later], own: { ...own, tariff } };
    await expectEqual(spec, { create: ICU, verify: true });
    await expectEqual({ ...spec, own: { ...own, tariff: tariff.slice(0, 1) } });
  });

  it('in a database that sorts by the rules of a language', async () => {
    await expectEqual(CHECK_FIXTURES['duplicate-reference']!, { create: ICU, verify: true });
  });
});
