import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { DELIVERY_STATES, PAYMENT_STATES } from '../../../src/api/wire.ts';
import { MoneyError, UsageError } from '../../../src/base/errors.ts';
import { formatAmount } from '../../../src/money/decimal.ts';
import { amountOfUnits } from '../../../src/money/units.ts';
import { issueInvoice, momentOfIssue, payInvoice } from '../../../src/sandbox/operator/invoicing.ts';
import { MOVES, type Move, moveOrder } from '../../../src/sandbox/operator/moves.ts';
import { parseReturns, setReturns } from '../../../src/sandbox/operator/returns.ts';
import type { AmountUnits } from '../../../src/sandbox/rules/rate-card.ts';
import { insertOrder } from '../../../src/sandbox/store/insert-order.ts';
import { openStore } from '../../../src/sandbox/store/open.ts';
import { changeStates, type States } from '../../../src/sandbox/store/states.ts';
import type { Store } from '../../../src/sandbox/store/store.ts';
import { openShops, type Shop } from '../../../src/sandbox/world/shop.ts';

const AT = '2026-11-20T10:00:00.000001+00:00';
const MERCHANT = 'Cedar Threads';
let store: Store;
let shop: Shop;

beforeEach(() => {
  store = openStore(':memory:');
  shop = openShops(store, new Date('2026-11-01T00:00:00Z'))[0]!;
  store.write(() => {
    const customerId = store.run('insert into customer (merchant_id, phone_number) values (?, ?)', shop.id, '+96170');
    store.run('insert into customer_location (customer_id, area_id) values (?, 1)', customerId);
  });
});

/** An order in the given states, made as if it had come there. */
function order(
  states: Partial<States> = {},
  cod: AmountUnits[] = [{ currency: 'USD', units: 250_000n }],
  workflow: 'STANDARD' | 'RETURN' = 'STANDARD',
): string {
  return store.write(() => {
    const orderId = insertOrder(
      store,
      {
        merchant: shop.id,
        pickupLocation: shop.pickupIds[0]!,
        customer: 1,
        customerLocation: 1,
        district: 'Beirut',
        workflow,
        cod,
      },
      '2026-11-19T08:00:00.000000+00:00',
    );
    changeStates(store, orderId, { delivery_state: 'PICKUP_REQUESTED', payment_state: 'UNPAID', ...states }, AT);
    return orderId;
  });
}

function statesOf(orderId: string): string {
  const row = store.get<States>('select delivery_state, payment_state from delivery_order where order_id = ?', orderId);
  return `${row?.delivery_state} ${row?.payment_state}`;
}

function stampsOf(orderId: string): string[] {
  return store
    .all<States>('select delivery_state, payment_state from statestamp where order_id = ? order by position', orderId)
    .map((stamp) => `${stamp.delivery_state} ${stamp.payment_state}`);
}

const deliver: Move[] = ['assign', 'scan', 'pickup', 'warehouse', 'dispatch', 'deliver'];

describe('moves', () => {
  test('take an order step by step to the customer and the cash to the company', () => {
    const id = order();
    const way: Move[] = [
      'assign',
      'scan',
      'pickup',
      'warehouse',
      'assign',
      'scan',
      'pickup',
      'dispatch',
      'deliver',
      'collect',
    ];
    for (const move of way) moveOrder(store, id, move, AT);
    expect(stampsOf(id)).toEqual([
      'CREATED UNPAID',
      'PICKUP_REQUESTED UNPAID',
      'PICKUP_ASSIGNED UNPAID',
      'SCANNED_FOR_PICKUP UNPAID',
      'PICKED_UP UNPAID',
      'AT_WAREHOUSE UNPAID',
      'DELIVERY_ASSIGNED UNPAID',
      'SCANNED_FOR_DELIVERY UNPAID',
      'PICKED_UP_FOR_DELIVERY UNPAID',
      'IN_TRANSIT UNPAID',
      'DELIVERED PENDING_PAYMENT_BY_DRIVER',
      'DELIVERED PAID_BY_DRIVER',
    ]);
  });

  test('dispatch from the warehouse takes the steps between at once, and stamps each', () => {
    const id = order();
    for (const move of deliver) moveOrder(store, id, move, AT);
    expect(stampsOf(id).slice(-5)).toEqual([
      'DELIVERY_ASSIGNED UNPAID',
      'SCANNED_FOR_DELIVERY UNPAID',
      'PICKED_UP_FOR_DELIVERY UNPAID',
      'IN_TRANSIT UNPAID',
      'DELIVERED PENDING_PAYMENT_BY_DRIVER',
    ]);
  });

  test('a failed attempt goes back to the warehouse and out again; a return ends with nothing to collect and its fee', () => {
    const id = order({ delivery_state: 'IN_TRANSIT' });
    for (const move of ['fail', 'dispatch', 'fail', 'return', 'return'] as Move[]) moveOrder(store, id, move, AT);
    expect(statesOf(id)).toBe('CANCELLED UNPAID');
    expect(store.all('select currency, cod, delivery_fee from order_money where order_id = ?', id)).toEqual([
      { currency: 'USD', cod: 0, delivery_fee: 30_000 },
    ]);
  });

  test.each(['AT_WAREHOUSE', 'AWAITING_RETURN'] as const)(
    'what is %s is handed over with its COD',
    (delivery_state) => {
      const id = order({ delivery_state });
      const money = () => store.all('select currency, cod, delivery_fee from order_money where order_id = ?', id);
      const before = money();
      moveOrder(store, id, 'handover', AT);
      expect(statesOf(id)).toBe('DELIVERED_AT_WAREHOUSE PAID_BY_DRIVER');
      expect(stampsOf(id).at(-1)).toBe('DELIVERED_AT_WAREHOUSE PAID_BY_DRIVER');
      expect(money()).toEqual(before);
      expect(() => moveOrder(store, id, 'handover', AT)).toThrow(/does not allow handover/);
      expect(issueInvoice(store, MERCHANT, AT)).toMatchObject({ order_count: 1 });
    },
  );

  test('from every pair of states each move is either in the table or refused, and a refused one changes nothing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DELIVERY_STATES),
        fc.constantFrom(...PAYMENT_STATES),
        fc.constantFrom(...(Object.keys(MOVES) as Move[])),
        (delivery_state, payment_state, move) => {
          const id = order({ delivery_state, payment_state });
          const before = stampsOf(id);
          const allowed = MOVES[move].some(
            (leg) => leg.from === delivery_state && (!('payment' in leg) || leg.payment[0] === payment_state),
          );
          if (allowed) {
            const now = moveOrder(store, id, move, AT);
            expect(stampsOf(id).length).toBeGreaterThan(before.length);
            expect(stampsOf(id).at(-1)).toBe(`${now.delivery_state} ${now.payment_state}`);
          } else {
            expect(() => moveOrder(store, id, move, AT)).toThrow(
              `order ${id} is ${delivery_state} and ${payment_state}`,
            );
            expect(stampsOf(id)).toEqual(before);
          }
          expect(stampsOf(id).at(-1)).toBe(statesOf(id));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('nothing leads out of CANCELLED, and no move goes before the merchant has asked for the pickup', () => {
    const starts = Object.values(MOVES).flatMap((legs) => legs.map(({ from }) => from as string));
    expect(starts).not.toContain('CANCELLED');
    expect(starts).not.toContain('CREATED');
    expect(starts).not.toContain('DELIVERED_AT_WAREHOUSE');
  });

  test('an unknown order is named, with what to do', () => {
    expect(() => moveOrder(store, 'NOPE', 'deliver', AT)).toThrow(
      expect.objectContaining({
        message: 'there is no order NOPE',
        kind: 'not-found',
        hint: expect.stringContaining('order_id'),
      }),
    );
  });

  test('a stamp is never earlier than the one before it', () => {
    const id = order();
    moveOrder(store, id, 'assign', '2020-01-01T00:00:00.000000+00:00');
    expect(store.get('select max(stamped_at) as at from statestamp where order_id = ? and position = 2', id)).toEqual({
      at: AT,
    });
  });
});

describe('invoices', () => {
  const delivered = (cod?: AmountUnits[]): string =>
    order({ delivery_state: 'DELIVERED', payment_state: 'PAID_BY_DRIVER' }, cod);

  test('bill what is delivered or handed back, and nothing else, once', () => {
    const billed = [
      delivered(),
      order({ delivery_state: 'DELIVERED', payment_state: 'PENDING_PAYMENT_BY_DRIVER' }),
      order({ delivery_state: 'DELIVERED_AT_WAREHOUSE' }),
    ];
    const others = (['CREATED', 'IN_TRANSIT', 'AWAITING_RETURN', 'CANCELLED'] as const).map((delivery_state) =>
      order({ delivery_state }),
    );
    const invoice = issueInvoice(store, MERCHANT, AT);
    expect(invoice).toMatchObject({ number: 10_001, order_count: 3, issued_at: AT });
    expect(store.all('select order_id from invoice_row order by position')).toEqual(
      billed.map((order_id) => ({ order_id })),
    );
    for (const id of billed) expect(statesOf(id)).toMatch(/PENDING_PAYMENT_TO_MERCHANT$/);
    for (const id of others) expect(statesOf(id)).toMatch(/UNPAID$/);
    expect(store.get('select count(*) as n from delivery_order where merchant_invoice = 10001')).toEqual({ n: 3 });
    expect(() => issueInvoice(store, MERCHANT, AT)).toThrow(/no delivered order that is not billed/);
    delivered();
    expect(issueInvoice(store, MERCHANT, AT).number).toBe(10_002);
  });

  test('total each currency exactly', () => {
    const usd = fc.bigInt({ min: 0n, max: 10n ** 15n });
    fc.assert(
      fc.property(fc.array(fc.tuple(usd, fc.option(usd)), { minLength: 1, maxLength: 8 }), (orders) => {
        for (const [units, pounds] of orders) {
          delivered([{ currency: 'USD', units }, ...(pounds === null ? [] : [{ currency: 'LBP', units: pounds }])]);
        }
        const { totals } = issueInvoice(store, MERCHANT, AT);
        const sum = (amounts: (bigint | null)[]) => amounts.reduce<bigint>((a, b) => a + (b ?? 0n), 0n);
        const line = (currency: string, cod: bigint, fee: bigint) => ({
          currency,
          cod: formatAmount(amountOfUnits(cod)),
          delivery_fee: formatAmount(amountOfUnits(fee)),
          net_due_to_merchant: formatAmount(amountOfUnits(cod - fee)),
        });
        const expected = [line('USD', sum(orders.map(([units]) => units)), BigInt(orders.length) * 30_000n)];
        if (orders.some(([, pounds]) => pounds !== null)) {
          expected.unshift(line('LBP', sum(orders.map(([, pounds]) => pounds)), 0n));
        }
        expect(totals).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('that would come to more than can be held are refused whole', () => {
    const most = 2n ** 63n - 1n;
    const ids = [delivered([{ currency: 'USD', units: most }]), delivered([{ currency: 'USD', units: 1n }])];
    expect(() => issueInvoice(store, MERCHANT, AT)).toThrow(MoneyError);
    expect(() => issueInvoice(store, MERCHANT, AT)).toThrow('come to more than the service can hold exactly');
    expect(store.get('select count(*) as n from invoice')).toEqual({ n: 0 });
    for (const id of ids) expect(statesOf(id)).toBe('DELIVERED PAID_BY_DRIVER');
  });

  test('of one merchant never hold an order of another', () => {
    delivered();
    expect(() => issueInvoice(store, 'Beit Zaatar', AT)).toThrow(/Beit Zaatar has no delivered order/);
    expect(() => issueInvoice(store, 'Nobody', AT)).toThrow(/no merchant named "Nobody"/);
  });

  test('are issued on the day that is asked for, and otherwise never before what has happened', () => {
    const now = new Date('2026-11-20T12:00:00Z');
    expect(momentOfIssue(store, now)).toBe('2026-11-20T12:00:00.000000+00:00');
    expect(momentOfIssue(store, now, '2026-10-31')).toBe('2026-10-31T12:00:00.000000+00:00');
    expect(() => momentOfIssue(store, now, '2026-02-30')).toThrow(/"2026-02-30" is not a day/);
    const id = order();
    store.write(() => moveOrder(store, id, 'assign', '2026-12-24T09:00:00.000000+00:00'));
    expect(momentOfIssue(store, now)).toBe('2026-12-24T09:00:00.000000+00:00');
  });

  test('are paid once, with every order on them', () => {
    const ids = [delivered(), order({ delivery_state: 'DELIVERED_AT_WAREHOUSE' })];
    const { number } = issueInvoice(store, MERCHANT, AT);
    const later = '2026-11-27T10:00:00.000000+00:00';
    expect(payInvoice(store, number, later)).toEqual({ number, status: 'PAID', paid_at: later });
    expect(ids.map(statesOf)).toEqual(['DELIVERED PAID_TO_MERCHANT', 'DELIVERED_AT_WAREHOUSE PAID_TO_MERCHANT']);
    expect(() => payInvoice(store, number, later)).toThrow(/was paid already/);
    expect(() => payInvoice(store, 99, later)).toThrow(/there is no invoice 99/);
  });
});

describe('RETURN orders in a header', () => {
  const delivered: States = { delivery_state: 'DELIVERED', payment_state: 'PAID_BY_DRIVER' };
  const bill = () => issueInvoice(store, MERCHANT, AT).totals;

  // Two orders of 25.00 with fees of 3.00, and a return on which the merchant pays 12.00, with a fee of 2.50.
  test.each([
    ['as-stated', '62.00', '8.50', '53.50'],
    ['deducted', '38.00', '6.00', '32.00'],
    ['deducted+return-fees', '38.00', '8.50', '29.50'],
    ['charged', '50.00', '18.00', '32.00'],
    ['charged+return-fees', '50.00', '20.50', '29.50'],
    ['separate', '50.00', '6.00', '32.00'],
    ['separate+return-fees', '50.00', '8.50', '29.50'],
  ])('%s', (convention, cod, delivery_fee, net_due_to_merchant) => {
    store.write(() => setReturns(store, parseReturns(convention)));
    order(delivered);
    order(delivered);
    order(delivered, [{ currency: 'USD', units: 120_000n }], 'RETURN');
    expect(bill()).toEqual([{ currency: 'USD', cod, delivery_fee, net_due_to_merchant }]);
  });

  test('each currency by itself; one that only returns have is in the header too', () => {
    store.write(() => setReturns(store, parseReturns('deducted')));
    order(delivered);
    order(delivered, [{ currency: 'LBP', units: 9_000_000_000n }], 'RETURN');
    expect(bill()).toEqual([
      { currency: 'LBP', cod: '-900000.00', delivery_fee: '0.00', net_due_to_merchant: '-900000.00' },
      { currency: 'USD', cod: '25.00', delivery_fee: '3.00', net_due_to_merchant: '22.00' },
    ]);
  });

  test('an overflow is refused, and no invoice is written', () => {
    store.write(() => setReturns(store, parseReturns('charged')));
    order(delivered);
    order(delivered, [{ currency: 'USD', units: 2n ** 63n - 1n }], 'RETURN');
    expect(bill).toThrow(MoneyError);
    expect(store.all('select * from invoice')).toEqual([]);
  });

  test.each(['', 'auto', 'as-stated+return-fees', 'deducted+fees', 'deducted+return-fees+return-fees'])(
    '%j is refused',
    (text) => {
      expect(() => parseReturns(text)).toThrow(UsageError);
    },
  );
});
