import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CountSum, countOf, formatCount, formatUnits, minus, plus } from '../../src/money/index.ts';

const units = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -(2n ** 53n) - 3n, max: -(2n ** 53n) + 3n }),
  fc.bigInt({ min: -1_000_000n, max: 1_000_000n }),
);

it('adds, subtracts, sums and prints as integers of any size do', () => {
  fc.assert(
    fc.property(fc.array(units, { minLength: 2, maxLength: 20 }), (all) => {
      const [a, b] = all.map((each) => countOf(String(each)));
      expect(BigInt(minus(a!, b!))).toBe(all[0]! - all[1]!);
      expect(BigInt(plus(a!, b!))).toBe(all[0]! + all[1]!);
      expect(formatCount(a!)).toBe(formatUnits(all[0]!));
      const sum = new CountSum();
      for (const each of all) sum.add(countOf(String(each)));
      expect(sum.units).toBe(all.reduce((total, each) => total + each, 0n));
    }),
  );
});
