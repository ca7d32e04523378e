import { expect, it } from 'vitest';
import { againstClosing } from '../closes/refusals.ts';
import { decimal } from '../units.ts';
import { pay } from '../world/beginning.ts';
import { addUp } from '../world/sums.ts';
import { HandWorld, told } from './world.ts';

/** September, read in October: a paid invoice of 97.00 net, and an unpaid one of 46.00. */
function september() {
  const world = new HandWorld();
  const paid = world.invoice(1, '2026-09-10', [world.order('A', '100.00', '3.00', '2026-09-02')]);
  const unpaid = world.invoice(2, '2026-09-20', [world.order('B', '50.00', '4.00', '2026-09-03')]);
  pay(world.state, paid);
  const verdict = world.night('2026-10-02');
  return { world, paid, unpaid, verdict };
}

const balances = ({ books }: HandWorld, ...months: string[]) =>
  months.map((month) => decimal(books.closingOf(month).get('USD') ?? 0n));
const drift = ({ books }: HandWorld) => told(books.drift()).map((text) => text.replace('closed-period-changed ', ''));

it('a close freezes what was owed; a restatement moves the figures, and the balance of the month that learns of it', () => {
  const { world, paid } = september();
  world.books.close('2026-09');
  // The Paid flag counts from the day of the night that first showed it: in October.
  expect(balances(world, '2026-09')).toEqual(['143.00']);
  paid.detail.orders[0]!.cod = [['USD', '90.00']];
  addUp(paid);
  world.night('2026-10-05');
  expect(drift(world)).toEqual([
    'USD cod 150.00 140.00',
    'USD net_due_to_merchant 143.00 133.00',
    'USD order_cod 150.00 140.00',
    // The flag cleared 97.00, and 10.00 less is asked for now.
    'USD outstanding 46.00 36.00',
    'USD paid 97.00 87.00',
  ]);
  // 97.00 were said to be paid: 10.00 of them are too much.
  expect(balances(world, '2026-09', '2026-10')).toEqual(['143.00', '36.00']);
  world.books.reopen();
  expect(drift(world)).toEqual([]);
});

it('what is paid after the close is no drift; what was paid and is not any more is', () => {
  const { world, paid, unpaid } = september();
  world.books.close('2026-09');
  pay(world.state, unpaid);
  world.night('2026-10-05');
  expect(drift(world)).toEqual([]);
  expect(balances(world, '2026-09', '2026-10')).toEqual(['143.00', '0.00']);
  paid.detail.status = 'PENDING_PAYMENT';
  world.night('2026-10-06');
  expect(drift(world)).toEqual(['USD outstanding 46.00 143.00', 'USD paid 97.00 0.00']);
  expect(balances(world, '2026-09', '2026-10')).toEqual(['143.00', '97.00']);
});

it('an invoice that comes late, or goes, moves the closing balance too, and books in the month that learns of it', () => {
  const { world } = september();
  world.books.close('2026-09');
  world.invoice(3, '2026-09-30', [world.order('C', '20.00', '1.00', '2026-09-28')]);
  world.state.months.get('2026-09')?.delete(2);
  world.night('2026-10-05');
  expect(drift(world)).toEqual([
    'USD closing_balance 143.00 162.00',
    'USD cod 150.00 120.00',
    'USD delivery_fee 7.00 4.00',
    'USD net_due_to_merchant 143.00 116.00',
    'USD order_cod 150.00 120.00',
    'USD order_delivery_fee 7.00 4.00',
    'USD outstanding 46.00 19.00',
  ]);
  expect(balances(world, '2026-09', '2026-10')).toEqual(['143.00', '19.00']);
});

it('months are closed in order, whole, looked at, and without open errors', () => {
  const { world, verdict } = september();
  const against = (period: string, first = false, now = '2026-10-02', withOpen = false) => [
    ...againstClosing(verdict, world.books.inForce, {
      period,
      first,
      withOpen,
      now: new Date(now),
      mayBeIncomplete: false,
    }).must,
  ];
  expect(against('2026-09', true)).toEqual([]);
  expect(against('2026-09')).toEqual(['month-before-open']);
  expect(against('2026-10', true)).toEqual(['not-ended', 'incomplete']);
  world.books.close('2026-09');
  expect(against('2026-09')).toEqual(['already-closed']);
  expect(against('2026-08')).toEqual(['later-month-closed', 'month-before-open', 'incomplete']);
  expect(against('2026-10', true, '2026-11-02')).toEqual(['not-first', 'incomplete']);
  expect(against('2026-10', true, '2026-11-02', true)).toEqual(['not-first']);
});
