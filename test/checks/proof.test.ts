import fc from 'fast-check';
import { expect, it } from 'vitest';
import { proof } from '../../src/checks/proof.ts';
import { runChecks } from '../../src/checks/run.ts';
import { formatAmount } from '../../src/money/index.ts';
import { type BookSpec, type InvoiceSpec, type LedgerSpec, type RowSpec, withLedger } from '../helpers/ledger.ts';
import { OPTIONS } from './options.ts';

const amount = fc.bigInt({ min: -(10n ** 11n), max: 10n ** 11n }).map((units) => {
  const digits = (units < 0n ? -units : units).toString().padStart(5, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
});
const currency = fc.constantFrom('USD', 'LBP', 'EUR');
const amounts = fc.dictionary(currency, fc.tuple(amount, amount), { maxKeys: 3 });
const header = fc.dictionary(currency, fc.tuple(amount, amount, amount), { maxKeys: 3 });

/** A ledger in which nothing need agree with anything: repeated orders, orders on several invoices, absent and vanished ones. */
const anyRow: fc.Arbitrary<RowSpec> = fc.record({
  order_id: fc.constantFrom('A', 'B', 'C', 'D', 'E'),
  amounts,
  delivery_state: fc.constantFrom('DELIVERED', 'CANCELLED', 'LOST'),
  book: fc.oneof(
    fc.constant(null),
    fc.record({ amounts, vanished: fc.boolean(), fee_stated: fc.boolean() }) as fc.Arbitrary<BookSpec>,
  ),
});
const anyLedger: fc.Arbitrary<LedgerSpec> = fc.record({
  periods: fc.constant(['2026-09', '2026-10']),
  orderBook: fc.constantFrom('complete', 'partial', 'none'),
  invoices: fc.array(
    fc.record({
      number: fc.integer({ min: 1, max: 6 }),
      period: fc.constantFrom('2026-09', '2026-10'),
      status: fc.constantFrom('PAID', 'PENDING_PAYMENT'),
      rows: fc.array(anyRow, { maxLength: 5 }),
      header: fc.option(header, { nil: {} }),
      vanished: fc.boolean(),
    }) as fc.Arbitrary<InvoiceSpec>,
    { maxLength: 5 },
  ),
});

it('explains the difference of any month to the last digit', async () => {
  let explained = 0;
  await fc.assert(
    fc.asyncProperty(anyLedger, async (spec) => {
      await withLedger(spec, async (ledger) => {
        await runChecks(ledger, OPTIONS);
        for (const period of ['2026-09', '2026-10']) {
          for (const line of await proof(ledger.db, period)) {
            expect(`${line.currency} ${formatAmount(line.unexplained)}`).toBe(`${line.currency} 0.00`);
            if (!line.difference.isZero()) explained += 1;
          }
        }
      });
    }),
    { numRuns: 60 },
  );
  expect(explained).toBeGreaterThan(20);
});

/** A ledger in which everything agrees: each order once, delivered, paid as its invoice is, and recorded as it is billed. */
const consistent: fc.Arbitrary<LedgerSpec> = fc
  .array(
    fc.record({
      rows: fc.array(amounts, { maxLength: 6 }),
      paid: fc.boolean(),
      period: fc.constantFrom('2026-09', '2026-10'),
    }),
    { maxLength: 5 },
  )
  .map((specs) => ({
    periods: ['2026-09', '2026-10'],
    invoices: specs.map(({ rows, paid, period }, i) => ({
      number: i + 1,
      period,
      status: paid ? 'PAID' : 'PENDING_PAYMENT',
      issued_at: '2026-11-01T09:00:00.123456+02:00',
      rows: rows.map((row, j) => ({ order_id: `${i}-${j}`, amounts: row })),
    })),
    orders: [
      { order_id: 'new', delivery_state: 'CREATED' },
      { order_id: 'yesterday', first_delivered_at: '2026-11-19T08:00:00.000Z' },
    ],
  }));

it('finds nothing in a ledger that agrees with itself', async () => {
  await fc.assert(
    fc.asyncProperty(consistent, async (spec) => {
      await withLedger(spec, async (ledger) => {
        const { mismatches, skipped } = await runChecks(ledger, OPTIONS);
        expect([mismatches, skipped]).toEqual([[], []]);
        for (const { difference } of await proof(ledger.db, '2026-10')) expect(difference.isZero()).toBe(true);
      });
    }),
    { numRuns: 40 },
  );
});

it('takes each figure from where it should, and keeps counting what a person has settled', async () => {
  const invoice: InvoiceSpec = {
    number: 1,
    rows: [
      { order_id: 'A', amounts: { USD: ['25.00', '3.00'] }, book: { amounts: { USD: ['30.00', '3.00'] } } },
      { order_id: 'B', amounts: { USD: ['10.00', '1.00'] }, book: null },
    ],
    header: { USD: ['35.00', '4.00', '32.00'] },
  };
  await withLedger({ invoices: [invoice] }, async (ledger) => {
    await runChecks(ledger, OPTIONS);
    const figures = async () => {
      const [line] = await proof(ledger.db, '2026-10');
      return [line!.courier, line!.ours, line!.difference, line!.explained, line!.unexplained].map(formatAmount);
    };
    // Net 32 where 31 is right; the order's own record says 5 more than its row: 32 - (27 + 9) = -4 = 1 - 5.
    expect(await figures()).toEqual(['32.00', '36.00', '-4.00', '-4.00', '0.00']);

    await ledger.db.updateTable('mismatch').set({ status: 'resolved' }).where('code', '=', 'invoice-net').execute();
    const { id } = await ledger.db
      .selectFrom('mismatch')
      .select('id')
      .where('code', '=', 'invoice-net')
      .executeTakeFirstOrThrow();
    const settled = { mismatch_id: id, at: 'now', from_status: 'open', to_status: 'resolved', note: 'theirs' } as const;
    await ledger.db
      .insertInto('mismatch_event')
      .values({ ...settled, actor: 'Rana' })
      .execute();
    expect(await figures()).toEqual(['32.00', '36.00', '-4.00', '-4.00', '0.00']);
  });
});
