import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Filters } from '../../reports/filters.ts';
import { REPORTS } from '../../reports/index.ts';
import type { Row } from '../../reports/model.ts';
import { requireFiltersFit } from '../../src/app/report.ts';
import { formatPeriod } from '../../src/base/period.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { inWords } from '../../src/render/in-words.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { type InvoiceSpec, type LedgerSpec, withLedger } from '../helpers/ledger.ts';

interface Read {
  rows: Row[];
  totals: readonly Row[];
  notes: string;
}

function read(name: string, spec: LedgerSpec, periods = ['2026-10'], filters: Filters = {}): Promise<Read> {
  return withLedger(spec, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const entry = REPORTS.find((one) => one.name === name)!;
      const report = inWords(
        await entry.build({ db, settings: DEFAULT_SETTINGS, periods, period: formatPeriod(periods), filters }),
      );
      const rows: Row[] = [];
      for await (const row of report.rows) {
        expect(Object.keys(row)).toEqual(report.columns.map((column) => column.name));
        rows.push(row);
      }
      return { rows, totals: report.totals(), notes: report.notes().join('\n') };
    }),
  );
}

const pick = (rows: readonly Row[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]));
const order = (order_id: string) => ({ order_id });
const invoice = (number: number, status: string, issued_at: string, period = issued_at.slice(0, 7)): InvoiceSpec => ({
  number,
  status,
  issued_at,
  period,
  rows: [order(`o${number}`)],
});

describe('ageing', () => {
  const spec = {
    invoices: [
      invoice(1, 'PENDING_PAYMENT', '2026-10-31T23:59:00+03:00'),
      invoice(2, 'PENDING_PAYMENT', '2026-10-23T10:00:00+03:00'),
      invoice(3, 'PENDING_PAYMENT', '2026-07-01T10:00:00+03:00'),
      invoice(4, 'PAID', '2026-10-01T10:00:00+03:00'),
      invoice(5, 'PENDING_PAYMENT', '2026-11-01T00:00:00+03:00'),
    ],
  };

  it('puts each unpaid invoice where its age at the period’s end is, in its own offset', async () => {
    const { rows, totals, notes } = await read('ageing', spec);
    expect(pick(rows, 'number', 'days', 'bucket', 'days_0_7', 'days_15_30', 'days_over_90', 'open_today')).toEqual([
      [3, 122, 'Over 90 days', null, null, '22.00', '22.00'],
      // Marked paid, which a sync of November was the first to show.
      [4, 30, '15-30 days', null, '22.00', null, '0.00'],
      [2, 8, '8-14 days', null, null, null, '22.00'],
      [1, 0, '0-7 days', '22.00', null, null, '22.00'],
    ]);
    expect(totals).toEqual([
      {
        currency: 'USD',
        net_due_to_merchant: '88.00',
        open: '88.00',
        received_since: '22.00',
        settled_since: '0.00',
        restated_since: '0.00',
        open_today: '66.00',
        days_0_7: '22.00',
        days_8_14: '22.00',
        days_15_30: '22.00',
        days_31_60: '0.00',
        days_61_90: '0.00',
        days_over_90: '22.00',
      },
    ]);
    expect(notes).toContain(
      'USD: 25.0 % in 0-7 days, 25.0 % in 8-14 days, 25.0 % in 15-30 days, 25.0 % in over 90 days.',
    );
  });

  it('is narrowed to an invoice, its totals too', async () => {
    const { rows, totals } = await read('ageing', spec, ['2026-10'], { invoice: '2' });
    expect([rows.length, totals[0]!.open]).toEqual([1, '22.00']);
  });
});

describe('not-invoiced', () => {
  it('holds what was delivered by the period’s end and on no invoice then, and where it is now', async () => {
    const { rows, totals } = await read('not-invoiced', {
      periods: ['2026-10', '2026-11'],
      invoices: [invoice(9, 'PAID', '2026-11-03T10:00:00+03:00')],
      orders: [
        // The days are those of UTC, the zone of these books, and not of the stamps' own offset.
        { order_id: 'late', first_delivered_at: '2026-11-01T02:30:00+03:00', amounts: { USD: ['10.00', '2.00'] } },
        { order_id: 'next', first_delivered_at: '2026-11-01T03:10:00+03:00' },
        { order_id: 'way', delivery_state: 'IN_TRANSIT' },
      ],
    });
    expect(pick(rows, 'order_id', 'days', 'net', 'invoice_number')).toEqual([['late', 0, '8.00', null]]);
    expect(totals).toEqual([{ currency: 'USD', cod: '10.00', delivery_fee: '2.00', net: '8.00' }]);
  });

  it('names the invoice of a later month that took it', async () => {
    const later = {
      ...invoice(9, 'PAID', '2026-11-03T10:00:00+03:00'),
      rows: [{ order_id: 'A', book: { first_delivered_at: '2026-10-30T10:00:00+03:00' } }],
    };
    const spec = { periods: ['2026-10', '2026-11'], invoices: [later] };
    for (const filters of [{ invoice: '8' }, { status: 'IN_TRANSIT' }, { code: 'order-unknown' }]) {
      expect((await read('not-invoiced', spec, ['2026-10'], filters)).rows).toEqual([]);
    }
    const { rows } = await read('not-invoiced', spec, ['2026-10'], { invoice: '9', status: 'DELIVERED' });
    expect(pick(rows, 'order_id', 'days', 'invoice_number')).toEqual([['A', 1, 9]]);
  });

  it('says that nothing is known without an order book', async () => {
    const { notes } = await read('not-invoiced', { periods: ['2026-10'], orderBook: 'none' });
    expect(notes).toContain('The order book was never synced');
  });
});

describe('roll-forward', () => {
  const months = ['2026-10', '2026-11'];
  const flows = ['period', 'opening', 'invoiced', 'restated', 'vanished', 'already_paid', 'seen_paid', 'closing'];

  it('leads from the opening balance to the closing one, and on', async () => {
    const { rows, notes } = await read(
      'roll-forward',
      {
        periods: months,
        invoices: [
          invoice(1, 'PAID', '2026-10-05T10:00:00+03:00'),
          invoice(2, 'PENDING_PAYMENT', '2026-10-06T10:00:00+03:00'),
          invoice(3, 'PENDING_PAYMENT', '2026-10-07T10:00:00+03:00'),
        ],
        nights: [
          { invoices: [invoice(2, 'PAID', '2026-10-06T10:00:00+03:00')] },
          {
            invoices: [
              {
                ...invoice(3, 'PENDING_PAYMENT', '2026-10-07T10:00:00+03:00'),
                rows: [{ order_id: 'o3', amounts: { USD: ['30.00', '3.00'] } }],
              },
            ],
          },
        ],
      },
      months,
    );
    expect(pick(rows, ...flows)).toEqual([
      ['2026-10', '0.00', '66.00', '0.00', '0.00', '0.00', '0.00', '66.00'],
      ['2026-11', '66.00', '0.00', '5.00', '0.00', '-22.00', '-22.00', '27.00'],
    ]);
    expect(notes).toContain('The ledger holds no month before 2026-10');
  });

  it('takes off what vanished, and puts back what came back', async () => {
    const spec = { periods: months, invoices: [invoice(1, 'PENDING_PAYMENT', '2026-10-05T10:00:00+03:00')] };
    const gone = { ...spec, nights: [{ gone: [1] }] };
    expect(pick((await read('roll-forward', gone, months)).rows, 'vanished', 'closing')).toEqual([
      ['0.00', '22.00'],
      ['-22.00', '0.00'],
    ]);
    const back = { ...spec, nights: [{ gone: [1] }, { invoices: spec.invoices }] };
    expect(pick((await read('roll-forward', back, months)).rows, 'vanished', 'closing').at(-1)).toEqual([
      '0.00',
      '22.00',
    ]);
  });

  it('opens with last month’s closing, whatever happened', async () => {
    const night = fc.array(
      fc.record({
        number: fc.integer({ min: 1, max: 4 }),
        status: fc.constantFrom('PAID', 'PENDING_PAYMENT'),
        cod: fc.constantFrom('25.00', '-1.125', '7.00'),
        month: fc.constantFrom('2026-09', '2026-10'),
      }),
      { minLength: 1, maxLength: 3 },
    );
    const spec = (rows: { number: number; status: string; cod: string; month: string }[]) => ({
      invoices: [...new Map(rows.map((row) => [row.number, row])).values()].map(({ number, status, cod, month }) => ({
        ...invoice(number, status, `${number % 2 ? '2026-09' : month}-05T10:00:00+03:00`),
        rows: [{ order_id: `o${number}`, amounts: { USD: [cod, '1.00'] as const } }],
      })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(night, { minLength: 1, maxLength: 3 }), async ([first, ...more]) => {
        const { rows } = await read(
          'roll-forward',
          { periods: ['2026-09', '2026-10', '2026-11'], ...spec(first!), nights: more.map(spec) },
          ['2026-09', '2026-10', '2026-11'],
        );
        for (const [at, row] of rows.entries()) if (at > 0) expect(row.opening).toBe(rows[at - 1]!.closing);
      }),
      { numRuns: Number(process.env.REMIT_FUZZ_RUNS ?? 10) },
    );
  });
});

it('changes: every figure before and after, with both documents', async () => {
  const spec = {
    invoices: [invoice(1, 'PAID', '2026-10-05T10:00:00+03:00')],
    nights: [
      {
        invoices: [
          {
            ...invoice(1, 'PAID', '2026-10-05T10:00:00+03:00'),
            rows: [{ order_id: 'o1', amounts: { USD: ['20.00', '3.00'] as const } }],
          },
        ],
      },
    ],
  };
  const { rows } = await read('changes', spec);
  expect(pick(rows, 'what', 'invoice_number', 'order_id', 'field', 'before', 'after', 'difference')).toEqual([
    ['restated', 1, null, 'cod', '25.00', '20.00', '-5.00'],
    ['restated', 1, null, 'net_due_to_merchant', '22.00', '17.00', '-5.00'],
    ['restated', 1, null, 'order_cod', '25.00', '20.00', '-5.00'],
    ['order restated', 1, 'o1', 'cod', '25.00', '20.00', '-5.00'],
  ]);
  for (const row of rows) {
    expect([row.before_sha256, row.after_sha256]).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
    expect(row.before_sha256).not.toBe(row.after_sha256);
  }
  expect((await read('changes', { invoices: spec.invoices })).notes).toContain('The courier changed nothing.');
});

it('changes: what an order was on its way is no figure before', async () => {
  const night = (cod: string, delivery_state = 'DELIVERED') => ({
    invoices: [
      {
        ...invoice(1, 'PENDING_PAYMENT', '2026-10-05T10:00:00+03:00'),
        rows: [{ order_id: 'o1', delivery_state, amounts: { USD: [cod, '3.00'] as const } }],
      },
    ],
  });
  const ofOrder = async ([first, ...nights]: ReturnType<typeof night>[]) =>
    (await read('changes', { ...first!, nights })).rows.filter(({ what }) => what === 'order restated');
  const [stated] = await ofOrder([night('12.00'), night('10.00')]);
  expect(stated).toMatchObject({ before: '12.00', after: '10.00' });
  expect(await ofOrder([night('20.00', 'IN_TRANSIT'), night('12.00'), night('10.00')])).toMatchObject([
    { before: '12.00', after: '10.00', before_sha256: stated!.before_sha256, after_sha256: stated!.after_sha256 },
  ]);
});

describe('fees, returns, lag, evidence', () => {
  const spec = {
    invoices: [
      {
        ...invoice(1, 'PENDING_PAYMENT', '2026-10-20T10:00:00+03:00'),
        rows: [
          { order_id: 'A', book: { first_delivered_at: '2026-10-10T10:00:00+03:00' } },
          { order_id: 'B', book: { first_delivered_at: '2026-10-18T10:00:00+03:00' } },
          { order_id: 'C', delivery_state: 'CANCELLED', amounts: { USD: ['0.00', '3.00'] as const } },
        ],
      },
    ],
    nights: [{ invoices: [invoice(1, 'PAID', '2026-10-20T10:00:00+03:00')] }],
  };

  it('sums fees by what orders have in common', async () => {
    const { rows, totals } = await read('fees', { invoices: spec.invoices });
    expect(pick(rows, 'workflow', 'merchant_location', 'orders', 'delivery_fee', 'fee_an_order', 'fee_share')).toEqual([
      ['STANDARD', 1, 3, '9.00', '3.00', '18.0 %'],
    ]);
    expect(totals).toEqual([{ currency: 'USD', cod: '50.00', delivery_fee: '9.00' }]);
  });

  it('counts what came back, and its fees', async () => {
    const { rows, totals } = await read('returns', { invoices: spec.invoices });
    expect(pick(rows, 'by', 'reference_id', 'orders', 'returned', 'rate', 'delivery_fee', 'cod')).toEqual([
      ['district', null, 3, 1, '33.3 %', '3.00', '0.00'],
      ['reference', 'ref-C', 1, 1, '100.0 %', '3.00', '0.00'],
    ]);
    expect(totals).toEqual([{ currency: 'USD', delivery_fee: '3.00', cod: '0.00', net: '-3.00' }]);
  });

  it('measures the days to the invoice, and to payment', async () => {
    const { rows } = await read('lag', { invoices: spec.invoices });
    expect(pick(rows, 'orders', 'invoiced_median', 'invoiced_most', 'slowest_order', 'paid')).toEqual([
      [2, 10, 10, 'A', null],
    ]);
    expect(pick((await read('lag', spec)).rows, 'paid')).toEqual([[17]]);
  });

  it('lists the documents of the month, of an invoice, of an order', async () => {
    expect(pick((await read('evidence', spec)).rows, 'invoice_number', 'kind')).toEqual([[1, 'invoice']]);
    expect((await read('evidence', spec, ['2026-10'], { invoice: '1' })).rows).toHaveLength(2);
    expect(pick((await read('evidence', spec, ['2026-10'], { order: 'A' })).rows, 'order_id')).toEqual([['A']]);
  });
});

describe('filters', () => {
  const spec = { invoices: [invoice(1, 'PAID', '2026-10-05T10:00:00Z'), invoice(2, 'PAID', '2026-10-06T10:00:00Z')] };

  it('narrow rows and totals alike', async () => {
    const { rows, totals } = await read('orders', spec, ['2026-10'], { invoice: '2' });
    expect([rows.length, totals[0]!.cod]).toEqual([1, '25.00']);
    expect((await read('orders', spec, ['2026-10'], { status: 'DELIVERED', order: 'o1' })).rows).toHaveLength(1);
    expect((await read('orders', spec, ['2026-10'], { code: 'order-repeated' })).rows).toEqual([]);
    expect((await read('orders', spec, ['2026-10'], { currency: 'EUR' })).totals).toEqual([]);
  });

  it('are refused where a report has nothing to narrow by', () => {
    const totals = REPORTS.find(({ name }) => name === 'totals')!;
    expect(() => requireFiltersFit(totals, { code: 'x' })).toThrow(/cannot be narrowed by --code/);
    expect(() => requireFiltersFit(totals, { currency: 'USD' })).not.toThrow();
  });
});
