import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountOfUnits, formatAmount } from '../../src/money/index.ts';
import { formatUnits } from '../../src/sandbox/present/money.ts';

test('amounts are written as money/ writes them, from one end of their range to the other', () => {
  const most = 2n ** 63n - 1n;
  const units = fc.oneof(fc.bigInt({ min: -most, max: most }), fc.bigInt({ min: -20_000n, max: 20_000n }));
  fc.assert(
    fc.property(units, (each) => {
      expect(formatUnits(each)).toBe(formatAmount(amountOfUnits(each)));
      expect(formatUnits(String(each))).toBe(formatUnits(each));
    }),
    { numRuns: 2_000, examples: [[0n], [-1n], [10_000n], [-10n], [100n], [most], [-most]] },
  );
});
