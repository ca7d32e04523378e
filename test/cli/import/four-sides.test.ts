import { expect, it } from 'vitest';
import { CHECKS } from '../../../src/checks/catalogue/index.ts';
import { needsOwnSide } from '../../../src/checks/requirement.ts';
import { fourSidedBooks, type PlantedFault } from '../../helpers/four-sides.ts';

/** What two findings have in common where they are the same: a check about an order may name its invoice or not. */
const keyOf = ({ code, order_id, currency, effect, invoice_number }: PlantedFault) =>
  [code, order_id ?? invoice_number ?? '', code.startsWith('receipt') ? '' : (currency ?? ''), effect ?? ''].join(' ');

const own = new Set(CHECKS.filter(needsOwnSide).map(({ code }) => code));

interface Checked {
  readonly mismatches: readonly PlantedFault[];
  readonly bridge: readonly { ours: string; unexplained: string; steps: readonly { code: string; count: number }[] }[];
}

it('finds what is planted between the courier, the own book, the bank and the prices, and nothing else', async () => {
  const { books, planted } = await fourSidedBooks();
  const { stdout } = await books.remit(['check', '--json']);
  const checked = JSON.parse(stdout) as Checked;
  const found = checked.mismatches.filter(({ code }) => own.has(code));
  expect(found.map(keyOf).sort()).toEqual(planted.map(keyOf).sort());
  expect(new Set(checked.bridge.map(({ unexplained }) => unexplained))).toEqual(new Set(['0.00']));
  await books.verify();
});

it('finds the same without the courier’s order book, but for what it alone shows', async () => {
  const { books, planted, atCourier } = await fourSidedBooks({ orderBook: false });
  const { stdout } = await books.remit(['check', '--json']);
  const checked = JSON.parse(stdout) as Checked;
  // A row whose COD is not its order's record's is not the own book's either.
  const rows = atCourier
    .filter(({ code }) => code === 'order-amount-differs')
    .map((fault) => ({ ...fault, code: 'book-cod-differs' }));
  const expected = [...planted.filter(({ code }) => code !== 'not-at-courier'), ...rows];
  const found = checked.mismatches.filter(({ code }) => own.has(code));
  expect(found.map(keyOf).sort()).toEqual(expected.map(keyOf).sort());
  expect(new Set(checked.bridge.map(({ unexplained }) => unexplained))).toEqual(new Set(['0.00']));
  const open = checked.bridge.flatMap(({ steps }) => steps.filter(({ code }) => code === 'not-compared'));
  expect(open.reduce((sum, { count }) => sum + count, 0)).toBeLessThan(20);
  await books.verify();
});
