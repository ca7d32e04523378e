import { expect, it } from 'vitest';
import { clone } from '../world/documents.ts';
import { addUp, agree } from '../world/sums.ts';
import { bridge, HandWorld, told } from './world.ts';

it('a clean month has no finding, and nothing to bridge', () => {
  const world = new HandWorld();
  const orders = [world.order('A', '100.00', '3.00', '2026-09-02'), world.order('B', '50.00', '4.00', '2026-09-03')];
  world.invoice(1, '2026-09-10', orders);
  const verdict = world.night('2026-10-02');
  expect(told(verdict.shown)).toEqual([]);
  // 100 + 50 - 3 - 4
  expect(bridge(verdict)).toBe('courier 143.00, ours 143.00; unexplained 0.00; short 0.00');
  expect([...verdict.why('2026-09')]).toEqual([]);
});

it('each fault of the header takes its own difference', () => {
  const world = new HandWorld();
  const invoice = world.invoice(1, '2026-09-10', [world.order('A', '100.00', '3.00', '2026-09-02')]);
  // Rows 100 - 3. Header: cod 110 (10 too much), fee 5 (2 too much, so 2 less for the merchant), net 104 where 110 - 5
  // = 105.
  invoice.detail.cod = [['USD', '110.00']];
  invoice.detail.delivery_fee = [['USD', '5.00']];
  invoice.detail.net_due_to_merchant = [['USD', '104.00']];
  agree(invoice);
  const verdict = world.night('2026-10-02');
  expect(told(verdict.shown)).toEqual([
    'invoice-cod-total 1 USD cod 100.00 110.00 10.00',
    'invoice-fee-total 1 USD delivery_fee 3.00 5.00 -2.00',
    'invoice-net 1 USD net_due_to_merchant 105.00 104.00 -1.00',
  ]);
  // 104 - 97 = 7 = 10 - 2 - 1
  expect(bridge(verdict)).toBe(
    'courier 104.00, ours 97.00; invoice-cod-total 1x 10.00; invoice-fee-total 1x -2.00; invoice-net 1x -1.00; unexplained 0.00; short 7.00',
  );
});

it('a surplus row that also differs from the record is taken once, by order-repeated', () => {
  const world = new HandWorld();
  const invoice = world.invoice(1, '2026-09-10', [world.order('A', '100.00', '3.00', '2026-09-02')]);
  const surplus = clone(invoice.detail.orders[0] as (typeof invoice.detail.orders)[0]);
  surplus.cod = [['USD', '90.00']];
  invoice.detail.orders.push(surplus);
  addUp(invoice);
  const verdict = world.night('2026-10-02');
  expect(told(verdict.shown)).toEqual([
    'order-amount-differs 1 A USD cod 100.00 90.00', // found, without an effect
    'order-repeated 1 A USD 1 2 87.00', // 90 - 3
  ]);
  expect(bridge(verdict)).toBe('courier 184.00, ours 97.00; order-repeated 1x 87.00; unexplained 0.00; short 87.00');
});

it('an order on two invoices of two months counts in the first; the step is in the month of the second', () => {
  const world = new HandWorld();
  const order = world.order('A', '100.00', '3.00', '2026-09-02');
  world.invoice(1, '2026-09-10', [order]);
  const second = world.invoice(2, '2026-10-01', [order]);
  const row = second.detail.orders[0] as (typeof second.detail.orders)[0];
  row.cod = [['USD', '80.00']];
  addUp(second);
  order.merchant_invoice = 1;
  const verdict = world.night('2026-11-02', { months: ['2026-09', '2026-10'] });
  expect(told(verdict.shown)).toEqual([
    'order-amount-differs 2 A USD cod 100.00 80.00',
    'order-on-two-invoices A USD 1 2 77.00',
    'payment-overdue 1',
    'payment-overdue 2',
  ]);
  expect(verdict.shown.find(({ code }) => code === 'order-on-two-invoices')?.period).toBe('2026-10');
  expect(bridge(verdict, '2026-09')).toBe('courier 97.00, ours 97.00; unexplained 0.00; short 0.00');
  expect(bridge(verdict, '2026-10')).toBe(
    'courier 77.00, ours 0.00; order-on-two-invoices 1x 77.00; unexplained 0.00; short 77.00',
  );
});

it('a repriced record splits the row: differs from the record now, which differs from the one first seen delivered', () => {
  const world = new HandWorld();
  const order = world.order('A', '100.00', '3.00', '2026-09-02');
  world.invoice(1, '2026-09-10', [order]);
  world.night('2026-10-02');
  order.cod = [['USD', '92.00']];
  order.delivery_fee = [['USD', '3.50']];
  const verdict = world.night('2026-10-03');
  expect(told(verdict.shown)).toEqual([
    'order-amount-differs 1 A USD cod 92.00 100.00 8.00',
    'order-amount-differs 1 A USD delivery_fee 3.50 3.00 0.50', // charged half a dollar less than the record now
    'order-restated A USD cod 100.00 92.00 -8.00',
    'order-restated A USD delivery_fee 3.00 3.50 -0.50',
  ]);
  expect(bridge(verdict)).toBe(
    'courier 97.00, ours 97.00; order-amount-differs 2x 8.50; order-restated 2x -8.50; unexplained 0.00; short 0.00',
  );
});

it('COD of what was never delivered, a fee on what was cancelled, an unknown order: the whole of each', () => {
  const world = new HandWorld();
  const never = world.order('N', '70.00', '3.00', null);
  const cancelled = world.order('C', '40.00', '2.00', null);
  cancelled.delivery_state = 'CANCELLED';
  const unknown = world.order('U', '30.00', '1.00', '2026-09-02');
  const invoice = world.invoice(1, '2026-09-10', [never, cancelled, unknown]);
  invoice.detail.orders[1]!.cod = [];
  addUp(invoice);
  world.state.orders.delete('U');
  const verdict = world.night('2026-10-02');
  expect(told(verdict.shown)).toEqual([
    'cod-without-delivery 1 N USD 70.00',
    'fee-on-cancelled 1 C USD -2.00',
    'order-amount-differs 1 C USD cod 40.00 0.00', // never delivered: its COD is not due, so no money
    'order-unknown 1 U USD 29.00',
  ]);
  // Courier: 70 - 3, - 2, 30 - 1 = 94. Ours: the fee of N alone.
  expect(bridge(verdict)).toBe(
    'courier 94.00, ours -3.00; cod-without-delivery 1x 70.00; fee-on-cancelled 1x -2.00; order-unknown 1x 29.00; unexplained 0.00; short 97.00',
  );
});

it('a row that is not marked delivered, of an order that was, is a warning without money', () => {
  const world = new HandWorld();
  const invoice = world.invoice(1, '2026-09-10', [world.order('A', '100.00', '3.00', '2026-09-02')]);
  invoice.detail.orders[0]!.delivery_state = 'AWAITING_RETURN';
  const verdict = world.night('2026-10-02');
  expect(told(verdict.shown)).toEqual(['cod-without-delivery 1 A USD']);
  expect(bridge(verdict)).toBe('courier 97.00, ours 97.00; unexplained 0.00; short 0.00');
});

it('without an order book our figure is null, and what the invoices alone show still has its effect', () => {
  const world = new HandWorld();
  const invoice = world.invoice(1, '2026-09-10', [world.order('A', '100.00', '3.00', null)]);
  invoice.detail.orders.push(clone(invoice.detail.orders[0]!));
  addUp(invoice);
  const verdict = world.night('2026-10-02', { months: ['2026-09'], orders: false });
  expect(told(verdict.shown)).toEqual([
    'cod-without-delivery 1 A USD', // the surplus row: order-repeated has it
    'cod-without-delivery 1 A USD 100.00',
    'order-repeated 1 A USD 1 2 97.00',
  ]);
  expect(bridge(verdict)).toBe(
    'courier 194.00, ours null; cod-without-delivery 1x 100.00; order-repeated 1x 97.00; unexplained null; short 197.00',
  );
});

it('an invoice whose amounts come to more than the ledger holds is a finding about itself', () => {
  const world = new HandWorld();
  const big = '600000000000000.00';
  const orders = [world.order('A', big, '0.00', '2026-09-02'), world.order('B', big, '0.00', '2026-09-02')];
  const invoice = world.invoice(1, '2026-09-10', orders);
  invoice.detail.cod = [['USD', big]];
  invoice.detail.net_due_to_merchant = [['USD', big]];
  agree(invoice);
  const verdict = world.night('2026-10-02');
  expect(told(verdict.shown)).toEqual(['document-malformed 1']);
});
