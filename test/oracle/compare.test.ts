import { expect, it } from 'vitest';
import type { CheckAnswer, Mismatch } from './compare/answer.ts';
import { mirrorOf } from './compare/mirror.ts';
import { compareVerdict } from './compare/verdict.ts';
import { HandWorld } from './hand/world.ts';
import { addUp } from './world/sums.ts';

const MONTHS = ['2026-09'];

/** A month with a doubled row and a wrong header. */
function scene() {
  const world = new HandWorld();
  const invoice = world.invoice(1, '2026-09-10', [world.order('A', '100.00', '3.00', '2026-09-02')]);
  invoice.detail.orders.push(structuredClone(invoice.detail.orders[0]!));
  addUp(invoice);
  invoice.row.order_count = 5;
  const verdict = world.night('2026-10-02');
  const answer = mirrorOf(verdict, MONTHS);
  return {
    answer,
    faults: (changed: Partial<CheckAnswer>, exit = 3) =>
      compareVerdict(verdict, MONTHS, { ...answer, ...changed }, exit),
  };
}

const without = (list: readonly Mismatch[], code: string) => list.filter((mismatch) => mismatch.code !== code);

it('nothing differs from itself', () => {
  expect(scene().faults({})).toEqual([]);
});

it('a missing finding, a wrong figure and one too many are each told', () => {
  const { answer, faults } = scene();
  expect(faults({ mismatches: without(answer.mismatches, 'order-repeated') })[0]).toMatch(/^missed: .*order-repeated/);
  const wrong = answer.mismatches.map((each) => (each.code === 'order-repeated' ? { ...each, effect: '96.99' } : each));
  expect(faults({ mismatches: wrong })).toEqual([expect.stringMatching(/^differs: effect is 96.99, must be 97.00/)]);
  const more = [...answer.mismatches, { ...answer.mismatches[0]!, id: 'again' }];
  expect(faults({ mismatches: more })[0]).toMatch(/^not expected: /);
});

it('a wrong bridge, a step that is not counted, a month falsely complete and a wrong exit code are each told', () => {
  const { answer, faults } = scene();
  const bridge = { ...answer.bridge[0]!, ours: '97.01' };
  expect(faults({ bridge: [bridge] })).toEqual(['bridge 2026-09 USD: ours is 97.01, must be 97.00']);
  expect(faults({ bridge: [{ ...bridge, ours: '97.00', steps: [] }] })).toEqual([
    'bridge 2026-09 USD: step order-repeated is undefined, must be 97.00',
    'bridge 2026-09 USD: step order-repeated counts undefined, must be 1',
  ]);
  expect(faults({}, 0)).toEqual(['exit code 0, must be 3']);
  expect(faults({ incomplete: [{ period: '2026-09', why: 'never synced' }] })[0]).toMatch(
    /^2026-09 is called incomplete/,
  );
});
