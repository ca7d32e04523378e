import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CheckResult, checkExitCode } from '../../src/app/check-result.ts';
import { CHECKS } from '../../src/checks/catalogue/index.ts';
import { type Amounts, type InvoiceSpec, type LedgerSpec, type RowSpec, withLedger } from '../helpers/ledger.ts';
import { check } from './options.ts';

const RUNS = Number(process.env.REMIT_BRIDGES ?? 6);
const TARIFF = ['STANDARD,,,,,,USD,3.00', 'STANDARD,Tyre,,,,,USD,4.00'];

/** A month that agrees with the own book and the rate card, and no order book of the courier's. */
function clean(...more: RowSpec[]): LedgerSpec {
  return {
    orderBook: 'none',
    invoices: [
      {
        number: 1,
        rows: [
          { order_id: 'A' },
          { order_id: 'T', amounts: { USD: ['0.00', '4.00'], LBP: ['900000', '0.00'] } },
          // On its way, and called off: nothing is collected, and what is called off costs nothing.
          { order_id: 'W', delivery_state: 'IN_TRANSIT', amounts: { USD: ['0.00', '3.00'] } },
          { order_id: 'C', delivery_state: 'CANCELLED', amounts: {} },
          ...more,
        ],
      },
    ],
    own: {
      orders: ['A', 'W', 'C', 'B'].map((id) => asked(id, '25.00')).concat(asked('T', '900000', 'LBP', 'Tyre')),
      tariff: TARIFF,
    },
  };
}

const asked = (id: string, cod: string, currency = 'USD', district = 'Beirut') =>
  `ref-${id},2026-10-01,handed_over,${currency},${cod},${district}`;

const steps = ({ bridge }: Pick<CheckResult, 'bridge'>) =>
  bridge.flatMap(({ currency, steps: own }) => own.map(({ code, effect }) => [code, currency, effect]));
const left = ({ bridge }: Pick<CheckResult, 'bridge'>) =>
  bridge.map(({ currency, unexplained }) => [currency, unexplained]);
const allBut = (code: string) => CHECKS.map((each) => each.code).filter((each) => each !== code);

describe('our figure by the own book alone', () => {
  it('is the courier’s where all agrees, and every check that cannot look says why', async () => {
    await withLedger(clean(), async (ledger) => {
      const result = await check(ledger);
      expect(result.mismatches.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
      expect(steps(result)).toEqual([]);
      expect(result.bridge).toEqual([
        expect.objectContaining({ currency: 'LBP', courier: '900000.00', ours: '900000.00', unexplained: '0.00' }),
        expect.objectContaining({ currency: 'USD', courier: '15.00', ours: '15.00', unexplained: '0.00' }),
      ]);
      expect(result.uncompared).toEqual([]);
      const why = Object.fromEntries(result.skipped.map((each) => [each.code, each.why]));
      for (const code of ['not-at-courier', 'order-amount-differs', 'delivered-not-invoiced']) {
        expect(why[code]).toBe('the order book was never synced; run `remit sync --orders`');
      }
      for (const code of ['book-cod-differs', 'not-in-books', 'fee-off-tariff', 'fee-no-tariff']) {
        expect(result.coverage.find((each) => each.code === code)).toMatchObject({ not_comparable: 0, found: 0 });
      }
      // Neither what is on its way nor what was called off has a COD to compare yet.
      expect(result.coverage.find(({ code }) => code === 'book-cod-differs')).toMatchObject({ compared: 2 });
    });
  });

  it.each<[code: string, currency: string, effect: string, rows: RowSpec[]]>([
    ['book-cod-differs', 'USD', '-5.00', [{ order_id: 'B', amounts: { USD: ['20.00', '3.00'] } }]],
    [
      'book-cod-differs',
      'EUR',
      '7.00',
      [{ order_id: 'B', amounts: { USD: ['25.00', '3.00'], EUR: ['7.00', '0.00'] } }],
    ],
    ['fee-off-tariff', 'USD', '-0.50', [{ order_id: 'B', amounts: { USD: ['25.00', '3.50'] } }]],
    [
      'cod-without-delivery',
      'USD',
      '25.00',
      [{ order_id: 'B', delivery_state: 'AWAITING_RETURN', amounts: { USD: ['25.00', '3.00'] } }],
    ],
    [
      'fee-on-cancelled',
      'USD',
      '-3.00',
      [{ order_id: 'B', delivery_state: 'CANCELLED', amounts: { USD: ['0.00', '3.00'] } }],
    ],
    ['order-repeated', 'USD', '22.00', [{ order_id: 'B' }, { order_id: 'B', amounts: { USD: ['25.00', '3.00'] } }]],
  ])('finds %s in %s, and shows its effect as unexplained without its check', async (code, currency, effect, rows) => {
    await withLedger(clean(...rows), async (ledger) => {
      const result = await check(ledger);
      expect(steps(result)).toEqual([[code, currency, effect]]);
      expect(left(result).every(([, amount]) => amount === '0.00')).toBe(true);
      const without = await check(ledger, { only: allBut(code) });
      expect(left(without).filter(([, amount]) => amount !== '0.00')).toEqual([[currency, effect]]);
    });
  });

  it('finds COD that is taken back and of which the own book says nothing', async () => {
    const back: RowSpec = { order_id: 'B', amounts: { USD: ['25.00', '3.00'], EUR: ['-4.00', '0.00'] } };
    await withLedger(clean(back), async (ledger) => {
      expect(steps(await check(ledger))).toEqual([['book-cod-differs', 'EUR', '-4.00']]);
    });
    const { own, ...spec } = clean(back);
    const said = { ...own, orders: [...own!.orders!, asked('B', '-4.00', 'EUR')] };
    await withLedger({ ...spec, own: said }, async (ledger) => {
      const result = await check(ledger, { periods: ['2026-10'] });
      expect([steps(result), result.incomplete, result.mismatches]).toEqual([[], [], []]);
    });
  });

  it('takes rows of no own order as a step of their own, and the month is incomplete', async () => {
    await withLedger(clean({ order_id: 'X' }), async (ledger) => {
      const result = await check(ledger, { periods: ['2026-10'] });
      expect(steps(result)).toEqual([['not-compared', 'USD', '22.00']]);
      expect(result.incomplete).toEqual([
        {
          period: '2026-10',
          why: '1 row with 28.00 USD not compared: your own book does not hold the order, or several of its reference; run `remit import orders FILE`',
        },
      ]);
      expect(checkExitCode(result, 'error')).toBe(1);
      expect(left(result).every(([, amount]) => amount === '0.00')).toBe(true);
      expect(result.mismatches.map(({ code, order_id }) => [code, order_id])).toEqual([['not-in-books', 'X']]);
      expect(result.uncompared).toEqual([
        'not comparable: 1 by book-cod-differs: your own book does not hold the order',
        'not comparable: 1 by fee-off-tariff, 1 by fee-no-tariff: your own book does not hold the order, or several of its reference',
      ]);
    });
  });

  it('takes fees without an agreed price as a step: without a rate card, or where it goes by what nobody knows', async () => {
    const { own, ...spec } = clean();
    await withLedger({ ...spec, own: { orders: own!.orders! } }, async (ledger) => {
      const result = await check(ledger);
      expect(steps(result)).toEqual([['not-compared', 'USD', '-10.00']]);
      expect(result.skipped.find(({ code }) => code === 'fee-off-tariff')!.why).toBe(
        'no rate card was imported, so that no fee can be compared; run `remit import tariff FILE`',
      );
      expect(result.bridge.map(({ ours }) => ours)).toEqual(['900000.00', '25.00']);
      expect(left(result)).toEqual([
        ['LBP', '0.00'],
        ['USD', '0.00'],
      ]);
    });
    // Of some pickup place another price was agreed: only the order book knows the place.
    const card = ['STANDARD,,,7,,,USD,2.00', ...TARIFF];
    await withLedger({ ...spec, own: { orders: own!.orders!, tariff: card } }, async (ledger) => {
      const result = await check(ledger);
      // Tyre's price is more specific than that of a place: it wins wherever the parcel came from.
      expect(steps(result)).toEqual([['not-compared', 'USD', '-6.00']]);
      expect(result.uncompared).toEqual([
        'not comparable: 2 by fee-off-tariff, 2 by fee-no-tariff: the agreed price goes by what only the order book knows of the order; run `remit sync --orders`',
      ]);
    });
  });

  it('counts an order once, and as delivered where any row says so', async () => {
    const { invoices, ...spec } = clean({ order_id: 'B', delivery_state: 'IN_TRANSIT' });
    const later: InvoiceSpec = { number: 2, period: '2026-11', rows: [{ order_id: 'B' }] };
    await withLedger({ ...spec, invoices: [...invoices!, later] }, async (ledger) => {
      const result = await check(ledger);
      expect(result.bridge.map(({ period, currency, ours }) => [period, currency, ours])).toEqual([
        ['2026-10', 'LBP', '900000.00'],
        ['2026-10', 'USD', '37.00'],
        ['2026-11', 'USD', '0.00'],
      ]);
      // The state on the row is at fault, and not its money.
      expect(result.mismatches.map(({ code, effect }) => [code, effect])).toEqual([
        ['order-on-two-invoices', '22.00'],
        ['cod-without-delivery', null],
      ]);
      expect(left(result).every(([, amount]) => amount === '0.00')).toBe(true);
    });
  });

  it('keeps what it found of an invoice that vanished, without an effect', async () => {
    const spec = clean({ order_id: 'B', amounts: { USD: ['20.00', '3.00'] } });
    await withLedger({ ...spec, nights: [{ gone: [1], orderBook: 'none', periods: ['2026-10'] }] }, async (ledger) => {
      const { mismatches, bridge } = await check(ledger);
      const found = mismatches.filter(({ code }) => code === 'book-cod-differs');
      expect(found.map(({ period, order_id, effect }) => [period, order_id, effect])).toEqual([['2026-10', 'B', null]]);
      expect(bridge.map(({ ours, unexplained }) => [ours, unexplained])).toEqual([
        ['0.00', '0.00'],
        ['0.00', '0.00'],
      ]);
    });
  });

  it('gives way to the order book once that is there, under the same identities', async () => {
    const spec = clean({ order_id: 'B', amounts: { USD: ['20.00', '3.00'] } });
    const ids: string[][] = [];
    for (const orderBook of ['none', 'complete'] as const) {
      await withLedger({ ...spec, orderBook }, async (ledger) => {
        const { mismatches, bridge } = await check(ledger);
        ids.push(
          mismatches
            .filter(({ code, order_id }) => code === 'book-cod-differs' && order_id === 'B')
            .map(({ id }) => id),
        );
        expect(bridge.every(({ unexplained }) => unexplained === '0.00')).toBe(true);
      });
    }
    expect(ids[0]).toHaveLength(1);
    expect(ids[1]).toEqual(ids[0]);
  });

  it('is null where there is neither an order book nor an own one', async () => {
    const { own: _, ...spec } = clean();
    await withLedger({ ...spec, own: { tariff: TARIFF } }, async (ledger) => {
      const { bridge, skipped } = await check(ledger);
      expect(bridge.every(({ ours, unexplained }) => ours === null && unexplained === null)).toBe(true);
      expect(skipped.find(({ code }) => code === 'fee-off-tariff')!.why).toBe(
        'the order book was never synced; run `remit sync --orders`, or `remit import orders FILE`',
      );
    });
  });
});

const amount = fc.constantFrom('0.00', '3.00', '25.00', '-4.50', '0.0001');
const amounts: fc.Arbitrary<Amounts> = fc.oneof(
  fc.record({ USD: fc.tuple(amount, amount) }),
  fc.record({ USD: fc.tuple(amount, amount), LBP: fc.tuple(amount, amount) }),
  fc.constant({}),
);
const reference = fc.constantFrom('SO-1', 'so-1', '#SO-2', 'SO-3', 'SO-4', '');
const row: fc.Arbitrary<RowSpec> = fc.record({
  order_id: fc.constantFrom('A', 'B', 'C', 'D'),
  reference_id: reference,
  amounts,
  delivery_state: fc.constantFrom('DELIVERED', 'DELIVERED', 'CANCELLED', 'IN_TRANSIT'),
});
const invoice = (number: number): fc.Arbitrary<InvoiceSpec> =>
  fc.record({
    number: fc.constant(number),
    period: fc.constantFrom('2026-09', '2026-10'),
    issued_at: fc.constantFrom('2026-09-28T10:00:00+02:00', '2026-10-02T00:00:00Z', '2026-10-02T01:30:00+02:00'),
    rows: fc.array(row, { maxLength: 4 }),
    vanished: fc.constantFrom(false, false, true),
  });
const ownOrder = fc
  .tuple(
    fc.constantFrom('SO-1', 'SO-2', 'SO-3', 'SO-4'),
    fc.constantFrom('handed_over', 'cancelled', 'open'),
    fc.constantFrom('USD', 'LBP'),
    amount.map((text) => text.replace('-', '')),
    fc.constantFrom('', 'Tyre', 'Beirut'),
  )
  .map(([id, status, currency, cod, district]) => ({
    id,
    line: `${id},2026-09-01,${status},${currency},${cod},${district}`,
  }));
const tariffLine = fc
  .tuple(
    fc.constantFrom('STANDARD', 'STANDARD', 'CANCELLED'),
    fc.constantFrom('Tyre', 'Beirut', ''),
    fc.constantFrom('', '7'),
    fc.constantFrom('USD', 'LBP'),
    amount,
  )
  .map(([workflow, district, place, currency, fee]) => ({
    scope: `${workflow} ${district} ${place} ${currency}`,
    line: `${workflow},${district},,${place},,,${currency},${fee.replace('-', '')}`,
  }));
const world: fc.Arbitrary<LedgerSpec> = fc
  .record({
    invoices: fc.tuple(invoice(1), invoice(2), invoice(3)).map((all) => [...all]),
    orders: fc.uniqueArray(ownOrder, { selector: ({ id }) => id, minLength: 1 }),
    tariff: fc.uniqueArray(tariffLine, { selector: ({ scope }) => scope, maxLength: 4 }),
  })
  .map(({ invoices, orders, tariff }) => ({
    periods: ['2026-09', '2026-10'],
    orderBook: 'none',
    invoices,
    own: {
      orders: orders.map(({ line }) => line),
      ...(tariff.length > 0 ? { tariff: tariff.map(({ line }) => line) } : {}),
    },
  }));

it('leaves nothing unexplained, whatever the invoices and the own book say', async () => {
  await fc.assert(
    fc.asyncProperty(world, (spec) =>
      withLedger(spec, async (ledger) => {
        const { bridge } = await check(ledger);
        expect(bridge.map(({ unexplained }) => unexplained)).toEqual(bridge.map(() => '0.00'));
      }),
    ),
    { numRuns: RUNS },
  );
}, 300_000);
