import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainReference } from '../../src/checks/catalogue/duplicate-reference.ts';
import { pagesOfInvoices } from '../../src/checks/facts/headers.ts';
import { type InvoiceSpec, withLedger } from '../helpers/ledger.ts';
import { check } from './options.ts';

describe('checks that look at many rows a stretch at a time', () => {
  it('miss no invoice, look at none twice, and at no more rows than they may', () => {
    const invoices = fc.array(fc.nat({ max: 40 }), { maxLength: 1_200 });
    fc.assert(
      fc.property(invoices, fc.integer({ min: 1, max: 200 }), (counts, most) => {
        const rows = counts.map((row_count, number) => ({ number, row_count }));
        const stretches = pagesOfInvoices(rows, most);
        expect(stretches.flat()).toEqual(rows.map(({ number }) => number));
        for (const stretch of stretches) {
          const sum = stretch.reduce((total, number) => total + counts[number]!, 0);
          expect(stretch.length === 1 || (sum <= most && stretch.length <= 500)).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('checks that look at a month at a time', () => {
  it('find in several months what they find in each', async () => {
    const unpaid = (number: number, period: string): InvoiceSpec => ({
      number,
      period,
      status: 'PENDING_PAYMENT',
      issued_at: `${period}-05T10:00:00Z`,
      rows: [{ order_id: `O${number}`, amounts: { USD: ['25.00', '3.00'] } }],
      header: { USD: ['26.00', '3.00', '23.00'] },
    });
    // The later month has the lower number.
    const invoices = [unpaid(1, '2026-10'), unpaid(3, '2026-09'), unpaid(4, '2026-09')];
    const now = new Date('2026-12-20T12:00:00Z');
    await withLedger({ invoices }, async (ledger) => {
      const found = async (...periods: string[]) => {
        const { mismatches } = await check(ledger, { now, only: ['payment-overdue', 'invoice-cod-total'], periods });
        return mismatches.map(({ code, period, invoice_number, actual }) => [code, period, invoice_number, actual]);
      };
      const both = await found('2026-09', '2026-10');
      expect(both).toHaveLength(6);
      expect([...(await found('2026-09')), ...(await found('2026-10'))].sort()).toEqual(both.sort());
    });
  });
});

describe('duplicate-reference', () => {
  // Mostly capitals, mostly small letters, and a mixture: each is told apart in another way.
  it.each(['AAb1', 'aaB1', 'AaBb'])(
    'finds every pair that differs in nothing or in case, among letters of %s',
    async (letters) => {
      const reference = fc.string({ unit: fc.constantFrom(...letters), minLength: 0, maxLength: 3 });
      const orders = fc.array(fc.record({ reference_id: reference, isCancelled: fc.boolean() }), {
        minLength: 2,
        maxLength: 12,
      });
      await fc.assert(
        fc.asyncProperty(orders, async (drawn) => {
          const book = drawn.map(({ reference_id, isCancelled }, index) => ({
            order_id: `O${index}`,
            reference_id,
            delivery_state: isCancelled ? 'CANCELLED' : 'CREATED',
            stamps: ['2026-10-03T08:00:00.000Z'],
          }));
          const shared = new Map<string, number>();
          for (const { reference_id, isCancelled } of drawn) {
            const plain = plainReference(reference_id);
            if (!isCancelled && plain !== '') shared.set(plain, (shared.get(plain) ?? 0) + 1);
          }
          await withLedger({ invoices: [{ number: 1, rows: [] }], orders: book }, async (ledger) => {
            const { mismatches } = await check(ledger, { only: ['duplicate-reference'] });
            const found = mismatches.map(({ subject, actual }) => [subject, actual]);
            const expected = [...shared].filter(([, count]) => count > 1);
            expect(found.sort()).toEqual(
              expected.map(([plain, count]) => [`reference ${plain}`, String(count)]).sort(),
            );
          });
        }),
        { numRuns: 8 },
      );
    },
  );
});
