import { describe, expect, it } from 'vitest';
import { charges } from '../../reports/charges.ts';
import type { Row } from '../../reports/model.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { type LedgerSpec, type RowSpec, withLedger } from '../helpers/ledger.ts';
import { check } from './options.ts';

/** What delivered orders cost, and cancelled ones: more where they were bound for Tyre. */
const TARIFF = ['STANDARD,,,,,,USD,3.00', 'CANCELLED,,,,,,USD,1.00', 'cancelled,Tyre,,,,,USD,1.50'];
const ASKED = ['A', 'C'].map((id) => `ref-${id},2026-10-01,handed_over,USD,25.00,Beirut`);

const cancelled = (fee: string, more: Partial<RowSpec> = {}): RowSpec => ({
  order_id: 'C',
  delivery_state: 'CANCELLED',
  amounts: { USD: ['0.00', fee] },
  ...more,
});
/** A month of a delivered order and others, priced; by the order book, or by the own book alone. */
function priced(source: 'order-book' | 'own-book', ...rows: RowSpec[]): LedgerSpec {
  return {
    ...(source === 'own-book' ? { orderBook: 'none' } : {}),
    invoices: [{ number: 1, rows: [{ order_id: 'A' }, ...rows] }],
    own: { tariff: TARIFF, ...(source === 'own-book' ? { orders: ASKED } : {}) },
  };
}

it.each(['order-book', 'own-book'] as const)(
  'the fee that the rate card has for cancelled orders is no finding, and our figure counts it (%s)',
  async (source) => {
    await withLedger(priced(source, cancelled('1.00')), async (ledger) => {
      const { mismatches, bridge } = await check(ledger);
      expect(mismatches).toEqual([]);
      // 25.00 less 3.00 of the delivered order, and less 1.00 of the cancelled one.
      expect(bridge).toMatchObject([{ courier: '21.00', ours: '21.00', steps: [], unexplained: '0.00' }]);
    });
  },
);

it.each<[source: 'order-book' | 'own-book', fee: string, effect: string, says: RegExp]>([
  ['order-book', '3.00', '-2.00', /a fee of 3\.00 USD .* 2\.00 USD more than the 1\.00 USD .*: ask for the difference/],
  ['own-book', '3.00', '-2.00', /2\.00 USD more than the 1\.00 USD/],
  ['order-book', '0.00', '1.00', /1\.00 USD less than the 1\.00 USD .*: the delivery company may ask for the rest/],
  ['own-book', '0.25', '0.75', /0\.75 USD less/],
])('another fee than the agreed one is found, by its difference (%s, %s)', async (source, fee, effect, says) => {
  await withLedger(priced(source, cancelled(fee)), async (ledger) => {
    const { mismatches, bridge } = await check(ledger);
    expect(mismatches).toMatchObject([
      { code: 'fee-on-cancelled', expected: '1.00', actual: fee, effect, message: expect.stringMatching(says) },
    ]);
    expect(bridge).toMatchObject([
      { ours: '21.00', steps: [{ code: 'fee-on-cancelled', count: 1, effect }], unexplained: '0.00' },
    ]);
  });
});

it.each(['order-book', 'own-book'] as const)(
  'the report of charges has agreed and charged fees of cancelled orders (%s)',
  async (source) => {
    const delivered = { order_id: 'B', amounts: { USD: ['25.00', '4.00'] } } as const;
    await withLedger(priced(source, delivered, cancelled('3.00')), async (ledger) => {
      const [row] = await usingSnapshot(ledger, async (db) => {
        const { rows } = await charges({ db, settings: DEFAULT_SETTINGS, periods: ['2026-10'], period: '2026-10' });
        return rows as Row[];
      });
      // 3.00 of each delivered order, if it is in the own book, and 1.00 of the cancelled one.
      expect(row).toMatchObject(
        source === 'order-book'
          ? { charged: '10.00', agreed: '7.00', difference: '3.00', unpriced: '0.00' }
          : { charged: '10.00', agreed: '4.00', difference: '2.00', unpriced: '4.00' },
      );
    });
  },
);

it('a fee that was agreed is not charged either where the row has no amount at all', async () => {
  await withLedger(priced('order-book', cancelled('0.00', { amounts: {} })), async (ledger) => {
    const { mismatches, bridge } = await check(ledger);
    expect(mismatches).toMatchObject([{ code: 'fee-on-cancelled', actual: '0.00', effect: '1.00' }]);
    expect(bridge).toMatchObject([{ unexplained: '0.00' }]);
  });
});

it('a rate card without prices for cancelled orders changes nothing: their fee is found whole', async () => {
  const spec = priced('order-book', cancelled('3.00'));
  await withLedger({ ...spec, own: { tariff: [',,,,,,USD,3.00'] } }, async (ledger) => {
    const { mismatches, bridge } = await check(ledger);
    expect(mismatches).toMatchObject([{ code: 'fee-on-cancelled', expected: '0.00', actual: '3.00', effect: '-3.00' }]);
    expect(bridge).toMatchObject([{ ours: '22.00', unexplained: '0.00' }]);
  });
});

describe('an invoice on which no order was ever delivered', () => {
  const rows = ['D', 'E', 'F'].map((order_id) => ({
    order_id,
    delivery_state: 'CANCELLED',
    amounts: { USD: ['0.00', '2.00'], LBP: ['0.00', '90000'] } as const,
  }));
  const invoices = [
    { number: 1, rows: [{ order_id: 'A' }] },
    { number: 2, rows },
  ];

  it('is asked for once a currency', async () => {
    await withLedger({ invoices }, async (ledger) => {
      const { mismatches, bridge } = await check(ledger);
      expect(mismatches.map((one) => [one.code, one.invoice_number, one.order_id, one.currency, one.effect])).toEqual([
        ['fee-on-cancelled', 2, null, 'LBP', '-270000.00'],
        ['fee-on-cancelled', 2, null, 'USD', '-6.00'],
      ]);
      expect(mismatches[1]?.message).toContain('charges 6.00 USD for 3 cancelled orders');
      expect(bridge.map(({ unexplained }) => unexplained)).toEqual(['0.00', '0.00']);
    });
  });

  it('row by row where one of them was delivered, and not at all where the rate card has the price', async () => {
    const mixed = [{ number: 2, rows: [{ order_id: 'A' }, ...rows] }];
    await withLedger({ invoices: mixed }, async (ledger) => {
      const { mismatches } = await check(ledger);
      expect(mismatches.map(({ order_id }) => order_id)).toEqual(['D', 'D', 'E', 'E', 'F', 'F']);
    });
    const tariff = ['STANDARD,,,,,,USD,3.00', 'CANCELLED,,,,,,USD,2.00', 'CANCELLED,,,,,,LBP,90000'];
    await withLedger({ invoices, own: { tariff } }, async (ledger) => {
      expect((await check(ledger)).mismatches).toEqual([]);
    });
  });
});

it.each(['complete', 'none'] as const)(
  'an order that was collected at the warehouse is a delivery (order book: %s)',
  async (orderBook) => {
    const rows = [{ order_id: 'A' }, { order_id: 'B', delivery_state: 'DELIVERED_AT_WAREHOUSE' }];
    const orders = ['A', 'B'].map((id) => `ref-${id},2026-10-01,handed_over,USD,25.00,Beirut`);
    await withLedger(
      { orderBook, invoices: [{ number: 1, rows }], own: { orders, tariff: TARIFF } },
      async (ledger) => {
        const { mismatches, bridge } = await check(ledger);
        expect(mismatches).toEqual([]);
        expect(bridge).toMatchObject([{ courier: '44.00', ours: '44.00', unexplained: '0.00' }]);
      },
    );
  },
);
