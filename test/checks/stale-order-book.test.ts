import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { usingLedger } from '../../src/ledger/index.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { type FakeCourier, invoiceOf, startFakeCourier } from '../helpers/courier.ts';
import { syncInto, temporaryFolder } from '../helpers/sync.ts';
import { check } from './options.ts';

let courier: FakeCourier;
beforeEach(async () => {
  courier = await startFakeCourier();
});
afterEach(() => courier.close());

const bill = (number: number, order_id: string, month: string) =>
  courier.world.invoices.push(
    invoiceOf(number, `2026-${month}-12T09:00:00Z`, [
      { order_id, cod: [['USD', '25.00']], delivery_fee: [['USD', '3.00']] },
    ]),
  );
const record = (order_id: string, merchant_invoice: number | string | null) => {
  courier.world.orders = courier.world.orders.filter((order) => order.order_id !== order_id);
  courier.world.orders.push({
    order_id,
    workflow: 'STANDARD',
    cod: [['USD', '25.00']],
    delivery_fee: [['USD', '3.00']],
    delivery_state: 'DELIVERED',
    payment_state: 'PAID_TO_MERCHANT',
    merchant_invoice,
    statestamps: [{ delivery_state: 'DELIVERED', payment_state: 'UNPAID', timestamp: '2026-10-10T09:00:00Z' }],
  });
};
const look = async (file: string) => {
  const settings = DEFAULT_SETTINGS;
  const { skipped, mismatches, coverage } = await usingLedger(file, {}, (ledger) =>
    check(ledger, { periods: ['2026-09', '2026-10'], settings, now: new Date('2026-10-13T00:00:00Z') }),
  );
  const of = (code: string) => coverage.find((line) => line.code === code)?.not_comparable;
  return { skipped, of, found: mismatches.map(({ code, order_id }) => `${code} ${order_id}`) };
};

test('an order is not called unknown, nor its link wrong, by an order book that is older than the invoice', async () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  const periods = ['2026-09', '2026-10'];
  bill(1, 'A', '09');
  record('A', 1);
  bill(2, 'LOST', '09');
  record('B', null);
  await syncInto(file, courier, { periods, orders: true });
  expect((await look(file)).found).toEqual(['order-unknown LOST']);

  // B is billed, and so is a new order; the order book of the ledger knows neither.
  bill(3, 'B', '10');
  record('B', 3);
  bill(4, 'C', '10');
  record('C', 4);
  await syncInto(file, courier, { periods });
  const stale = await look(file);
  expect(stale.found).toEqual(['order-unknown LOST']);
  expect(stale.of('order-unknown')).toBe(1);
  expect(stale.of('order-amount-differs')).toBe(2);

  await syncInto(file, courier, { periods, orders: true });
  expect((await look(file)).found).toEqual(['order-unknown LOST']);
});

test('an order is not called unknown that is in the order book and cannot be read', async () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  const periods = ['2026-09'];
  bill(1, 'A', '09');
  record('A', 1);
  const [order] = courier.world.orders;
  courier.world.orders = [{ ...order!, cod: [['USD', 25]] }];
  await syncInto(file, courier, { periods, orders: true });
  const { found, skipped } = await look(file);
  expect(found).toEqual(['document-malformed A']);
  expect(skipped).toContainEqual({ code: 'order-unknown', why: expect.stringContaining('was ever read') });

  courier.world.orders = [order!];
  await syncInto(file, courier, { periods, orders: true });
  expect((await look(file)).of('order-unknown')).toBe(0);
});

test('an order whose invoice is an empty text stands on none', async () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  record('A', '');
  await syncInto(file, courier, { periods: ['2026-10'], orders: true });
  const settings = { ...DEFAULT_SETTINGS, invoiceLagDays: 1 };
  const options = { periods: ['2026-10'], settings, now: new Date('2026-10-13T00:00:00Z') };
  const { mismatches } = await usingLedger(file, {}, (ledger) => check(ledger, options));
  expect(mismatches).toMatchObject([{ code: 'delivered-not-invoiced', order_id: 'A' }]);
});
