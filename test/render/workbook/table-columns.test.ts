import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatGrouped, parseAmount } from '../../../src/money/decimal.ts';
import { formatUnits } from '../../../src/money/units.ts';
import { fittedWidth } from '../../../src/render/workbook/table-model.ts';

it('fits a column of amounts to the longest as it is shown', () => {
  const column = { name: 'cod', title: 'COD', type: 'money' } as const;
  const units = fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n });
  const widthOf = (cell: string) => fittedWidth(column, [cell]);
  fc.assert(
    fc.property(fc.oneof(units, fc.bigInt({ min: -100_000n, max: 100_000n })), (amount) => {
      const decimal = formatUnits(amount);
      const shown = formatGrouped(parseAmount(decimal));
      // A money column is wider than its only row by a digit of its total.
      const text = fittedWidth({ ...column, type: 'text' }, [`${shown}x`]);
      expect(widthOf(decimal)).toBe(text);
    }),
  );
});
