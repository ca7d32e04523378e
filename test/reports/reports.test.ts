import { describe, expect, it } from 'vitest';
import { REPORTS } from '../../reports/index.ts';
import type { Row } from '../../reports/model.ts';
import { LedgerError } from '../../src/base/errors.ts';
import { formatPeriod } from '../../src/base/period.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { READ_FIRST } from '../../src/render/html/report-page.tsx';
import { inWords, type SaidReport } from '../../src/render/in-words.ts';
import { check } from '../checks/options.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { type InvoiceSpec, type LedgerSpec, withLedger } from '../helpers/ledger.ts';

interface Read {
  rows: Row[];
  totals: readonly Row[];
  notes: readonly string[];
  report: SaidReport;
}

/** Builds a report, reads all of it, and checks what holds for every report. */
function read(ledger: Ledger, name: string, periods: readonly string[] = ['2026-10']): Promise<Read> {
  return usingSnapshot(ledger, async (db) => {
    const entry = REPORTS.find((one) => one.name === name)!;
    const report = inWords(
      await entry.build({ db, settings: DEFAULT_SETTINGS, periods, period: formatPeriod(periods) }),
    );
    const rows: Row[] = [];
    for await (const row of report.rows) rows.push(row);
    for (const row of rows) expect(Object.keys(row)).toEqual(report.columns.map((column) => column.name));
    for (const column of report.columns) {
      for (const row of rows) {
        const cell = row[column.name];
        if (cell === null) continue;
        if (['number', 'count', 'days'].includes(column.type))
          expect(Number.isSafeInteger(cell), `${column.name}: ${cell}`).toBe(true);
        if (column.type === 'money') expect(cell).toMatch(/^-?\d+(\.\d{2,})?$/);
      }
    }
    expect(report.report).toBe(name);
    return { rows, totals: report.totals(), notes: report.notes(), report };
  });
}

const columns = async (name: string, spec: LedgerSpec) =>
  withLedger(spec, async (ledger) => (await read(ledger, name)).report.columns.map((column) => column.name));

const BOTH: InvoiceSpec[] = [
  {
    number: 2,
    status: 'PENDING_PAYMENT',
    rows: [
      { order_id: '007', reference_id: '=1+1', amounts: { USD: ['25.00', '3.125'], LBP: ['900000', '0'] } },
      { order_id: 'B', amounts: {} },
    ],
  },
  { number: 1, rows: [{ order_id: 'A', amounts: { USD: ['-1', '0.00'] } }], header: { USD: ['9.00', '1.00', '8.00'] } },
  { number: 3, rows: [{ order_id: 'X' }], vanished: true },
];

const ON_WORD =
  'Outstanding goes by the courier’s Paid flag: no receipts are held for these invoices’ payment window, and what the courier marks paid counts as paid, unseen.';

/** The last columns where no receipts are held. */
const onWord = (paid_on_word: string) => ({
  received: '0.00',
  differences: '0.00',
  paid_on_word,
  basis: 'courier',
});

describe('totals', () => {
  it('has one row a month and currency, with the fields of the contract', async () => {
    await withLedger(
      { invoices: [...BOTH, { number: 9, period: '2026-09', rows: [{ order_id: 'C' }] }] },
      async (ledger) => {
        const { rows, totals, notes } = await read(ledger, 'totals', ['2026-09', '2026-10']);
        expect(rows).toEqual([
          // It has a line in every month, because it has a balance in one.
          {
            period: '2026-09',
            currency: 'LBP',
            invoices: 1,
            orders: 1,
            cod: '0.00',
            delivery_fee: '0.00',
            net_due_to_merchant: '0.00',
            order_cod: '0.00',
            order_delivery_fee: '0.00',
            paid: '0.00',
            outstanding: '0.00',
            ...onWord('0.00'),
          },
          {
            period: '2026-09',
            currency: 'USD',
            invoices: 1,
            orders: 1,
            cod: '25.00',
            delivery_fee: '3.00',
            net_due_to_merchant: '22.00',
            order_cod: '25.00',
            order_delivery_fee: '3.00',
            paid: '22.00',
            outstanding: '0.00',
            ...onWord('22.00'),
          },
          {
            period: '2026-10',
            currency: 'LBP',
            invoices: 2,
            orders: 3,
            cod: '900000.00',
            delivery_fee: '0.00',
            net_due_to_merchant: '900000.00',
            order_cod: '900000.00',
            order_delivery_fee: '0.00',
            paid: '0.00',
            outstanding: '900000.00',
            ...onWord('0.00'),
          },
          {
            period: '2026-10',
            currency: 'USD',
            invoices: 2,
            orders: 3,
            cod: '34.00',
            delivery_fee: '4.125',
            net_due_to_merchant: '29.875',
            order_cod: '24.00',
            order_delivery_fee: '3.125',
            paid: '8.00',
            // Invoice 3 was paid and has vanished.
            outstanding: '-0.125',
            ...onWord('30.00'),
          },
        ]);
        expect(totals.map((row) => [row.currency, row.net_due_to_merchant])).toEqual([
          ['LBP', '900000.00'],
          ['USD', '51.875'],
        ]);
        expect(notes).toEqual([ON_WORD]);
      },
    );
  });

  it('says when a month is empty, was not synced, or not wholly', async () => {
    await withLedger({ periods: ['2026-08'], partial: ['2026-09'] }, async (ledger) => {
      const { rows, notes } = await read(ledger, 'totals', ['2026-08', '2026-09', '2026-10']);
      expect(rows).toEqual([]);
      expect(notes).toEqual([
        expect.stringMatching(/^2026-10 was never synced.*`remit sync 2026-10`\.$/),
        expect.stringMatching(/^The last sync of 2026-09 did not bring every invoice/),
        '2026-08 was synced and holds no invoice.',
        '2026-09 was synced and holds no invoice.',
      ]);
    });
  });

  it('says when invoices that the company lists are not in the ledger', async () => {
    // Invoice 3 has vanished: the list no longer holds it, and nothing is missing.
    expect((await withLedger({ invoices: BOTH }, (ledger) => read(ledger, 'totals'))).notes).toEqual([ON_WORD]);
    const missing = [...BOTH, { number: 8, rows: [], detail: 'missing' as const }];
    await withLedger({ invoices: missing }, async (ledger) => {
      for (const name of ['totals', 'invoices', 'orders']) {
        expect((await read(ledger, name)).notes).toEqual([
          ...(name === 'orders' ? [] : [ON_WORD]),
          '1 of the 3 invoices that the company lists for 2026-10 could not be brought or read and is in no figure here; `remit sync 2026-10` names them.',
        ]);
      }
    });
  });

  it('adds up large, small and negative rows to the last digit', async () => {
    const cods = ['900000000000000.25', '0.0001', '-0.0002', '9999999.9999', '-12345678.9', '20000000000000'];
    const rows = cods.map((cod, i) => ({ order_id: `o${i}`, amounts: { USD: [cod, '0.00'] as const } }));
    await withLedger({ invoices: [{ number: 1, rows }] }, async (ledger) => {
      expect((await read(ledger, 'totals')).rows[0]).toMatchObject({ order_cod: '919999997654321.3498' });
    });
  });

  it('shows a month whose invoices hold no amount', async () => {
    await withLedger({ invoices: [{ number: 1, rows: [{ order_id: 'A', amounts: {} }] }] }, async (ledger) => {
      const { rows } = await read(ledger, 'totals');
      expect(rows).toMatchObject([{ currency: null, invoices: 1, orders: 1, cod: '0.00', outstanding: '0.00' }]);
    });
  });
});

it('invoices: one row an invoice and currency, by number, and of one that vanished after it was paid what is open', async () => {
  await withLedger({ invoices: BOTH }, async (ledger) => {
    const { rows, totals } = await read(ledger, 'invoices');
    expect(rows.map((row) => [row.number, row.currency, row.net_due_to_merchant, row.orders, row.outstanding])).toEqual(
      [
        [1, 'USD', '8.00', 1, '0.00'],
        [2, 'LBP', '900000.00', 2, '900000.00'],
        [2, 'USD', '21.875', 2, '21.875'],
        [3, 'USD', '0.00', 0, '-22.00'],
      ],
    );
    expect(rows[0]).toMatchObject({ period: '2026-10', status: 'Paid', issued_at: '2026-10-28T10:00:00+02:00' });
    expect(totals).toEqual([
      {
        currency: 'LBP',
        cod: '900000.00',
        delivery_fee: '0.00',
        net_due_to_merchant: '900000.00',
        received: '0.00',
        outstanding: '900000.00',
      },
      {
        currency: 'USD',
        cod: '34.00',
        delivery_fee: '4.125',
        net_due_to_merchant: '29.875',
        received: '0.00',
        outstanding: '-0.125',
      },
    ]);
  });
});

it('orders: one row an invoice row and currency, ids as text, one row even without an amount', async () => {
  await withLedger({ invoices: BOTH }, async (ledger) => {
    const { rows, totals } = await read(ledger, 'orders');
    expect(rows.map((row) => [row.invoice_number, row.order_id, row.reference_id, row.currency, row.net])).toEqual([
      [1, 'A', 'ref-A', 'USD', '-1.00'],
      [2, '007', '=1+1', 'LBP', '900000.00'],
      [2, '007', '=1+1', 'USD', '21.875'],
      [2, 'B', 'ref-B', null, '0.00'],
    ]);
    expect(totals).toEqual([
      { currency: 'LBP', cod: '900000.00', delivery_fee: '0.00', net: '900000.00' },
      { currency: 'USD', cod: '24.00', delivery_fee: '3.125', net: '20.875' },
    ]);
  });
});

it('mismatches: every status, open ones first, and the effect of those not resolved', async () => {
  await withLedger({ invoices: BOTH }, async (ledger) => {
    expect((await read(ledger, 'mismatches')).notes).toEqual([
      'No mismatch is stored; `remit check 2026-10` looks for them.',
    ]);
    const settings = DEFAULT_SETTINGS;
    await check(ledger, { periods: ['2026-10'], settings, now: new Date('2026-11-05T00:00:00Z') });
    await ledger.db
      .updateTable('mismatch')
      .set({ status: 'resolved' })
      .where('code', '=', 'invoice-cod-total')
      .execute();
    const { rows, totals } = await read(ledger, 'mismatches');
    expect(rows.map((row) => [row.code, row.status, row.effect])).toEqual([
      ['invoice-vanished', 'open', '-22.00'],
      ['invoice-fee-total', 'open', '-1.00'],
      ['order-invoice-link', 'open', null],
      ['invoice-cod-total', 'resolved', '10.00'],
    ]);
    expect(totals).toEqual([{ currency: 'USD', effect: '-23.00' }]);
  });
});

it('runs: the latest first, with what its summary counts, whatever shape the summary has', async () => {
  await withLedger({}, async (ledger) => {
    const run = { command: 'sync 2026-10', started_at: '2026-11-01T00:00:00Z', remit_version: '0.1.0' };
    const summary = { requests: 7, bytes: 1200, invoices: { fetched: 3 }, orders: 'none', seconds: 1.5 };
    await ledger.db
      .insertInto('run')
      .values([
        { ...run, id: 2, status: 'complete', finished_at: '2026-11-01T00:00:02Z', summary: JSON.stringify(summary) },
        { ...run, id: 3, status: 'interrupted', finished_at: null, summary: null },
        { ...run, id: 4, status: 'failed', finished_at: null, summary: '{"requests":' },
      ])
      .execute();
    const { rows } = await read(ledger, 'runs', []);
    expect(
      rows.map((row) => [row.run, row.status, row.requests, row.bytes, row.invoices_fetched, row.orders_listed]),
    ).toEqual([
      [4, 'failed', null, null, null, null],
      [3, 'interrupted', null, null, null, null],
      [2, 'complete', 7, 1200, 3, null],
      [1, 'complete', null, null, null, null],
    ]);
  });
});

it('keeps the columns that other programs read', async () => {
  const spec = { periods: ['2026-10'] };
  expect(await columns('totals', spec)).toEqual(
    'period currency invoices orders cod delivery_fee net_due_to_merchant order_cod order_delivery_fee paid outstanding received differences paid_on_word basis'.split(
      ' ',
    ),
  );
  expect(await columns('invoices', spec)).toEqual(
    'number period status issued_at orders currency cod delivery_fee net_due_to_merchant received outstanding basis'.split(
      ' ',
    ),
  );
  expect(await columns('orders', spec)).toEqual(
    'invoice_number order_id reference_id workflow delivery_state payment_state currency cod delivery_fee net'.split(
      ' ',
    ),
  );
  expect(await columns('mismatches', spec)).toEqual(
    'id code severity period invoice_number order_id reference_id currency field expected actual difference unit effect amount cause message status subject claim'.split(
      ' ',
    ),
  );
});

it.each(REPORTS.filter(({ needsPeriod }) => needsPeriod))(
  '$name refuses a period that was never synced',
  async ({ name }) => {
    await withLedger({ periods: ['2026-09'] }, async (ledger) => {
      const error = await read(ledger, name).catch((e) => e);
      expect(error).toBeInstanceOf(LedgerError);
      expect([error.message, error.hint]).toEqual([
        '2026-10 was never synced into this ledger',
        'Run `remit sync 2026-10` first.',
      ]);
    });
  },
);

it.each(Object.entries(READ_FIRST))('a page of %s shows columns first that the report has', async (name, first) => {
  await withLedger({ periods: ['2026-10'] }, async (ledger) => {
    const { columns } = await usingSnapshot(ledger, (db) => {
      const { build } = REPORTS.find((entry) => entry.name === name)!;
      return build({ db, settings: DEFAULT_SETTINGS, periods: ['2026-10'], period: '2026-10' });
    });
    expect(columns.map((column) => column.name)).toEqual(expect.arrayContaining([...first]));
  });
});
