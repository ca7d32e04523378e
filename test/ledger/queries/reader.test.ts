import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMismatchesBy } from '../../../src/ledger/queries/findings/mismatches.ts';
import { sqlMonthTotals } from '../../../src/ledger/queries/invoices/control-totals.ts';
import { readInvoices } from '../../../src/ledger/queries/invoices/invoices.ts';
import { readMonthHeaders, readMonthTotals } from '../../../src/ledger/queries/invoices/totals.ts';
import { type RowLine, readRowPages } from '../../../src/ledger/queries/rows/rows.ts';
import { type LedgerReader, usingSnapshot } from '../../../src/ledger/queries/snapshot.ts';
import { readMonthWalks, readOrderBook } from '../../../src/ledger/queries/sync/fetched.ts';
import { readMonthDocuments } from '../../../src/ledger/queries/sync/runs.ts';
import { formatAmount } from '../../../src/money/decimal.ts';
import { formatUnits } from '../../../src/money/units.ts';
import { fill, type InvoiceSpec, withLedger } from '../../helpers/ledger.ts';

const many = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => ({ order_id: `${prefix}${i}` }));

async function readRows(db: LedgerReader): Promise<RowLine[]> {
  const rows: RowLine[] = [];
  for await (const lines of readRowPages(db, '2026-10')) rows.push(...lines);
  return rows;
}

describe('rows', () => {
  it('come once each and in the order of the documents, whether invoices are larger than a page or many', async () => {
    const invoices: InvoiceSpec[] = [
      { number: 3, rows: many(9_001, 'big-') },
      { number: 1, rows: many(4_000, 'page-') },
      { number: 2, rows: [] },
      { number: 7, rows: many(10, 'vanished-'), vanished: true },
      { number: 8, period: '2026-09', rows: many(2, 'september-') },
      ...Array.from({ length: 1_005 }, (_, i) => ({ number: 100 + i, rows: many(1 + (i % 5), `${i}-`) })),
    ];
    await withLedger({ invoices, orderBook: 'none' }, async ({ db }) => {
      const seen: string[] = [];
      for (const row of await readRows(db)) seen.push(`${row.invoice_number}/${row.position}/${row.order_id}`);
      const expected = invoices
        .filter((invoice) => !invoice.vanished && !invoice.period)
        .sort((a, b) => a.number - b.number)
        .flatMap((invoice) => invoice.rows!.map((row, position) => `${invoice.number}/${position}/${row.order_id}`));
      expect(seen).toEqual(expected);
      const numbers = [];
      for await (const line of readInvoices(db, ['2026-09', '2026-10'])) numbers.push(line.number);
      expect(numbers).toEqual([8, 1, 2, 3, ...Array.from({ length: 1_005 }, (_, i) => 100 + i)]);
    });
  });

  it('has one line a currency, and one without a currency where there is no amount', async () => {
    const rows = [
      { order_id: 'A', amounts: { USD: ['1.5', '0.0001'], LBP: ['-90000', '0'] } as const },
      { order_id: 'B', amounts: {} },
    ];
    await withLedger(
      {
        invoices: [
          { number: 1, rows },
          { number: 2, rows: [] },
        ],
      },
      async ({ db }) => {
        const lines = [];
        for (const row of await readRows(db)) {
          lines.push([row.order_id, row.currency, formatUnits(row.cod), formatUnits(row.delivery_fee)]);
        }
        expect(lines).toEqual([
          ['A', 'LBP', '-90000.00', '0.00'],
          ['A', 'USD', '1.50', '0.0001'],
          ['B', null, '0.00', '0.00'],
        ]);
        const headers = [];
        for await (const line of readInvoices(db, ['2026-10'])) headers.push([line.number, line.currency]);
        expect(headers).toEqual([
          [1, 'LBP'],
          [1, 'USD'],
          [2, null],
        ]);
      },
    );
  });
});

describe('totals', () => {
  const amount = fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }).map((units) => {
    const digits = (units < 0n ? -units : units).toString().padStart(5, '0');
    return `${units < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
  });
  const amounts = fc.dictionary(fc.constantFrom('USD', 'LBP', 'EUR'), fc.tuple(amount, amount), { maxKeys: 3 });
  const invoice = fc.record({
    status: fc.constantFrom('PAID', 'PENDING_PAYMENT', 'SOMETHING_NEW'),
    rows: fc.array(amounts, { maxLength: 4 }),
    header: fc.option(fc.dictionary(fc.constantFrom('USD', 'LBP'), fc.tuple(amount, amount, amount)), {
      nil: undefined,
    }),
  });

  it('are the same row by row and by SQL', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(invoice, { maxLength: 5 }), async (specs) => {
        const invoices = specs.map(({ status, rows, header }, i) => ({
          number: i + 1,
          status,
          rows: rows.map((row, j) => ({ order_id: `${i}-${j}`, amounts: row })),
          ...(header ? { header } : {}),
        }));
        await withLedger({ periods: ['2026-10'], invoices }, async ({ db }) => {
          const totals = await readMonthTotals(db, '2026-10');
          expect(plain(totals)).toEqual(plain(await sqlMonthTotals(db, '2026-10')));
          expect(totals.orders).toBe(specs.reduce((sum, { rows }) => sum + rows.length, 0));
        });
      }),
      { numRuns: 30 },
    );
  });

  it('sums beyond what a float can hold', async () => {
    const rows = [
      { order_id: 'A', amounts: { LBP: ['90071992547409.9301', '0'] } as const },
      { order_id: 'B', amounts: { LBP: ['0.0001', '0.0001'] } as const },
    ];
    await withLedger({ invoices: [{ number: 1, rows }] }, async ({ db }) => {
      for (const totals of [await readMonthTotals(db, '2026-10'), await sqlMonthTotals(db, '2026-10')]) {
        expect(formatAmount(totals.currencies[0]!.order_cod)).toBe('90071992547409.9302');
        expect(formatAmount(totals.currencies[0]!.net_due_to_merchant)).toBe('90071992547409.9301');
      }
    });
  });

  it('splits the net by status and counts invoices and rows of all currencies', async () => {
    const invoices: InvoiceSpec[] = [
      { number: 1, rows: many(2, 'A') },
      { number: 2, status: 'PENDING_PAYMENT', rows: many(1, 'B') },
      { number: 3, rows: many(5, 'C'), vanished: true },
    ];
    await withLedger({ invoices }, async ({ db }) => {
      const headers = await readMonthHeaders(db, '2026-10');
      expect([headers.invoices, headers.orders]).toEqual([2, 3]);
      expect(formatAmount(headers.currencies[0]!.paid)).toBe('44.00');
      expect(formatAmount(headers.currencies[0]!.unpaid)).toBe('22.00');
    });
  });

  function plain(totals: Awaited<ReturnType<typeof readMonthTotals>>): unknown {
    const text = (_: string, value: unknown) => (typeof value === 'object' ? value : String(value));
    return JSON.parse(JSON.stringify(totals, text));
  }
});

describe('what was synced', () => {
  it('tells the latest walk over each month', async () => {
    await withLedger({ periods: ['2026-08'], partial: ['2026-09'] }, async ({ db }) => {
      const states = async () =>
        (await readMonthWalks(db, ['2026-08', '2026-09', '2026-10'])).map(({ period, complete }) => [period, complete]);
      expect(await states()).toEqual([
        ['2026-08', true],
        ['2026-09', false],
      ]);
      await fill(db, { periods: ['2026-09'], partial: ['2026-08'] });
      expect(await states()).toEqual([
        ['2026-08', false],
        ['2026-09', true],
      ]);
    });
  });

  it.each(['none', 'partial', 'complete'] as const)('knows an order book that is %s', async (orderBook) => {
    await withLedger({ orderBook }, async ({ db }) => {
      expect((await readOrderBook(db)).state).toBe(orderBook);
    });
  });
});

it('reads one unchanging view within a snapshot, while another connection writes', async () => {
  await withLedger({ invoices: [{ number: 1, rows: many(1, 'A') }] }, async (ledger) => {
    const { usingLedger } = await import('../../../src/ledger/index.ts');
    await usingSnapshot(ledger, async (db) => {
      expect((await readMonthTotals(db, '2026-10')).invoices).toBe(1);
      await usingLedger(ledger.place, {}, (other) => fill(other.db, { invoices: [{ number: 2, rows: many(1, 'B') }] }));
      expect((await readMonthTotals(db, '2026-10')).invoices).toBe(1);
    });
    expect((await readMonthTotals(ledger.db, '2026-10')).invoices).toBe(2);
  });
});

it('finds the document behind each invoice, by its first sighting', async () => {
  await withLedger({ invoices: [{ number: 4, rows: [] }], nights: [{}] }, async ({ db }) => {
    const invoice = await db.selectFrom('invoice').selectAll().executeTakeFirstOrThrow();
    const documents = [];
    for await (const document of readMonthDocuments(db, '2026-10')) documents.push(document);
    expect(documents).toEqual([
      {
        invoice_number: 4,
        sha256: invoice.detail_sha256,
        size: expect.any(Number),
        run_id: 1,
        received_at: expect.stringMatching(/^2026-11-05T06:00/),
      },
    ]);
    expect(await findMismatchesBy(db, { periods: ['2026-10'] })).toEqual([]);
  });
});
