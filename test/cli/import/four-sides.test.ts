import { expect, it } from 'vitest';
import { CHECKS } from '../../../src/checks/index.ts';
import { needsOwnSide } from '../../../src/checks/requirement.ts';
import { fourSidedBooks, type PlantedFault } from '../../helpers/four-sides.ts';

/** What two findings have in common where they are the same: a check about an order may name its invoice or not. */
const keyOf = ({ code, order_id, currency, effect, invoice_number }: PlantedFault) =>
  [code, order_id ?? invoice_number ?? '', code.startsWith('receipt') ? '' : (currency ?? ''), effect ?? ''].join(' ');

it('finds what is planted between the courier, the own book, the bank and the prices, and nothing else', async () => {
  const { books, planted } = await fourSidedBooks();
  const { stdout } = await books.remit(['check', '--json']);
  const checked = JSON.parse(stdout) as { mismatches: PlantedFault[]; bridge: { unexplained: string }[] };
  const own = new Set(CHECKS.filter(needsOwnSide).map(({ code }) => code));
  const found = checked.mismatches.filter(({ code }) => own.has(code));
  expect(found.map(keyOf).sort()).toEqual(planted.map(keyOf).sort());
  expect(new Set(checked.bridge.map(({ unexplained }) => unexplained))).toEqual(new Set(['0.00']));
  await books.verify();
});
