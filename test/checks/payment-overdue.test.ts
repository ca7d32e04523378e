import { expect, it } from 'vitest';
import { withLedger } from '../helpers/ledger.ts';
import { check } from './options.ts';

const ISSUED = Date.parse('2026-10-01T10:00:00Z');
const HOUR = 3_600_000;

it.each([
  ['30 days', 30 * 24, []],
  ['30 days and 5 hours', 30 * 24 + 5, []],
  ['31 days', 31 * 24, ['31']],
])('an invoice is overdue when more whole days have passed than were agreed: %s', async (_, hours, ages) => {
  const unpaid = { number: 1, status: 'PENDING_PAYMENT', issued_at: new Date(ISSUED).toISOString() };
  await withLedger({ invoices: [{ ...unpaid, rows: [{ order_id: 'A' }] }] }, async (ledger) => {
    const now = new Date(ISSUED + hours * HOUR);
    const { mismatches } = await check(ledger, { now, only: ['payment-overdue'] });
    expect(mismatches.map(({ actual }) => actual)).toEqual(ages);
  });
});

it('says what is still owed, in each currency, beside the sentence that people read', async () => {
  const amounts = { USD: ['25.00', '3.00'], LBP: ['900000', '0'] } as const;
  const unpaid = { number: 1, status: 'PENDING_PAYMENT', issued_at: new Date(ISSUED).toISOString() };
  await withLedger({ invoices: [{ ...unpaid, rows: [{ order_id: 'A', amounts }] }] }, async (ledger) => {
    const { mismatches } = await check(ledger, { only: ['payment-overdue'] });
    expect(mismatches).toMatchObject([
      { currency: 'LBP', amount: '900000.00', effect: null, unit: 'days' },
      { currency: 'USD', amount: '22.00', effect: null, unit: 'days' },
    ]);
  });
});
