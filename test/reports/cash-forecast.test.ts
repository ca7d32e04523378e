import { describe, expect, it } from 'vitest';
import { cashForecast } from '../../reports/cash-forecast.ts';
import type { Row } from '../../reports/model.ts';
import { matchNow } from '../../src/app/match/run.ts';
import type { Config } from '../../src/config/index.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { inWords } from '../../src/render/in-words.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { type InvoiceSpec, type LedgerSpec, withLedger } from '../helpers/ledger.ts';

const at = (day: string) => `${day}T10:00:00+03:00`;
const invoice = (number: number, status: string, day: string, delivered: string): InvoiceSpec => ({
  number,
  status,
  issued_at: at(day),
  rows: [{ order_id: `o${number}`, book: { first_delivered_at: at(delivered) } }],
});

const day = (of: number) => `2026-10-${String(of).padStart(2, '0')}`;

/**
 * Five invoices three days after their delivery, paid seven days later; one waits, and so do a delivered order and one
 * on its way.
 */
const SPEC: LedgerSpec = {
  periods: ['2026-10'],
  invoices: [
    ...[5, 6, 7, 8, 9].map((day) => invoice(day, 'PAID', `2026-10-0${day}`, `2026-10-0${day - 3}`)),
    invoice(26, 'PENDING_PAYMENT', '2026-10-26', '2026-10-23'),
  ],
  orders: [
    { order_id: 'waits', first_delivered_at: at('2026-10-30'), amounts: { USD: ['12.00', '2.00'] } },
    { order_id: 'way', delivery_state: 'IN_TRANSIT', amounts: { USD: ['33.00', '3.00'] } },
    { order_id: 'back', delivery_state: 'AWAITING_RETURN' },
  ],
  own: { receipts: [5, 6, 7, 8, 9].map((day) => `2026-10-${day + 7},22.00,USD,Cedar Road ${day},${day}`) },
};

async function forecast(spec: LedgerSpec): Promise<{ rows: Row[]; notes: string }> {
  return withLedger(spec, async (ledger) => {
    await matchNow(ledger, { config: DEFAULT_SETTINGS as Config, now: () => new Date('2026-11-20T12:00:00Z') });
    return usingSnapshot(ledger, async (db) => {
      const context = { db, settings: DEFAULT_SETTINGS, periods: ['2026-10'], period: '2026-10' };
      const report = inWords(await cashForecast(context));
      return { rows: [...(report.rows as Row[])], notes: report.notes().join('\n') };
    });
  });
}

const pick = (rows: readonly Row[]) => rows.map((row) => [row.stage, row.expected_on, row.days, row.count, row.amount]);

describe('the cash forecast', () => {
  it('names a day by the medians of what was seen, and none where too little was', async () => {
    const { rows, notes } = await forecast(SPEC);
    expect(pick(rows)).toEqual([
      ['invoiced', '2026-11-02', -3, 1, '22.00'],
      ['delivered', '2026-11-09', 4, 1, '10.00'],
      ['in-transit', null, null, 1, '30.00'],
    ]);
    expect(notes).toContain('From delivery to the invoice: median 3 days, over 6 orders.');
    expect(notes).toContain('From the invoice to the money: median 7 days, over 5 invoices.');
    expect(notes).toContain('From pick-up to delivery: too few were seen (0 orders of at least 5) to name a day');
    expect(rows[1]!.basis).toBe(
      'from delivery to the invoice: 3 days, of 6 orders; from the invoice to the money: 7 days, of 5 invoices',
    );
  });

  it('says that nothing is known of payments where four were seen', async () => {
    const own = { receipts: SPEC.own!.receipts!.slice(1) };
    const { rows, notes } = await forecast({ ...SPEC, own });
    expect(pick(rows).map(([stage, day]) => [stage, day])).toEqual([
      ['invoiced', null],
      ['delivered', null],
      ['in-transit', null],
    ]);
    expect(notes).toContain('From the invoice to the money: too few were seen');
  });

  it('goes by the longer of the two days in the middle where an even number was seen', async () => {
    const lagsOf = [2, 2, 3, 5, 6, 6];
    const invoices = lagsOf.map((lag, k) => invoice(10 + k, 'PAID', `2026-10-${10 + k}`, day(10 + k - lag)));
    const { notes } = await forecast({ ...SPEC, invoices });
    expect(notes).toContain('From delivery to the invoice: median 5 days, over 6 orders.');
  });
});
