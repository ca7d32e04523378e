import { expect, it } from 'vitest';
import { FaultLayer } from '../../soak/faults.ts';

const draw = (seed: number, asked: readonly string[]) => {
  const layer = new FaultLayer(seed, 0.5);
  return asked.map((request) => [request, layer.next(request)] as const).sort();
};

it('what happens to an answer is the same for a seed, in whatever order requests arrive', () => {
  const asked = Array.from({ length: 40 }, (_, index) => `/invoices/${index % 10}/`);
  expect(draw(3, [...asked].reverse())).toEqual(draw(3, asked));
  expect(draw(4, asked)).not.toEqual(draw(3, asked));
});

it('an answer arrives at the fourth attempt', () => {
  const layer = new FaultLayer(1, 1);
  const attempts = [1, 2, 3, 4].map(() => layer.next('/profile/'));
  expect(attempts[3]).toBe(null);
});
