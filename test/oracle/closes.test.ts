import { expect, it } from 'vitest';
import { CloseBook } from './closes/books.ts';
import { againstClosing } from './closes/refusals.ts';
import { nightOf } from './hand/night.ts';
import type { Night } from './history/knowledge.ts';
import { judge, type Verdict } from './judge/index.ts';
import { decimal } from './units.ts';
import type { Act } from './world/accountant.ts';
import { monthAfter, monthsBetween } from './world/clock.ts';
import { applyNight, beginning, FIRST_MONTH, ownOf, type Plan, planOf } from './world/plan.ts';

const WORLDS = 150;

it(`the oracle's own bridge closes in ${WORLDS} random worlds, and every kind of finding comes up`, () => {
  const codes = new Set<string>();
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const plan = planOf(seed);
    const state = beginning(plan);
    const nights: Night[] = [];
    let verdict: Verdict | undefined;
    const books = new CloseBook();
    for (const [index, night] of plan.nights.entries()) {
      applyNight(state, night);
      const months = monthsBetween(
        night.asked?.from ?? FIRST_MONTH,
        night.asked?.to ?? night.at.toISOString().slice(0, 7),
      );
      const shown = nightOf(state, night.at.toISOString(), { months, orders: night.orders });
      nights.push({ ...shown, own: ownOf(plan, index, state) });
      verdict = judge(nights, night.at, verdict);
      books.see(nights);
      for (const { code } of [...verdict.shown, ...books.drift()]) codes.add(code);
      for (const { kind } of night.acts) act(kind, plan, night.at, verdict, books);
      for (const { period, currency, unexplained } of verdict.bridges) {
        expect(`world ${seed} ${period} ${currency}: ${decimal(unexplained ?? 0n)}`).toBe(
          `world ${seed} ${period} ${currency}: 0.00`,
        );
      }
    }
  }
  // All that need no receipts and no rates.
  expect([...codes].sort()).toEqual([
    'book-cod-differs',
    'closed-period-changed',
    'cod-without-delivery',
    'delivered-not-invoiced',
    'document-malformed',
    'duplicate-reference',
    'fee-no-tariff',
    'fee-off-tariff',
    'fee-on-cancelled',
    'invoice-cod-total',
    'invoice-fee-total',
    'invoice-in-two-months',
    'invoice-list-detail',
    'invoice-net',
    'invoice-order-count',
    'invoice-restated',
    'invoice-vanished',
    'listing-incomplete',
    'not-in-books',
    'order-amount-differs',
    'order-invoice-link',
    'order-on-two-invoices',
    'order-repeated',
    'order-restated',
    'order-unknown',
    'order-vanished',
    'paid-state-conflict',
    'payment-overdue',
    'state-regressed',
    'status-unknown',
  ]);
});

/** Does what an accountant does, where nothing speaks against it. */
function act(kind: Act['kind'], { firstClosed }: Plan, now: Date, verdict: Verdict, books: CloseBook): void {
  if (kind === 'reopen') {
    books.reopen();
    return;
  }
  const first = books.last === undefined;
  const period = books.last ? monthAfter(books.last.period, 1) : firstClosed;
  const asked = { period, first, withOpen: true, now, mayBeIncomplete: false };
  if (againstClosing(verdict, books.inForce, asked).must.size === 0) books.close(period);
}
