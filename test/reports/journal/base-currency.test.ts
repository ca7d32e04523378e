import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { inBaseCurrency } from '../../../reports/journal/base-currency.ts';
import { buildJournal } from '../../../reports/journal/build.ts';
import { withFeeTax } from '../../../reports/journal/charges.ts';
import { ClosedBook } from '../../../reports/journal/closed-book.ts';
import { balancesOf, journalOf } from '../../../reports/journal/journal.ts';
import type { JournalTransaction } from '../../../reports/journal/model.ts';
import { postDelivered, postInvoiced, postReceived } from '../../../reports/journal/post.ts';
import { journal as journalReport } from '../../../reports/journal/report.ts';
import type { Row } from '../../../reports/model.ts';
import { closeLedger } from '../../../src/app/close/close.ts';
import { matchNow } from '../../../src/app/match/run.ts';
import { HEADS, importText } from '../../../src/app/selftest/own-files.ts';
import type { AccountingSettings } from '../../../src/base/settings.ts';
import type { Config } from '../../../src/config/index.ts';
import { parseRate, RateTable } from '../../../src/imports/rates.ts';
import type { Ledger } from '../../../src/ledger/index.ts';
import { usingSnapshot } from '../../../src/ledger/queries/snapshot.ts';
import { formatUnits, parseUnits } from '../../../src/money/units.ts';
import { JOURNAL_FORMATS } from '../../../src/render/formats.ts';
import { journalFiles } from '../../../src/render/journal/index.ts';
import { accountIn, journalSettings } from '../../../src/render/journal/settings.ts';
import { DEFAULT_SETTINGS } from '../../helpers/check-settings.ts';
import { type InvoiceSpec, type LedgerSpec, withLedger } from '../../helpers/ledger.ts';
import { transactions } from '../../render/journal/world.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'remit-base-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;
const UTF8 = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };

const RATES: readonly (readonly [string, string])[] = [
  ['2026-09-01', '89000'],
  ['2026-10-03', '89500'],
  ['2026-10-10', '90000'],
  ['2026-10-20', '89000'],
  ['2026-10-31', '91000'],
];
const table = new RateTable(
  RATES.map(([date, rate], at) => ({ place: `rates.csv:${at}`, date, from: 'USD', to: 'LBP', rate: parseRate(rate) })),
);
const inUsd = (all: readonly (JournalTransaction | null)[], revalue = false, to = '2026-10-31') =>
  inBaseCurrency(
    all.flatMap((one) => one ?? []),
    { currency: 'USD', revaluesIn: () => revalue, rateOn: (day) => table.on(day, 'LBP', 'USD')!.rate },
    to,
  );
const said = (all: readonly JournalTransaction[]) =>
  all.map(({ date, id, lines }) => [
    `${date} ${id}`,
    ...lines.map(({ account, amount, base }) => `${account} ${formatUnits(amount)} = ${formatUnits(base!)}`),
  ]);

const lbp = (date: string) => ({ date, currency: 'LBP' });
const INVOICE = postInvoiced({
  ...lbp('2026-10-03'),
  number: 7,
  cod: parseUnits('8950000'),
  delivery_fee: 0n,
  net_due_to_merchant: parseUnits('8950000'),
});
const receipt = (receipt: string, date: string, amount: string) =>
  postReceived({ ...lbp(date), receipt, amount: parseUnits(amount), allocated: parseUnits(amount), invoices: [7] });

describe('settled in the base currency', () => {
  it('is a loss at a worse rate and a gain at a better one, of the part that is paid', () => {
    const first = receipt('1', '2026-10-10', '4475000');
    const second = receipt('2', '2026-10-20', '4475000');
    expect(said(inUsd([second, INVOICE, first]))).toEqual([
      ['2026-10-03 INV-7-LBP', 'courier_receivable 8950000.00 = 100.00', 'receivables -8950000.00 = -100.00'],
      [
        // 4,475,000 at 90,000 is 49.72; half of the invoice stands at 50.00.
        '2026-10-10 REC-1-LBP',
        'bank 4475000.00 = 49.72',
        'courier_receivable -4475000.00 = -50.00',
        'exchange_differences 0.00 = 0.28',
      ],
      [
        '2026-10-20 REC-2-LBP',
        'bank 4475000.00 = 50.28',
        'courier_receivable -4475000.00 = -50.00',
        'exchange_differences 0.00 = -0.28',
      ],
    ]);
  });

  it('takes each invoice at its own rate where a receipt pays several, also the accrual by what it stands at', () => {
    const other = postInvoiced({
      ...lbp('2026-10-10'),
      number: 8,
      cod: parseUnits('9000000'),
      delivery_fee: 0n,
      net_due_to_merchant: parseUnits('9000000'),
    });
    const both = postReceived({
      ...lbp('2026-10-20'),
      receipt: '3',
      amount: parseUnits('17950000'),
      allocated: parseUnits('17950000'),
      invoices: [7, 8],
      shares: [
        { number: 7, amount: -parseUnits('8950000') },
        { number: 8, amount: -parseUnits('9000000') },
      ],
    });
    const closing = balancesOf([], inUsd([INVOICE, other, both]));
    expect(closing.find(({ account }) => account === 'courier_receivable')).toBeUndefined();
    // 17,950,000 at 89,000 is 201.69, of two invoices that stand at 100.00 each.
    expect(closing.find(({ account }) => account === 'exchange_differences')).toMatchObject({
      amount: 0n,
      base: -16_900n,
    });
  });

  it('takes back only the invoice that a receipt of a closed month no longer pays', () => {
    const net = parseUnits('8950000');
    const invoiced = (number: number, restated?: string, change = net) =>
      postInvoiced(
        {
          ...lbp(restated ? '2026-10-10' : '2026-09-03'),
          number,
          cod: change,
          delivery_fee: 0n,
          net_due_to_merchant: change,
        },
        restated,
      )!;
    const received = { ...lbp('2026-09-20'), receipt: '3', amount: 2n * net };
    const shares = [7, 8].map((number) => ({ number, amount: -net }));
    const both = postReceived({ ...received, allocated: 2n * net, invoices: [7, 8], shares })!;
    const one = postReceived({ ...received, allocated: net, invoices: [7] })!;
    const book = new ClosedBook();
    book.close([invoiced(7), invoiced(8), both], { id: 100, period: '2026-09' });
    book.add([invoiced(7), invoiced(8), one, invoiced(7, 'R5', -parseUnits('890000'))]);
    const adjusted = book.transactions.find(({ id }) => id.startsWith('ADJ-'));
    expect(adjusted?.shares).toEqual([{ number: 8, amount: net }]);
    // Invoice 7 stays paid: what it is restated by is new, and stands at its own day's rate.
    const restated = inUsd(book.transactions).find(({ id }) => id.startsWith('RES-'));
    expect(restated?.lines.map(({ account }) => account)).toEqual(['courier_receivable', 'receivables']);
  });

  it('revalues what is open at the month’s end, and takes it back on the first', () => {
    const first = receipt('1', '2026-10-10', '4475000');
    const revalued = inUsd([INVOICE, first], true, '2026-11-30').filter(({ id }) => id.startsWith('REV-'));
    // 4,475,000 at 91,000 is 49.18; it stands at 50.00.
    expect(said(revalued)).toEqual([
      ['2026-10-31 REV-2026-10-LBP', 'courier_receivable 0.00 = -0.82', 'unrealised_differences 0.00 = 0.82'],
      ['2026-11-01 REV-2026-10-LBP-R', 'courier_receivable 0.00 = 0.82', 'unrealised_differences 0.00 = -0.82'],
      ['2026-11-30 REV-2026-11-LBP', 'courier_receivable 0.00 = -0.82', 'unrealised_differences 0.00 = 0.82'],
      ['2026-12-01 REV-2026-11-LBP-R', 'courier_receivable 0.00 = 0.82', 'unrealised_differences 0.00 = -0.82'],
    ]);
  });

  it('adds up to zero, whatever is booked, and leaves nothing where nothing is left', () => {
    const runs = fc.property(transactions, fc.boolean(), (all, revalue) => {
      const stated = inUsd(all, revalue);
      for (const { lines } of stated) expect(lines.reduce((sum, { base }) => sum + base!, 0n)).toBe(0n);
      const back = all.map((one) => ({
        ...one,
        id: `Z${one.id}`,
        date: '2026-10-31',
        lines: one.lines.map((line) => ({ ...line, amount: -line.amount })),
      }));
      for (const { account, currency, amount, base } of balancesOf([], inUsd([...all, ...back]))) {
        expect(amount).toBe(0n);
        if (['courier_receivable', 'uninvoiced_cod', 'accrued_fees', 'unallocated_receipts'].includes(account))
          expect([account, currency, base]).toEqual([account, currency, 0n]);
      }
    });
    fc.assert(runs, { numRuns: 60 });
  });
});

describe('the tax that fees include', () => {
  const row = { date: '2026-10-03', currency: 'USD', number: 7, cod: 0n, net_due_to_merchant: 0n };
  const taxOf = (one: JournalTransaction) =>
    one.lines
      .filter(({ account }) => account === 'delivery_fees' || account === 'recoverable_tax')
      .map(({ account, amount }) => `${account} ${formatUnits(amount)}`);

  it('is 11/111 of a fee at 11%, rounded once an invoice over its restatements', () => {
    const fees = ['10.00', '0.05', '0.05', '-10.10'];
    const all = fees.map(
      (fee, at) =>
        postInvoiced(
          { ...row, date: `2026-10-0${at + 3}`, delivery_fee: parseUnits(fee) },
          at === 0 ? undefined : `R${at}`,
        )!,
    );
    expect(withFeeTax(all, () => 1_100).map(taxOf)).toEqual([
      ['delivery_fees 9.01', 'recoverable_tax 0.99'],
      // 10.05 has 0.9959 of tax, 10.10 has 1.0009.
      ['delivery_fees 0.04', 'recoverable_tax 0.01'],
      ['delivery_fees 0.05'],
      ['delivery_fees -9.10', 'recoverable_tax -1.00'],
    ]);
  });

  it('leaves accruals as they are', () => {
    const delivered = postDelivered({
      ...row,
      order_id: 'A',
      reference_id: null,
      cod: 0n,
      delivery_fee: parseUnits('11.10'),
    })!;
    expect(withFeeTax([delivered], () => 1_100)).toEqual([delivered]);
  });

  it('is taken out of each kind of fee that a sheet states, and adds up to that of the whole fee', () => {
    const charged = (delivery: string, handling: string, restated?: string) =>
      postInvoiced(
        {
          ...row,
          delivery_fee: parseUnits(delivery) + parseUnits(handling),
          fees: [
            ['delivery_fees', parseUnits(delivery)],
            ['charge:handling', parseUnits(handling)],
            ['tax:wht', parseUnits('0.19')],
          ],
        },
        restated,
      )!;
    const feesOf = (one: JournalTransaction) =>
      one.lines
        .filter(({ account }) => /fees|charge|tax/.test(account))
        .map(({ account, amount }) => `${account} ${formatUnits(amount)}`);
    // 0.79 of 8.00, and 0.94 of 9.50.
    expect(withFeeTax([charged('8.00', '1.50'), charged('0.00', '-1.50', 'R1')], () => 1_100).map(feesOf)).toEqual([
      ['delivery_fees 7.21', 'charge:handling 1.35', 'recoverable_tax 0.94', 'tax:wht 0.19'],
      ['charge:handling -1.35', 'recoverable_tax -0.15', 'tax:wht 0.19'],
    ]);
  });

  it('is for a restatement what it was for its invoice', () => {
    const sold = postInvoiced({ ...row, delivery_fee: parseUnits('10.00') })!;
    const back = postInvoiced({ ...row, date: '2026-11-02', delivery_fee: parseUnits('-10.00') }, 'V9')!;
    const later = (day: string) => (day < '2026-11' ? null : 1_100);
    expect(withFeeTax([sold, back], later)).toEqual([sold, back]);
  });
});

const at = (day: string) => `${day}T10:00:00+03:00`;
const invoice = (number: number, day: string, delivered: string): InvoiceSpec => ({
  number,
  status: 'PENDING_PAYMENT',
  issued_at: at(day),
  period: day.slice(0, 7),
  rows: [
    {
      order_id: `o${number}`,
      amounts: { USD: ['25.00', '3.00'], LBP: [`${number}950000.00`, '100000.00'] },
      book: { first_delivered_at: at(delivered) },
    },
  ],
});

/** Late and partial receipts in two currencies; delivered before the month, and not invoiced. */
const SPEC: LedgerSpec = {
  periods: ['2026-09', '2026-10', '2026-11'],
  invoices: [
    invoice(1, '2026-09-20', '2026-09-12'),
    invoice(2, '2026-10-03', '2026-09-28'),
    invoice(3, '2026-10-12', '2026-10-05'),
    invoice(4, '2026-10-25', '2026-10-24'),
  ],
  orders: [{ order_id: 'F', first_delivered_at: at('2026-09-30'), amounts: { LBP: ['700000.00', '33333.00'] } }],
  own: {
    receipts: [
      '2026-09-25,22.00,USD,Cedar Road,1',
      '2026-10-10,1000000,LBP,Cedar Road,1',
      '2026-10-21,850000,LBP,Cedar Road,1',
      '2026-10-22,2850000,LBP,Cedar Road,2',
      '2026-10-11,3850000,LBP,Cedar Road,3',
      '2026-11-02,22.00,USD,Cedar Road,2',
      '2026-10-23,123456,LBP,Cedar Road,',
    ],
  },
};
const WITH_RATES: LedgerSpec = {
  ...SPEC,
  own: { ...SPEC.own, rates: RATES.map(([date, rate]) => `${date},USD,LBP,${rate}`) },
};
const KEPT: AccountingSettings = { baseCurrency: 'USD', revalue: true, feeVat: 1_100 };

function build(spec: LedgerSpec, accounting: AccountingSettings = KEPT, periods = ['2026-10']) {
  const settings = { ...DEFAULT_SETTINGS, accounting };
  return withLedger(spec, async (ledger) => {
    await matchNow(ledger, { config: settings as unknown as Config, now: () => new Date('2026-11-20T12:00:00Z') });
    return usingSnapshot(ledger, async (db) => {
      const journal = await buildJournal(db, { settings, periods, period: periods.join(), deliveredBy: 'order' });
      const report = await journalReport({ db, settings, periods, period: periods.join() });
      const rows: Row[] = [];
      for await (const row of report.rows) rows.push(row);
      return { journal, columns: report.columns.map(({ name }) => name), rows };
    });
  });
}

const textOf = (pieces: Iterable<string>) => [...pieces].join('');
const run = (program: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: UTF8 });
  return { status, stdout, stderr };
};

describe('books kept in one currency', () => {
  it('open with what stood at its own days’ rates, and lead from month to month', async () => {
    const { journal } = await build(WITH_RATES);
    const both = (await build(WITH_RATES, KEPT, ['2026-09', '2026-10'])).journal;
    expect(balancesOf(journal.opening, journal.transactions)).toEqual(balancesOf(both.opening, both.transactions));
    const september = both.transactions.filter(({ date }) => date < '2026-10-01');
    expect(journal.opening).toEqual(balancesOf([], september));
    expect(september.find(({ id }) => id === 'DEL-F-LBP')!.lines[0]).toMatchObject({ base: parseUnits('7.87') });
    expect(both.transactions.filter(({ id }) => id.startsWith('REV-')).map(({ id }) => id)).toEqual([
      'REV-2026-09-LBP',
      'REV-2026-09-LBP-R',
      'REV-2026-10-LBP',
    ]);
  });

  it.skipIf(!has('hledger'))('pass hledger’s checks, whose balance at cost is ours', async () => {
    const { journal } = await build(WITH_RATES);
    const settings = journalSettings(undefined, 'hledger');
    const file = path.join(folder, 'base.journal');
    writeFileSync(file, textOf(journalFiles(journal, 'hledger', settings, { standsAlone: true })[0]!.pieces));
    expect(run('hledger', '-f', file, 'check', '--strict', 'ordereddates', 'balancednoautoconversion')).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
    const csv = run(
      'hledger',
      '-f',
      file,
      'balance',
      '-B',
      '--flat',
      '--no-total',
      '-O',
      'csv',
      '--layout',
      'bare',
    ).stdout;
    const theirs: Record<string, bigint> = {};
    for (const [account, currency, amount] of parse(csv, { from: 2 }) as string[][]) {
      expect(currency).toBe('USD');
      if (parseUnits(amount!) !== 0n) theirs[account!] = parseUnits(amount!);
    }
    const ours: Record<string, bigint> = {};
    for (const { account, base = 0n } of balancesOf(journal.opening, journal.transactions)) {
      const name = accountIn(settings, account);
      ours[name] = (ours[name] ?? 0n) + base;
    }
    delete theirs[settings.accounts.opening];
    expect(theirs).toEqual(Object.fromEntries(Object.entries(ours).filter(([, amount]) => amount !== 0n)));
    expect(theirs[settings.accounts.recoverable_tax]).toBeGreaterThan(0n);
  });

  it.skipIf(!has('bean-check'))('pass bean-check, which notices a worth that was edited', async () => {
    const { journal } = await build(WITH_RATES);
    const file = path.join(folder, 'base.beancount');
    const text = textOf(
      journalFiles(journal, 'beancount', journalSettings(undefined, 'beancount'), { standsAlone: true })[0]!.pieces,
    );
    writeFileSync(file, text);
    expect(run('bean-check', '--no-cache', file)).toEqual({ status: 0, stdout: '', stderr: '' });
    const edited = text.replace(
      /(@@ \d+\.\d)(\d)/,
      (_, head: string, digit: string) => `${head}${(Number(digit) + 1) % 10}`,
    );
    expect(edited).not.toBe(text);
    writeFileSync(file, edited);
    expect(run('bean-check', '--no-cache', file).status).not.toBe(0);
  });

  it.skipIf(!has('hledger') || !has('bean-check'))('pass both, whatever is booked', () => {
    const runs = fc.property(transactions, fc.boolean(), (all, revalue) => {
      // The rates know USD and LBP; USD2 stands at LBP's.
      const journal = journalOf(
        { period: '2026-10', from: '2026-10-01', to: '2026-10-31' },
        inUsd(all, revalue),
        'USD',
      );
      for (const [format, program, ...args] of [
        ['hledger', 'hledger', 'check', '--strict', 'ordereddates', '-f'],
        ['beancount', 'bean-check', '--no-cache'],
      ] as const) {
        const file = path.join(folder, `any.${format}`);
        writeFileSync(
          file,
          textOf(journalFiles(journal, format, journalSettings(undefined, format), { standsAlone: true })[0]!.pieces),
        );
        expect(run(program, ...args, file)).toEqual({ status: 0, stdout: '', stderr: '' });
      }
    });
    fc.assert(runs, { numRuns: Number(process.env.REMIT_ENGINE_RUNS ?? 8) });
  });

  it('are one file in the base currency for Xero and QuickBooks, and columns at the end of CSV and report', async () => {
    const { journal, columns, rows } = await build(WITH_RATES);
    for (const format of ['xero', 'quickbooks'] as const) {
      const files = journalFiles(journal, format, journalSettings(undefined, format));
      expect(files.map(({ suffix, currency }) => [suffix, currency])).toEqual([['', 'USD']]);
      const sums = parse(textOf(files[0]!.pieces), { columns: true }) as Record<string, string>[];
      const total = sums.reduce(
        (sum, row) => sum + parseUnits(row['*Amount'] ?? (row.Debits || `-${row.Credits}`)),
        0n,
      );
      expect(total).toBe(0n);
      expect(sums.length).toBeGreaterThan(20);
    }
    const csv = parse(textOf(journalFiles(journal, 'csv', journalSettings(undefined, 'csv'))[0]!.pieces), {
      columns: true,
    }) as Record<string, string>[];
    expect(Object.keys(csv[0]!).slice(-3)).toEqual(['base_currency', 'base_debit', 'base_credit']);
    expect(columns.slice(-3)).toEqual(['base_currency', 'base_debit', 'base_credit']);
    expect(csv.map((row) => [row.base_debit, row.base_credit])).toEqual(
      rows.map((row) => [row.base_debit ?? '', row.base_credit ?? '']),
    );
  });

  it('are refused without a rate, naming the day, the pair and the way to bring it, for every format', async () => {
    await expect(build(SPEC)).rejects.toThrow('no rate of LBP to USD is imported for 2026-09-12 or before');
    await expect(build(SPEC)).rejects.toMatchObject({ hint: expect.stringContaining('remit import rates FILE') });
    const late = { ...SPEC, own: { ...SPEC.own, rates: ['2026-09-29,USD,LBP,89000'] } };
    await expect(build(late)).rejects.toThrow('for 2026-09-12 or before');
    const config = { ...DEFAULT_SETTINGS, accounting: KEPT } as unknown as Config;
    const now = () => new Date('2026-11-06T12:00:00Z');
    const close = { month: '2026-09', by: 'rana', withOpen: 'open', first: true };
    await withLedger(SPEC, async (ledger) => {
      await expect(closeLedger(ledger, { config, now }, close)).rejects.toThrow('for 2026-09-12 or before');
    });
  });

  it('keep the rates of a closed month as they were known at its close', async () => {
    const settings = { ...DEFAULT_SETTINGS, accounting: KEPT } as unknown as Config;
    const months = ['2026-09', '2026-10'];
    const build = (ledger: Ledger) =>
      usingSnapshot(ledger, (db) =>
        buildJournal(db, { settings, periods: months, period: 'both', deliveredBy: 'order' }),
      );
    const netUnits = (all: readonly JournalTransaction[], id: string) =>
      all.find((one) => one.id === id)!.lines[0]!.base;
    await withLedger(WITH_RATES, async (ledger) => {
      const close = { month: '2026-09', by: 'rana', withOpen: 'open', first: true };
      const now = () => new Date('2026-11-06T12:00:00Z');
      expect(await closeLedger(ledger, { config: settings, now }, close)).toMatchObject({ status: 'closed' });
      const before = (await build(ledger)).transactions;
      await importText(ledger, {
        kind: 'rates',
        text: `${HEADS.rates}\n2026-09-11,USD,LBP,44500\n2026-10-02,USD,LBP,44750\n2026-10-03,USD,LBP,89500\n`,
        at: new Date('2026-11-07T12:00:00Z'),
      });
      const after = (await build(ledger)).transactions;
      const september = (all: readonly JournalTransaction[]) => said(all.filter(({ date }) => date < '2026-10'));
      expect(september(after)).toEqual(september(before));
      expect(netUnits(before, 'REV-2026-09-LBP-R')).toBe(netUnits(after, 'REV-2026-09-LBP-R'));
    });
  });

  it('keep a closed month with the tax and the revaluation of its close, whatever the settings say later', async () => {
    const months = ['2026-09', '2026-10'];
    const kept = async (ledger: Ledger, accounting: AccountingSettings) => {
      const settings = { ...DEFAULT_SETTINGS, accounting };
      const { transactions } = await usingSnapshot(ledger, (db) =>
        buildJournal(db, { settings, periods: months, period: 'both', deliveredBy: 'order' }),
      );
      const of = (month: string) => said(transactions.filter(({ date }) => date.startsWith(month)));
      return { september: of('2026-09'), october: of('2026-10'), transactions };
    };
    await withLedger(WITH_RATES, async (ledger) => {
      const config = { ...DEFAULT_SETTINGS, accounting: { ...KEPT, feeVat: null } } as unknown as Config;
      const close = { month: '2026-09', by: 'rana', withOpen: 'open', first: true };
      const now = () => new Date('2026-11-06T12:00:00Z');
      expect(await closeLedger(ledger, { config, now }, close)).toMatchObject({ status: 'closed' });
      const before = await kept(ledger, { ...KEPT, feeVat: null });
      const after = await kept(ledger, KEPT);
      expect(after.september).toEqual(before.september);
      expect(after.transactions.some(({ id }) => id.startsWith('ADJ-'))).toBe(false);
      expect(after.october).not.toEqual(before.october);
      expect((await kept(ledger, { ...KEPT, feeVat: null, revalue: false })).september).toEqual(before.september);
    });
  });

  it('are as before without a base currency', async () => {
    const { journal, columns } = await build(SPEC, { baseCurrency: null, revalue: false, feeVat: null });
    expect(columns).not.toContain('base_currency');
    for (const format of JOURNAL_FORMATS)
      for (const { pieces } of journalFiles(journal, format, journalSettings(undefined, format)))
        expect(textOf(pieces)).not.toContain('@@');
    expect(journalFiles(journal, 'xero', journalSettings(undefined, 'xero')).map(({ suffix }) => suffix)).toEqual([
      '-LBP-1',
      '-USD-1',
    ]);
  });
});
