import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../reports/model.ts';
import { orderTable } from '../../reports/statement/orders.ts';
import { readOwnSide } from '../../reports/statement/own-amounts.ts';
import { sqlMonthTotals } from '../../src/ledger/queries/invoices/control-totals.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { formatAmount, parseAmount } from '../../src/money/decimal.ts';
import { inCodes } from '../../src/render/in-words.ts';
import { say } from '../../src/words/index.ts';
import { check } from '../checks/options.ts';
import { checkContext } from '../helpers/check-settings.ts';
import { type LedgerSpec, withLedger } from '../helpers/ledger.ts';

/** The rows and totals of a month's Orders table, and what was known of them before they were read. */
function read(spec: LedgerSpec, { month = '2026-10', off = '0' } = {}) {
  return withLedger(spec, async (ledger) => {
    const { bridge: found } = await check(ledger, { periods: [month] });
    // Our figure as another program sums it; `off` is its fault.
    const bridge = found.map((line) => ({
      ...line,
      ours: line.ours && formatAmount(parseAmount(line.ours).plus(parseAmount(off))),
    }));
    return usingSnapshot(ledger, async (db) => {
      const control = await sqlMonthTotals(db, month);
      const context = await checkContext(db, month);
      const ownSide = await readOwnSide(context, month);
      const table = orderTable({ context, month, ownSide, mismatches: [], control, bridge });
      const rows: Row[] = [];
      for await (const row of inCodes(table).rows) rows.push(row);
      return { rows, totals: table.totals(), notes: table.notes().map(say), bridge };
    });
  });
}

const show = (rows: readonly Row[]) =>
  rows.map((row) => [row.order_id, row.currency, row.net, row.own_cod, row.own_delivery_fee, row.difference]);

describe('the Orders table', () => {
  it('sets each row beside its record: delivered, never delivered, cancelled, unknown', async () => {
    const { rows, totals, notes, bridge } = await read({
      invoices: [
        {
          number: 1,
          rows: [
            {
              order_id: 'A',
              book: { amounts: { USD: ['30.00', '3.00'] }, first_delivered_at: '2026-10-04T23:10:00+03:00' },
            },
            { order_id: 'B', book: { delivery_state: 'IN_TRANSIT', first_delivered_at: null } },
            { order_id: 'C', book: { delivery_state: 'CANCELLED', first_delivered_at: null } },
            { order_id: 'D', book: null },
          ],
        },
      ],
    });
    expect(show(rows)).toEqual([
      ['A', 'USD', '22.00', '30.00', '3.00', '-5.00'],
      ['B', 'USD', '22.00', '0.00', '3.00', '25.00'],
      ['C', 'USD', '22.00', '0.00', '0.00', '22.00'],
      ['D', 'USD', '22.00', null, null, null],
    ]);
    expect(rows[0]!.delivered_on).toBe('2026-10-04');
    expect(totals[0]).toMatchObject({ net: '88.00', own_net: '24.00' });
    expect(bridge[0]!.ours).toBe('24.00');
    expect(notes[0]).toMatch(/^1 row has no record of ours/);
  });

  it('has texts to the letter, and amounts beyond what a number holds to the last unit', async () => {
    const reference_id = '"quoted" \\ back\tslash\n\u0001 مرحبا 😀';
    const large: [string, string] = ['900719925474099.3', '0.0001'];
    const own: [string, string] = ['900719925474099.3001', '0.0001'];
    const { rows } = await read({
      invoices: [
        {
          number: 1,
          rows: [{ order_id: 'A', reference_id, amounts: { LBP: large }, book: { amounts: { LBP: own } } }],
        },
      ],
    });
    expect(rows[0]).toMatchObject({ reference_id, cod: '900719925474099.30', own_cod: '900719925474099.3001' });
    expect(rows[0]).toMatchObject({ own_delivery_fee: '0.0001', difference: '-0.0001' });
  });

  it('counts an order once, where an invoice first lists it, and shows a currency that only the record knows', async () => {
    const { rows } = await read({
      invoices: [
        { number: 2, issued_at: '2026-10-02T00:00:00Z', rows: [{ order_id: 'A' }, { order_id: 'A' }] },
        {
          number: 1,
          issued_at: '2026-10-09T00:00:00Z',
          rows: [{ order_id: 'A' }, { order_id: 'E', book: { amounts: { LBP: ['9.00', '0.00'] } } }],
        },
      ],
    });
    expect(show(rows)).toEqual([
      ['A', 'USD', '22.00', '0.00', '0.00', '22.00'],
      ['E', 'USD', '22.00', '0.00', '0.00', '22.00'],
      ['E', 'LBP', '0.00', '9.00', '0.00', '-9.00'],
      ['A', 'USD', '22.00', '25.00', '3.00', '0.00'],
      ['A', 'USD', '22.00', '0.00', '0.00', '22.00'],
    ]);
  });

  it('counts each currency of a row once, wherever the rows are cut into pages', async () => {
    const amounts = { LBP: ['90000.00', '0.00'], USD: ['20.00', '2.00'] } as const;
    const two = (order_id: string) => ({
      order_id,
      amounts,
      book: { amounts: { ...amounts, EUR: ['1.00', '0.00'] as const } },
    });
    // The first row has one currency, so that no page of an even number of lines ends with a row.
    const rows = [{ order_id: 'A' }, ...Array.from({ length: 400 }, (_, at) => two(`B${at}`))];
    const { rows: shown, bridge } = await read({ invoices: [{ number: 1, rows }] });
    const lines = shown.map(({ order_id, currency }) => `${order_id} ${currency}`);
    expect(lines).toHaveLength(1 + 3 * 400);
    expect(new Set(lines).size).toBe(lines.length);
    expect(bridge.find(({ currency }) => currency === 'LBP')).toMatchObject({ ours: '36000000.00' });
  });

  it('takes what a record said when it was first seen delivered', async () => {
    const invoice = (cod: string) => ({
      number: 1,
      rows: [{ order_id: 'A', book: { amounts: { USD: [cod, '3.00'] as const } } }],
    });
    const { rows } = await read({ invoices: [invoice('25.00')], nights: [{ invoices: [invoice('20.00')] }] });
    expect(show(rows)).toEqual([['A', 'USD', '22.00', '25.00', '3.00', '0.00']]);
  });

  it('leaves our side empty, and says so, where there is no order book', async () => {
    const { rows, notes } = await read({ invoices: [{ number: 1, rows: [{ order_id: 'A' }] }], orderBook: 'none' });
    expect(rows[0]).toMatchObject({ own_net: null, difference: null, delivered_on: null });
    expect(notes[0]).toContain('No order book was synced');
  });

  it('takes the own book and the agreed fee where they speak, even in a currency of their own', async () => {
    const { rows, totals, notes, bridge } = await read({
      invoices: [
        {
          number: 1,
          rows: [
            { order_id: 'A', reference_id: 'SO-A' },
            { order_id: 'B', reference_id: 'SO-B' },
            { order_id: 'C', reference_id: 'SO-C', book: { delivery_state: 'IN_TRANSIT', first_delivered_at: null } },
            { order_id: 'D', reference_id: 'SO-D' },
          ],
        },
      ],
      own: {
        orders: [
          'SO-A,2026-10-01,handed_over,USD,30.00',
          'SO-A,2026-10-01,handed_over,LBP,1000',
          'SO-B,2026-10-01,handed_over,USD,25.00',
          'SO-C,2026-10-01,handed_over,USD,26.00',
        ],
        tariff: ['STANDARD,,,,,,USD,2.50'],
      },
    });
    const own = rows.map((row) => [row.order_id, row.currency, row.own_cod, row.book_cod, row.agreed_fee, row.own_net]);
    expect(own).toEqual([
      ['A', 'USD', '25.00', '30.00', '2.50', '27.50'],
      ['A', 'LBP', '0.00', '1000.00', '0.00', '1000.00'],
      ['B', 'USD', '25.00', '25.00', '2.50', '22.50'],
      // Not delivered: neither side's COD counts, and the fee does.
      ['C', 'USD', '0.00', '26.00', '2.50', '-2.50'],
      ['D', 'USD', '25.00', null, '2.50', '22.50'],
    ]);
    expect(totals.find(({ currency }) => currency === 'USD')).toMatchObject({ book_cod: '81.00', own_net: '70.00' });
    expect(bridge.map(({ currency, ours }) => [currency, ours])).toEqual([
      ['LBP', '1000.00'],
      ['USD', '70.00'],
    ]);
    expect(notes.at(-1)).toMatch(/^Our net is the COD of our own book/);
  });

  it('lets the own book stand for the record where no order book was synced', async () => {
    const { rows, totals, notes, bridge } = await read({
      orderBook: 'none',
      invoices: [
        {
          number: 1,
          rows: [
            { order_id: 'A', reference_id: 'SO-A' },
            { order_id: 'A', reference_id: 'SO-A' },
            { order_id: 'C', reference_id: 'SO-C', delivery_state: 'IN_TRANSIT' },
            { order_id: 'D', reference_id: 'SO-D' },
          ],
        },
      ],
      own: {
        orders: [
          'SO-A,2026-10-01,handed_over,USD,30.00,Tyre',
          'SO-A,2026-10-01,handed_over,LBP,1000,Tyre',
          'SO-C,2026-10-01,handed_over,USD,26.00,Beirut',
        ],
        tariff: ['STANDARD,,,,,,USD,2.50'],
      },
    });
    const own = rows.map((row) => [
      [row.order_id, row.currency, row.district],
      [row.own_cod, row.book_cod, row.agreed_fee, row.own_net, row.difference],
    ]);
    expect(own).toEqual([
      [
        ['A', 'USD', 'Tyre'],
        [null, '30.00', '2.50', '27.50', '-5.50'],
      ],
      [
        ['A', 'LBP', 'Tyre'],
        [null, '1000.00', '0.00', '1000.00', '-1000.00'],
      ],
      // The surplus row counts nothing, and an order that the own book does not hold has nothing of ours beside it.
      [
        ['A', 'USD', 'Tyre'],
        [null, null, null, '0.00', '22.00'],
      ],
      [
        ['C', 'USD', 'Beirut'],
        [null, '26.00', '2.50', '-2.50', '24.50'],
      ],
      [
        ['D', 'USD', null],
        [null, null, null, null, null],
      ],
    ]);
    expect(totals.find(({ currency }) => currency === 'USD')).toMatchObject({ own_cod: null, own_net: '25.00' });
    expect(bridge.map(({ currency, ours }) => [currency, ours])).toEqual([
      ['LBP', '1000.00'],
      ['USD', '25.00'],
    ]);
    expect(notes).toEqual([
      '1 row has no record of ours: our columns are empty there, and count nothing.',
      expect.stringMatching(/^No order book was synced: our net is the COD of our own book/),
    ]);
  });

  it('refuses our figure where the rows do not come to it, with the own side imported and without', async () => {
    const spec: LedgerSpec = { invoices: [{ number: 1, rows: [{ order_id: 'A', reference_id: 'SO-A' }] }] };
    const own = { orders: ['SO-A,2026-10-01,handed_over,USD,30.00'], tariff: ['STANDARD,,,,,,USD,2.50'] };
    for (const each of [spec, { ...spec, own }]) {
      await expect(read(each, { off: '0.01' })).rejects.toThrow(/our figure comes to .* row by row/);
    }
  });

  it('comes to the bridge’s figure, which another program sums, whatever the rows are', async () => {
    const amounts = fc.dictionary(
      fc.constantFrom('USD', 'LBP'),
      fc.constantFrom<readonly [string, string]>(['10.00', '1.00'], ['-3.125', '0.00'], ['0.00', '2.50']),
    );
    const row = fc.record({
      order_id: fc.constantFrom('A', 'B', 'C'),
      amounts,
      delivery_state: fc.constantFrom('DELIVERED', 'DELIVERED', 'CANCELLED', 'IN_TRANSIT'),
      book: fc.option(fc.record({ amounts, delivery_state: fc.constantFrom('DELIVERED', 'CANCELLED', 'IN_TRANSIT') })),
    });
    const invoices = fc.uniqueArray(
      fc.record({ number: fc.integer({ min: 1, max: 4 }), rows: fc.array(row, { maxLength: 4 }) }),
      { selector: ({ number }) => number, minLength: 1, maxLength: 3 },
    );
    // The rows' references are those of the orders unless a test says otherwise.
    const sale = fc.tuple(
      fc.constantFrom('A', 'B', 'C'),
      fc.constantFrom('USD', 'LBP', 'EUR'),
      fc.integer({ min: 0, max: 30 }),
    );
    const own = fc.record({
      orders: fc
        .uniqueArray(sale, { selector: ([order, currency]) => `${order} ${currency}`, minLength: 1, maxLength: 4 })
        .map((sales) =>
          sales.map(([order, currency, cod]) => `ref-${order},2026-10-01,handed_over,${currency},${cod}`),
        ),
      tariff: fc.constantFrom<string[]>(['STANDARD,,,,,,USD,2.50'], ['STANDARD,,,,,,EUR,1.25']),
    });
    await fc.assert(
      fc.asyncProperty(invoices, own, fc.constantFrom('complete', 'none'), async (spec, imported, orderBook) => {
        // Reading the table refuses a figure that is not the bridge's, and a number of lines that is not what was said
        // of it.
        await read({ invoices: spec, periods: ['2026-10'], own: imported, orderBook });
      }),
      { numRuns: Number(process.env.REMIT_FUZZ_RUNS ?? 15) },
    );
  });
});
