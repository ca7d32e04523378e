import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildJournal } from '../../../reports/journal/build.ts';
import { balancesOf } from '../../../reports/journal/journal.ts';
import type { DeliveredBy } from '../../../reports/journal/model.ts';
import { journal as journalReport } from '../../../reports/journal/report.ts';
import { sqlMonthTotals } from '../../../src/ledger/queries/invoices/control-totals.ts';
import { usingSnapshot } from '../../../src/ledger/queries/snapshot.ts';
import { amountOfUnits, parseUnits } from '../../../src/money/units.ts';
import { journalFiles } from '../../../src/render/journal/index.ts';
import { journalSettings } from '../../../src/render/journal/settings.ts';
import { DEFAULT_SETTINGS } from '../../helpers/check-settings.ts';
import { type LedgerSpec, withLedger } from '../../helpers/ledger.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'remit-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;
const UTF8 = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };

const at = (day: string) => `${day}T10:00:00+03:00`;
const delivered = (order_id: string, day: string, usd: string) => ({
  order_id,
  amounts: { USD: [usd, '3.00'] as const, LBP: ['450000.00', '0.00'] as const },
  book: { first_delivered_at: at(day) },
});

/**
 * September and October: one paid when first seen, one seen paid later, one restated, one vanished, one delivered and
 * not invoiced.
 */
const SPEC: LedgerSpec = {
  periods: ['2026-09', '2026-10', '2026-11'],
  invoices: [
    {
      number: 1,
      period: '2026-09',
      status: 'PAID',
      issued_at: at('2026-09-20'),
      rows: [delivered('A', '2026-09-12', '10.00')],
    },
    {
      number: 2,
      status: 'PENDING_PAYMENT',
      issued_at: at('2026-10-03'),
      rows: [delivered('B', '2026-09-30', '20.00')],
    },
    {
      number: 3,
      status: 'PENDING_PAYMENT',
      issued_at: at('2026-10-20'),
      rows: [delivered('C', '2026-10-12', '30.00')],
    },
    {
      number: 4,
      status: 'PENDING_PAYMENT',
      issued_at: at('2026-10-21'),
      rows: [delivered('D', '2026-10-13', '40.00')],
      vanished: true,
    },
    {
      number: 5,
      status: 'PENDING_PAYMENT',
      issued_at: at('2026-10-22'),
      rows: [delivered('E', '2026-10-14', '50.00')],
      header: { USD: ['50.00', '3.00', '45.00'], LBP: ['450000.00', '0.00', '450000.00'] },
    },
  ],
  orders: [{ order_id: 'F', first_delivered_at: at('2026-10-31'), amounts: { USD: ['7.00', '1.00'] } }],
  nights: [
    {
      invoices: [
        { number: 2, status: 'PAID', issued_at: at('2026-10-03'), rows: [delivered('B', '2026-09-30', '20.00')] },
      ],
    },
    {
      invoices: [
        {
          number: 3,
          status: 'PENDING_PAYMENT',
          issued_at: at('2026-10-20'),
          rows: [delivered('C', '2026-10-12', '33.00')],
        },
      ],
    },
  ],
};

function build(periods: readonly string[], deliveredBy: DeliveredBy = 'order') {
  return withLedger(SPEC, (ledger) =>
    usingSnapshot(ledger, async (db) => ({
      journal: await buildJournal(db, { settings: DEFAULT_SETTINGS, periods, period: periods.join(), deliveredBy }),
      totals: await sqlMonthTotals(db, '2026-10'),
    })),
  );
}

const balance = (balances: ReturnType<typeof balancesOf>, account: string, currency = 'USD') =>
  amountOfUnits(balances.find((one) => one.account === account && one.currency === currency)?.amount ?? 0n).toFixed(2);

describe('the journal of a ledger', () => {
  it('books what was delivered, invoiced, restated, vanished and seen paid', async () => {
    const { journal } = await build(['2026-10', '2026-11']);
    expect(journal.transactions.map(({ id, date }) => `${date} ${id}`).filter((id) => id.endsWith('USD'))).toEqual([
      '2026-10-03 ACR-2-USD',
      '2026-10-03 INV-2-USD',
      '2026-10-12 DEL-C-USD',
      '2026-10-13 DEL-D-USD',
      '2026-10-14 DEL-E-USD',
      '2026-10-20 ACR-3-USD',
      '2026-10-20 INV-3-USD',
      '2026-10-21 ACR-4-USD',
      '2026-10-21 INV-4-USD',
      '2026-10-22 ACR-5-USD',
      '2026-10-22 INV-5-USD',
      '2026-10-31 DEL-F-USD',
      '2026-11-05 PAY-1-4-USD',
      expect.stringMatching(/^2026-11-\d\d ACR-4-\d+-USD$/),
      expect.stringMatching(/^2026-11-\d\d RES-4-V\d+-USD$/),
      expect.stringMatching(/^2026-11-\d\d PAY-2-\d+-USD$/),
      expect.stringMatching(/^2026-11-\d\d RES-3-R\d+-USD$/),
    ]);
    const closing = balancesOf(journal.opening, journal.transactions);
    // Unpaid: 27 + 3 restated of invoice 3, 45 of invoice 5, whose own net is two short of its COD less fee.
    expect(balance(closing, 'courier_receivable')).toBe('75.00');
    expect(balance(closing, 'other_differences')).toBe('2.00');
    expect(balance(closing, 'bank')).toBe('24.00');
    // D, whose invoice is gone, and F wait for an invoice.
    expect(balance(closing, 'uninvoiced_cod')).toBe('47.00');
    expect(balance(closing, 'accrued_fees')).toBe('-4.00');
    expect(journal.opening.length).toBeGreaterThan(0);
  });

  it('comes to the month’s totals, and to the same balances however deliveries are booked', async () => {
    const { journal, totals } = await build(['2026-10', '2026-11']);
    const usd = totals.currencies.find(({ currency }) => currency === 'USD')!;
    const sums = balancesOf([], journal.transactions);
    const invoiced = parseUnits(balance(sums, 'delivery_fees')) + parseUnits(balance(sums, 'accrued_fees'));
    expect(invoiced).toBe(parseUnits(usd.delivery_fee.toFixed(2)));
    const byDay = (await build(['2026-10', '2026-11'], 'day')).journal;
    expect(balancesOf(byDay.opening, byDay.transactions)).toEqual(balancesOf(journal.opening, journal.transactions));
  });

  it.each([
    ['auto', 2, '-3.00'],
    ['deducted', 3, '-8.00'],
  ] as const)('counts the orders of a day whose COD counts, where returns are %s', async (returns, count, cod) => {
    const one = (order_id: string, usd: string, fee: string, workflow: 'STANDARD' | 'RETURN' = 'STANDARD') => {
      return { order_id, workflow, first_delivered_at: at('2026-10-12'), amounts: { USD: [usd, fee] as const } };
    };
    const orders = [
      one('A', '10.00', '1.00'),
      one('B', '-13.00', '0'),
      one('C', '0', '2.00'),
      one('R', '5.00', '0', 'RETURN'),
    ];
    const settings = { ...DEFAULT_SETTINGS, returns };
    const months = { periods: ['2026-10'], period: '2026-10', deliveredBy: 'day' } as const;
    const { transactions } = await withLedger({ periods: ['2026-10'], orders }, (ledger) =>
      usingSnapshot(ledger, (db) => buildJournal(db, { settings, ...months })),
    );
    expect(transactions.map(({ id, narration }) => ({ id, narration }))).toEqual([
      { id: 'DEL-2026-10-12-USD', narration: { id: 'booked-deliveries', count } },
    ]);
    expect(balance(balancesOf([], transactions), 'uninvoiced_cod')).toBe(cod);
  });

  it('names month and currency where what is booked adds up to more than the ledger can hold', async () => {
    const large = ['600000000000000.00', '0.00'] as const;
    const rows = [{ order_id: 'A', amounts: { LBP: large }, book: { amounts: { LBP: large } } }];
    const months = { periods: ['2026-10'], period: '2026-10' };
    await withLedger({ invoices: [{ number: 1, rows }] }, async (ledger) => {
      await expect(
        usingSnapshot(ledger, (db) => journalReport({ db, settings: DEFAULT_SETTINGS, ...months }, 'day')),
      ).rejects.toThrow('the amounts of 2026-10 in LBP add up to more than the ledger can hold exactly');
    });
  });

  it.skipIf(!has('hledger'))('passes hledger’s checks, and gives the balances that it asserts', async () => {
    const { journal } = await build(['2026-10', '2026-11']);
    const settings = journalSettings(undefined, 'hledger');
    const file = path.join(folder, 'october.journal');
    writeFileSync(file, [...journalFiles(journal, 'hledger', settings, { standsAlone: true })[0]!.pieces].join(''));
    const check = spawnSync('hledger', ['-f', file, 'check', '--strict', 'ordereddates'], {
      encoding: 'utf8',
      env: UTF8,
    });
    expect([check.status, check.stderr]).toEqual([0, '']);
    const args = ['-f', file, 'balance', 'Courier receivable', '--flat', '--no-total', '-O', 'csv', '--layout', 'bare'];
    const csv = execFileSync('hledger', args, { encoding: 'utf8', env: UTF8 });
    expect(csv).toContain('"Assets:Courier receivable","USD","75.00"');
  });

  it.skipIf(!has('bean-check'))('passes bean-check', async () => {
    const { journal } = await build(['2026-10']);
    const file = path.join(folder, 'october.beancount');
    writeFileSync(
      file,
      [
        ...journalFiles(journal, 'beancount', journalSettings(undefined, 'beancount'), { standsAlone: true })[0]!
          .pieces,
      ].join(''),
    );
    const check = spawnSync('bean-check', [file], { encoding: 'utf8', env: UTF8 });
    expect([check.status, check.stdout + check.stderr]).toEqual([0, '']);
  });
});
