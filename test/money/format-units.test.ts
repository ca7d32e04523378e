import fc from 'fast-check';
import { expect, it } from 'vitest';
import { amountOfUnits, formatAmount, formatUnits } from '../../src/money/index.ts';

it('writes units as their amount is written', () => {
  const units = fc.oneof(fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 1n), fc.bigInt(-200_000n, 200_000n));
  fc.assert(
    fc.property(units, (count) => {
      expect(formatUnits(count)).toBe(formatAmount(amountOfUnits(count)));
    }),
  );
});
