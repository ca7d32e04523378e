import { otherBusiness, payments } from './bank.ts';
import { business } from './business.ts';
import { Dice } from './dice.ts';
import { Garden } from './garden.ts';
import type { World } from './model.ts';
import { ON_INVOICES } from './plants-on-invoices.ts';
import { ON_ORDERS } from './plants-on-orders.ts';

/**
 * A shop's three months with its courier: what each of four sides wrote down, and where they differ.
 *
 * @param count how many orders
 * @param plants how many differences
 */
export function makeWorld(count: number, plants: number, seed: number): World {
  const dice = new Dice(seed);
  const { orders, invoices } = business(count, dice);
  const garden = new Garden(orders, invoices, dice);
  for (const plant of chosen(plants)) plant(garden);
  const lines = [...payments(invoices, garden.unusual, dice), ...garden.lines, ...otherBusiness()];
  const { neverSent, expected } = garden;
  return { orders, invoices, neverSent, lines, expected, plants };
}

/** So many plants, each kind in its share and at least once. Those that take an invoice of their own come first. */
function chosen(plants: number) {
  const kinds = [...ON_INVOICES, ...ON_ORDERS];
  const total = kinds.reduce((sum, [times]) => sum + times, 0);
  const counts = kinds.map(([times]) => Math.max(1, Math.floor((times * plants) / total)));
  let left = plants - counts.reduce((sum, count) => sum + count, 0);
  for (let next = 0; left !== 0; next = (next + 1) % counts.length) {
    const step = left > 0 ? 1 : -1;
    if (step < 0 && counts[next] === 1) continue;
    counts[next]! += step;
    left -= step;
  }
  return kinds.flatMap(([, plant], index) => Array.from({ length: counts[index]! }, () => plant));
}
