import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REPORTS } from '../../reports/index.ts';
import { buildJournal } from '../../reports/journal/build.ts';
import { balancesOf } from '../../reports/journal/journal.ts';
import type { Row } from '../../reports/model.ts';
import { matchNow } from '../../src/app/match/run.ts';
import { formatPeriod } from '../../src/base/period.ts';
import type { Config } from '../../src/config/index.ts';
import { type LedgerReader, usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { amountOfUnits, parseUnits } from '../../src/money/units.ts';
import { inWords } from '../../src/render/in-words.ts';
import { check } from '../checks/options.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { fill, type InvoiceSpec, type LedgerSpec, type NightSpec, withLedger } from '../helpers/ledger.ts';

const MONTHS = ['2026-09', '2026-10', '2026-11'];
const settings = DEFAULT_SETTINGS;

interface Read {
  readonly rows: readonly Row[];
  readonly notes: string;
}

/** Makes a ledger, matches what its files hold, brings another night, and lends a reader of reports. */
function withReports<T>(
  spec: LedgerSpec,
  use: (read: (name: string, periods?: readonly string[]) => Promise<Read>, db: LedgerReader) => Promise<T>,
  night?: NightSpec,
): Promise<T> {
  return withLedger({ periods: MONTHS, ...spec }, async (ledger) => {
    await matchNow(ledger, { config: settings as Config, now: () => new Date('2026-11-20T12:00:00Z') });
    if (night) await ledger.db.transaction().execute((trx) => fill(trx, { at: '2026-11-25T06:00:00Z', ...night }));
    return usingSnapshot(ledger, (db) =>
      use(async (name, periods = MONTHS) => {
        const entry = REPORTS.find((one) => one.name === name)!;
        const report = inWords(await entry.build({ db, settings, periods, period: formatPeriod(periods) }));
        const rows: Row[] = [];
        for await (const row of report.rows) rows.push(row);
        return { rows, notes: report.notes().join('\n') };
      }, db),
    );
  });
}

const pick = (rows: readonly Row[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]));
const at = (day: string) => `${day}T10:00:00+03:00`;
const invoice = (number: number, status: string, day: string, cod = '25.00'): InvoiceSpec => ({
  number,
  status,
  issued_at: at(day),
  period: day.slice(0, 7),
  rows: [{ order_id: `o${number}`, amounts: { USD: [cod, '3.00'] } }],
});
const receipt = (day: string, amount: string, invoice: number | '' = '') =>
  `${day},${amount},USD,Cedar Road,${invoice}`;

/** Invoice 1 and 2 of September, 3 to 5 of October; each asks for 22.00. */
const INVOICES = [
  invoice(1, 'PAID', '2026-09-07'),
  invoice(2, 'PENDING_PAYMENT', '2026-09-21'),
  invoice(3, 'PAID', '2026-10-05'),
  invoice(4, 'PENDING_PAYMENT', '2026-10-12'),
  invoice(5, 'PAID', '2026-10-26'),
];

describe('received and outstanding', () => {
  it('go by the courier’s Paid flag while no receipts are held, and say so', async () => {
    await withReports({ invoices: INVOICES }, async (read) => {
      const totals = await read('totals');
      expect(pick(totals.rows, 'period', 'paid', 'received', 'paid_on_word', 'outstanding', 'basis')).toEqual([
        ['2026-09', '22.00', '0.00', '22.00', '22.00', 'courier'],
        ['2026-10', '44.00', '0.00', '44.00', '22.00', 'courier'],
        ['2026-11', '0.00', '0.00', '0.00', '0.00', 'courier'],
      ]);
      expect(totals.notes).toContain('by the courier’s Paid flag');
      // Nobody saw the others paid before the sync of November.
      expect(pick((await read('ageing', ['2026-10'])).rows, 'number', 'open', 'open_today')).toEqual([
        [1, '22.00', '0.00'],
        [2, '22.00', '22.00'],
        [3, '22.00', '0.00'],
        [4, '22.00', '22.00'],
        [5, '22.00', '0.00'],
      ]);
      expect(pick((await read('ageing')).rows, 'number', 'open')).toEqual([
        [2, '22.00'],
        [4, '22.00'],
      ]);
    });
  });

  it('go by receipts where they touch an invoice or reach over its payment window, whatever the courier says', async () => {
    const own = {
      receipts: [
        receipt('2026-10-05', '-1.00', ''),
        receipt('2026-10-14', '22.00', 4),
        receipt('2026-10-20', '10.00', 2),
      ],
    };
    await withReports({ invoices: INVOICES, own }, async (read) => {
      // 1 lies before what is held, and 5 reaches beyond it: the courier's word. 3 lies within, and no money came.
      expect(pick((await read('invoices')).rows, 'number', 'status', 'received', 'outstanding', 'basis')).toEqual([
        [1, 'Paid', '0.00', '0.00', 'courier'],
        [2, 'Pending payment', '10.00', '12.00', 'receipts'],
        [3, 'Paid', '0.00', '22.00', 'receipts'],
        [4, 'Pending payment', '22.00', '0.00', 'receipts'],
        [5, 'Paid', '0.00', '0.00', 'courier'],
      ]);
      const totals = await read('totals');
      expect(pick(totals.rows, 'period', 'paid', 'received', 'paid_on_word', 'outstanding', 'basis')).toEqual([
        ['2026-09', '22.00', '10.00', '22.00', '12.00', 'both'],
        ['2026-10', '44.00', '22.00', '22.00', '22.00', 'both'],
        ['2026-11', '0.00', '0.00', '0.00', '0.00', 'courier'],
      ]);
      expect(totals.notes).toContain('where no receipts are held for an invoice’s payment window');
      expect(pick((await read('ageing')).rows, 'number', 'open', 'bucket')).toEqual([
        [2, '12.00', '61-90 days'],
        [3, '22.00', '31-60 days'],
        [null, '1.00', 'unallocated'],
      ]);
    });
  });

  it('are what an overdue invoice still owes', async () => {
    const own = { receipts: [receipt('2026-10-14', '22.00', 4), receipt('2026-10-20', '10.00', 2)] };
    await withLedger({ periods: MONTHS, invoices: INVOICES, own }, async (ledger) => {
      const { mismatches } = await check(ledger, { only: ['payment-overdue'] });
      expect(mismatches.map(({ message }) => message)).toEqual([
        expect.stringContaining('Invoice 2 still owes 12.00 USD'),
      ]);
    });
  });

  it('moves balances on the days of the receipts, and of the courier’s Paid flag only where there is none', async () => {
    const own = {
      receipts: [
        receipt('2026-10-02', '22.00', 2),
        receipt('2026-10-14', '20.00', 4),
        receipt('2026-11-02', '22.00', 5),
      ],
    };
    await withReports({ invoices: INVOICES, own }, async (read) => {
      const { rows, notes } = await read('roll-forward');
      const flows = ['period', 'opening', 'invoiced', 'received', 'already_paid', 'closing'];
      expect(pick(rows, ...flows)).toEqual([
        ['2026-09', '0.00', '44.00', '0.00', '0.00', '44.00'],
        ['2026-10', '44.00', '66.00', '-42.00', '0.00', '68.00'],
        ['2026-11', '68.00', '0.00', '-22.00', '-22.00', '24.00'],
      ]);
      expect(notes).toContain('Received is what matched receipts brought, on their own days');
      expect(notes).toContain('Of invoices that no receipts settle, seen paid goes by the courier’s Paid flag');
    });
  });

  it('books each receipt on its own day, and what came before its invoice with the invoice', async () => {
    const own = { receipts: [receipt('2026-10-01', '22.00', 4), receipt('2026-10-14', '7.00')] };
    await withReports({ invoices: [invoice(4, 'PENDING_PAYMENT', '2026-10-12')], own }, async (read) => {
      const { rows } = await read('journal');
      const money = rows.filter(({ transaction }) => /^(REC|ALC)/.test(String(transaction)));
      expect(pick(money, 'date', 'transaction', 'account', 'debit', 'credit')).toEqual([
        ['2026-10-01', 'REC-1-USD', 'Cash or bank', '22.00', null],
        ['2026-10-01', 'REC-1-USD', 'Unallocated receipts', null, '22.00'],
        ['2026-10-12', 'ALC-1-4-USD', 'Unallocated receipts', '22.00', null],
        ['2026-10-12', 'ALC-1-4-USD', 'Courier receivable', null, '22.00'],
        ['2026-10-14', 'REC-2-USD', 'Cash or bank', '7.00', null],
        ['2026-10-14', 'REC-2-USD', 'Unallocated receipts', null, '7.00'],
      ]);
    });
  });
});

const statuses = fc.constantFrom('PAID', 'PENDING_PAYMENT');
const day = (month: string) => fc.integer({ min: 1, max: 28 }).map((n) => `${month}-${String(n).padStart(2, '0')}`);
const invoices = fc
  .array(fc.record({ status: statuses, day: fc.oneof(...MONTHS.map(day)), cod: fc.integer({ min: 1, max: 40 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((all) => all.map((one, i) => invoice(i + 1, one.status, one.day, `${one.cod}.00`)));
const receipts = fc.array(
  fc
    .record({
      day: fc.oneof(...MONTHS.map(day)),
      amount: fc.integer({ min: -30, max: 60 }),
      number: fc.option(fc.integer({ min: 1, max: 6 })),
    })
    .filter(({ amount }) => amount !== 0)
    .map((one) => receipt(one.day, `${one.amount}.00`, one.number ?? '')),
  { maxLength: 8 },
);

describe('whatever came in', () => {
  it('the net is received, named, said to be paid and outstanding; months lead into each other; the books agree', async () => {
    const runs = fc.asyncProperty(invoices, receipts, async (some, lines) => {
      const own = lines.length > 0 ? { own: { receipts: lines } } : {};
      await withReports({ invoices: some, ...own }, async (read, db) => {
        const { rows: totals } = await read('totals');
        for (const row of totals) {
          const parts = ['received', 'differences', 'paid_on_word', 'outstanding'].map((name) =>
            parseUnits(String(row[name])),
          );
          expect(parts.reduce((a, b) => a + b)).toBe(parseUnits(String(row.net_due_to_merchant)));
        }
        const { rows: balances } = await read('roll-forward');
        for (const [i, row] of balances.entries()) expect(row.opening).toBe(balances[i - 1]?.closing ?? '0.00');
        // Each month's own report opens where the one of the month before closed.
        for (const row of balances) {
          const [own] = (await read('roll-forward', [String(row.period)])).rows;
          expect([own?.opening ?? '0.00', own?.closing ?? '0.00']).toEqual([row.opening, row.closing]);
        }
        const outstanding = totals.reduce((sum, row) => sum + parseUnits(String(row.outstanding)), 0n);
        const unallocated = unallocatedIn(await read('open-items')).get('USD') ?? 0n;
        expect(balances.at(-1)?.closing ?? '0.00').toBe(amountOfUnits(outstanding + unallocated).toFixed(2));
        for (const { period, closing } of balances) {
          const open = (name: string) => read(name, [String(period)]).then(({ rows }) => sumOf(rows, 'open'));
          expect([await open('open-items'), await open('ageing')]).toEqual([closing, closing]);
          const journal = await buildJournal(db, {
            settings,
            periods: [String(period)],
            period: String(period),
            deliveredBy: 'day',
          });
          const held = balancesOf(journal.opening, journal.transactions)
            .filter(({ account }) => account === 'courier_receivable' || account === 'unallocated_receipts')
            .reduce((sum, { amount }) => sum + amount, 0n);
          expect(amountOfUnits(held).toFixed(2)).toBe(closing);
        }
      });
    });
    await fc.assert(runs, { numRuns: Number(process.env.REMIT_RECEIVED_RUNS ?? 12) });
  });
});

const sumOf = (rows: readonly Row[], column: string) =>
  amountOfUnits(rows.reduce((sum, row) => sum + parseUnits(String(row[column])), 0n)).toFixed(2);

/** What the receipts that no invoice explains take off the balance, by currency. */
function unallocatedIn({ rows }: Read): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { kind, currency, open } of rows) {
    if (kind !== 'unallocated') continue;
    sums.set(String(currency), (sums.get(String(currency)) ?? 0n) + parseUnits(String(open)));
  }
  return sums;
}

/** What `totals` calls outstanding, by currency. */
function outstandingBy({ rows }: Read): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { currency, outstanding } of rows)
    sums.set(String(currency), (sums.get(String(currency)) ?? 0n) + parseUnits(String(outstanding)));
  return sums;
}

describe('what is outstanding', () => {
  it('holds what was paid of an invoice that is no longer listed, and what was restated once paid', async () => {
    const own = { receipts: [receipt('2026-10-14', '22.00', 4), receipt('2026-10-20', '10.00', 2)] };
    const night = {
      invoices: [invoice(1, 'PAID', '2026-09-07', '27.50')],
      gone: [4, 5],
    };
    await withReports(
      { invoices: INVOICES, own },
      async (read) => {
        const { rows } = await read('totals');
        // Invoice 1 has 2.50 more than when it was paid; invoices 4 and 5 ask for nothing, and 22.00 came in for each.
        expect(pick(rows, 'period', 'net_due_to_merchant', 'received', 'paid_on_word', 'outstanding')).toEqual([
          ['2026-09', '46.50', '10.00', '22.00', '14.50'],
          ['2026-10', '22.00', '22.00', '44.00', '-44.00'],
          ['2026-11', '0.00', '0.00', '0.00', '0.00'],
        ]);
        expect(pick((await read('invoices')).rows, 'number', 'outstanding')).toEqual([
          [1, '2.50'],
          [2, '12.00'],
          [3, '0.00'],
          [4, '-22.00'],
          [5, '-22.00'],
        ]);
        expect(pick((await read('roll-forward')).rows, 'closing').at(-1)).toEqual(['-29.50']);
      },
      night,
    );
  });

  it('is left in a currency that a paid invoice no longer states', async () => {
    const inPounds = {
      ...invoice(1, 'PAID', '2026-09-07'),
      rows: [{ order_id: 'o1', amounts: { LBP: ['90000', '0'] as const } }],
    };
    await withReports(
      { invoices: [invoice(1, 'PAID', '2026-09-07')] },
      async (read) => {
        expect(
          pick(
            (await read('totals', ['2026-09'])).rows,
            'currency',
            'net_due_to_merchant',
            'paid_on_word',
            'outstanding',
          ),
        ).toEqual([
          ['LBP', '90000.00', '0.00', '90000.00'],
          ['USD', '0.00', '22.00', '-22.00'],
        ]);
        expect(pick((await read('roll-forward', ['2026-11'])).rows, 'currency', 'closing')).toEqual([
          ['LBP', '90000.00'],
          ['USD', '-22.00'],
        ]);
      },
      { invoices: [inPounds] },
    );
  });

  it('is the balance with the unallocated receipts, in every currency, whatever vanished, was restated, received or marked paid', async () => {
    const amount = fc.integer({ min: 1, max: 40 }).map((cod) => `${cod}.00`);
    const each = fc.record({
      status: statuses,
      later: statuses,
      day: fc.oneof(...MONTHS.map(day)),
      usd: fc.option(amount),
      lbp: fc.option(amount),
      restated: fc.option(amount),
      isGone: fc.boolean(),
    });
    const worlds = fc.array(each, { minLength: 1, maxLength: 6 });
    const runs = fc.asyncProperty(worlds, receipts, async (all, lines) => {
      const specOf = (number: number, status: string, date: string, usd: string | null, lbp: string | null) => {
        const amounts = { ...(usd && { USD: [usd, '3.00'] as const }), ...(lbp && { LBP: [lbp, '1.00'] as const }) };
        return { ...invoice(number, status, date), rows: [{ order_id: `o${number}`, amounts }] };
      };
      const first = all.map((one, i) => specOf(i + 1, one.status, one.day, one.usd, one.lbp));
      const second = all.map((one, i) => specOf(i + 1, one.later, one.day, one.restated ?? one.usd, one.lbp));
      const night = { invoices: second, gone: all.flatMap(({ isGone }, i) => (isGone ? [i + 1] : [])) };
      const own = lines.length > 0 ? { own: { receipts: lines } } : {};
      await withReports(
        { invoices: first, ...own },
        async (read) => {
          const balances = (await read('roll-forward')).rows.filter(({ period }) => period === MONTHS.at(-1));
          const closings = outstandingBy(await read('totals'));
          for (const [currency, amount] of unallocatedIn(await read('open-items'))) {
            closings.set(currency, (closings.get(currency) ?? 0n) + amount);
          }
          expect(new Map(balances.map((row) => [row.currency, parseUnits(String(row.closing))]))).toEqual(
            new Map(balances.map(({ currency }) => [currency, closings.get(String(currency)) ?? 0n])),
          );
          for (const [currency, sum] of closings) {
            if (!balances.some((row) => row.currency === currency)) expect(sum).toBe(0n);
          }
        },
        night,
      );
    });
    await fc.assert(runs, { numRuns: Number(process.env.REMIT_RECEIVED_RUNS ?? 12) });
  });
});
