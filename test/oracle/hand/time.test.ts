import { expect, it } from 'vitest';
import type { OrderDocument } from '../world/documents.ts';
import { addUp, agree } from '../world/sums.ts';
import { bridge, HandWorld, told } from './world.ts';

const clean = (): HandWorld => {
  const world = new HandWorld();
  world.invoice(1, '2026-09-10', [
    world.order('A', '100.00', '3.00', '2026-09-02'),
    world.order('B', '50.00', '4.00', '2026-09-03'),
  ]);
  return world;
};

const vanish = (world: HandWorld, number: number): void => {
  for (const held of world.state.months.values()) held.delete(number);
};

it('a vanished invoice takes its net away; an order that another live invoice lists is taken off', () => {
  const world = clean();
  world.night('2026-09-20');
  vanish(world, 1);
  world.invoice(2, '2026-09-22', [world.state.orders.get('B')!]);
  const verdict = world.night('2026-10-02');
  // -(143 - (50 - 4)); A is on no invoice, but it is the vanished one's. A still names it.
  expect(told(verdict.shown)).toEqual([
    'invoice-vanished 1 USD net_due_to_merchant 143.00 0.00 -97.00',
    'order-invoice-link A',
  ]);
  expect(bridge(verdict)).toBe(
    'courier 46.00, ours 46.00; unexplained 0.00; outside invoice-vanished 1x -97.00; short -97.00',
  );
});

it('what a vanished invoice showed stays open without money, and money comes back with it', () => {
  const world = clean();
  const invoice = world.state.invoices.get(1)!;
  invoice.detail.cod = [['USD', '160.00']];
  invoice.detail.net_due_to_merchant = [['USD', '153.00']];
  agree(invoice);
  world.night('2026-09-20');
  vanish(world, 1);
  const gone = world.night('2026-09-21');
  expect(told(gone.shown, 'invoice-cod-total')).toEqual(['invoice-cod-total 1 USD cod 150.00 160.00']);
  expect(bridge(gone)).toBe(
    'courier 0.00, ours 0.00; unexplained 0.00; outside invoice-vanished 1x -153.00; short -153.00',
  );
  world.state.months.get('2026-09')?.add(1);
  const back = world.night('2026-09-22');
  expect(told(back.shown)).toEqual(['invoice-cod-total 1 USD cod 150.00 160.00 10.00']);
});

it('a listing that came short, or one with a row nobody can name, makes nothing vanish', () => {
  const world = clean();
  world.night('2026-10-02');
  vanish(world, 1);
  world.state.countOff.set('2026-09', 1);
  const verdict = world.night('2026-10-03');
  expect(told(verdict.shown)).toEqual(['listing-incomplete 1 0']);
  expect([...verdict.why('2026-09')]).toEqual(['listing-incomplete']);
  expect(bridge(verdict)).toBe('courier 143.00, ours 143.00; unexplained 0.00; short 0.00');
});

it('an unreadable detail leaves the old figures, superseded, with their findings', () => {
  const world = clean();
  const invoice = world.state.invoices.get(1)!;
  invoice.detail.net_due_to_merchant = [['USD', '140.00']];
  agree(invoice);
  world.night('2026-10-02');
  invoice.detail.net_due_to_merchant = [['USD', '120.00']];
  agree(invoice);
  invoice.detailFault = 'amount';
  const verdict = world.night('2026-10-03');
  expect(told(verdict.shown)).toEqual([
    'document-malformed 1',
    'invoice-list-detail 1 USD net_due_to_merchant 140.00 120.00',
    'invoice-net 1 USD net_due_to_merchant 143.00 140.00 -3.00',
  ]);
  expect([...verdict.why('2026-09')].sort()).toEqual(['superseded', 'unreadable']);
});

it('a restated invoice: first against now, an error once it was paid, and over when it is put back', () => {
  const world = clean();
  const invoice = world.state.invoices.get(1)!;
  invoice.detail.status = 'PAID';
  for (const row of invoice.detail.orders) row.payment_state = 'PAID_TO_MERCHANT';
  agree(invoice);
  world.night('2026-10-02');
  const kept = structuredClone(invoice.detail);
  invoice.detail.orders.pop();
  addUp(invoice);
  const verdict = world.night('2026-10-03');
  expect(told(verdict.shown, 'invoice-restated')).toEqual([
    'invoice-restated 1 USD cod 150.00 100.00',
    'invoice-restated 1 USD delivery_fee 7.00 3.00',
    'invoice-restated 1 USD net_due_to_merchant 143.00 97.00',
  ]);
  expect(verdict.shown.find(({ code }) => code === 'invoice-restated')?.severity).toBe('error');
  invoice.detail = kept;
  agree(invoice);
  expect(told(world.night('2026-10-04').shown)).toEqual([]);
});

it('a book older than an invoice makes its rows not comparable, and what was open there stays open', () => {
  const world = clean();
  const invoice = world.state.invoices.get(1)!;
  invoice.detail.orders[0]!.cod = [['USD', '110.00']];
  addUp(invoice);
  const before = world.night('2026-10-02');
  expect(told(before.shown)).toEqual(['order-amount-differs 1 A USD cod 100.00 110.00 10.00']);
  invoice.detail.orders[0]!.cod = [['USD', '105.00']];
  addUp(invoice);
  const after = world.night('2026-10-03', { months: ['2026-09'], orders: false });
  expect(told(after.shown, 'order-amount-differs')).toEqual([]);
  expect(told(after.kept)).toEqual(['order-amount-differs 1 A USD cod']);
  // 148 - 143: the row of A is 5 more than an older record; B's row is not comparable either, but equal.
  expect(bridge(after)).toBe('courier 148.00, ours 143.00; not-compared 2x 5.00; unexplained 0.00; short 0.00');
  const again = world.night('2026-10-04');
  expect(told(again.shown, 'order-amount-differs')).toEqual(['order-amount-differs 1 A USD cod 100.00 105.00 5.00']);
  expect(again.kept).toEqual([]);
});

it('delivered and not invoiced: fifteen days later, and neither deletion nor a later state clears it', () => {
  const world = clean();
  world.order('L', '80.00', '5.00', '2026-09-30').statestamps[0]!.timestamp = '2026-10-01T01:00:00.000000+03:00';
  expect(told(world.night('2026-10-14').shown, 'delivered-not-invoiced')).toEqual([]);
  // Delivered on 30 September in Greenwich, on 1 October where it was delivered.
  const late = world.night('2026-10-16');
  expect(told(late.shown, 'delivered-not-invoiced')).toEqual(['delivered-not-invoiced L USD -75.00']);
  expect(bridge(late, '2026-10')).toBe(
    'courier 0.00, ours 0.00; unexplained 0.00; outside delivered-not-invoiced 1x -75.00; short -75.00',
  );
  world.state.orders.delete('L');
  const deleted = world.night('2026-10-17');
  expect(told(deleted.shown.filter(({ order_id }) => order_id === 'L'))).toEqual([
    'delivered-not-invoiced L USD -75.00',
    'order-vanished L',
  ]);
  expect(deleted.shown.find(({ code }) => code === 'order-vanished')?.severity).toBe('error');
});

it('an invoice that two listings hold counts in the month of its date', () => {
  const world = clean();
  world.state.months.set('2026-08', new Set([1]));
  const verdict = world.night('2026-10-02', { months: ['2026-08', '2026-09'] });
  expect(told(verdict.shown)).toEqual(['invoice-in-two-months 1']);
  expect(bridge(verdict, '2026-09')).toBe('courier 143.00, ours 143.00; unexplained 0.00; short 0.00');
  expect(bridge(verdict, '2026-08')).toBe('none');
});

it('a doubled order that lost an invoice by vanishing stays open', () => {
  const world = clean();
  world.invoice(2, '2026-09-12', [world.state.orders.get('A')!]);
  expect(told(world.night('2026-09-20').shown, 'order-on-two-invoices')).toEqual([
    'order-on-two-invoices A USD 1 2 97.00',
  ]);
  vanish(world, 2);
  const verdict = world.night('2026-09-21');
  expect(told(verdict.kept)).toEqual(['order-on-two-invoices A USD']);
  // The vanished invoice's only order stands on a live one: nothing was lost.
  expect(told(verdict.shown, 'invoice-vanished')).toEqual([
    'invoice-vanished 2 USD net_due_to_merchant 97.00 0.00 0.00',
  ]);
});

it('an order that does not name its invoice stays open until both are seen anew', () => {
  const world = clean();
  const [a, b] = ['A', 'B'].map((id) => world.state.orders.get(id)!) as [OrderDocument, OrderDocument];
  const code = 'order-invoice-link';
  a.merchant_invoice = null;
  world.invoice(2, '2026-09-12', [b]);
  const named = world.order('C', '20.00', '1.00', '2026-09-04');
  named.merchant_invoice = 2;
  expect(told(world.night('2026-09-20').shown, code)).toEqual([`${code} A`, `${code} C`]);
  // The invoice that lists A vanishes; the one that C names is read anew, and the order book is not.
  vanish(world, 1);
  const two = world.state.invoices.get(2)!;
  two.detail.orders[0]!.cod = [['USD', '51.00']];
  addUp(two);
  const narrow = world.night('2026-09-21', { months: ['2026-09'], orders: false });
  expect(told(narrow.shown, code)).toEqual([]);
  expect(told(narrow.kept, code)).toEqual([`${code} A`, `${code} C`]);
  a.merchant_invoice = 2;
  named.merchant_invoice = null;
  const whole = world.night('2026-09-22');
  expect(told(whole.shown, code)).toEqual([`${code} A`]);
  expect(told(whole.kept, code)).toEqual([]);
});

it('a month ends by the clock of the books', () => {
  const why = (zone: string) => [
    ...clean()
      .night('2026-09-30', { months: ['2026-09'], zone })
      .why('2026-09'),
  ];
  expect(why('Asia/Beirut')).toEqual(['month-not-ended']);
  expect(why('Pacific/Kiritimati')).toEqual([]);
});

it('a month is incomplete until its end, when it was never read, and after a night without answers', () => {
  const world = clean();
  const early = world.night('2026-09-20');
  expect([...early.why('2026-09')]).toEqual(['month-not-ended']);
  expect([...early.why('2026-07')]).toContain('never-synced');
  expect([...world.night('2026-10-01').why('2026-09')]).toEqual([]);
  world.state.down = true;
  expect([...world.night('2026-10-02').why('2026-09')]).toContain('sync-partial');
});
