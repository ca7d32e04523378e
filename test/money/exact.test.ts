import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ColumnTotals } from '../../reports/columns.ts';
import { MoneyError } from '../../src/base/errors.ts';
import { RETURNS_CONVENTIONS } from '../../src/base/returns.ts';
import { ExactDecimal, formatAmount, formatGrouped, formatMoney, parseAmount } from '../../src/money/decimal.ts';
import { headerUnder, netUnits, STANDARD_SIGNS, stepsOfReturns } from '../../src/money/returns.ts';
import { add, readSum, SumRangeError, subtract, Totals } from '../../src/money/sum.ts';
import { amountOfUnits, formatUnits, type Money, money, parseUnits } from '../../src/money/units.ts';

/** The oracle of every test here is BigInt, which never rounds and never overflows. */
const LIMIT = 2n ** 63n - 1n;
const isInRange = (count: bigint) => count <= LIMIT && count >= -LIMIT;
const anyUnits = fc.bigInt({ min: -LIMIT, max: LIMIT });
/** Most are small, some sit at either end of the range. */
const units = fc.oneof(
  fc.bigInt({ min: -1_000_000n, max: 1_000_000n }),
  anyUnits,
  fc.bigInt({ min: LIMIT - 3n, max: LIMIT }),
  fc.bigInt({ min: -LIMIT, max: -LIMIT + 3n }),
);
const usd = (count: bigint): Money<'USD'> => ({ currency: 'USD', amount: amountOfUnits(count) });
const unitsOf = ({ amount }: Money): bigint => parseUnits(amount.toFixed());

/** A decimal text of an integer count of 10^-decimals. */
function textOf(count: bigint, decimals: number): string {
  const digits = (count < 0n ? -count : count).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = count < 0n ? '-' : '';
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/** What is computed, or `overflow` where that is refused as beyond the range. */
function resultOf<T>(compute: () => T): T | 'overflow' {
  try {
    return compute();
  } catch (error) {
    expect(error).toBeInstanceOf(SumRangeError);
    return 'overflow';
  }
}

describe('add and subtract', () => {
  it('give what BigInt gives, and refuse what is beyond either end of the range', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        expect(resultOf(() => unitsOf(add(usd(a), usd(b))))).toBe(isInRange(a + b) ? a + b : 'overflow');
        expect(resultOf(() => unitsOf(subtract(usd(a), usd(b))))).toBe(isInRange(a - b) ? a - b : 'overflow');
      }),
      { numRuns: 2_000, examples: [[LIMIT, 1n] as [bigint, bigint], [-LIMIT, -1n], [LIMIT, 0n], [-LIMIT, LIMIT]] },
    );
  });

  it('are associative and commutative wherever no step is beyond the range', () => {
    fc.assert(
      fc.property(units, units, units, (a, b, c) => {
        const left = resultOf(() => unitsOf(add(add(usd(a), usd(b)), usd(c))));
        const right = resultOf(() => unitsOf(add(usd(a), add(usd(b), usd(c)))));
        if (left !== 'overflow' && right !== 'overflow') expect(left).toBe(right);
        if (isInRange(a + b) && isInRange(b + c) && isInRange(a + b + c))
          expect([left, right]).not.toContain('overflow');
        expect(resultOf(() => unitsOf(add(usd(a), usd(b))))).toBe(resultOf(() => unitsOf(add(usd(b), usd(a)))));
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuse two currencies that only the run knows', () => {
    const lbp: Money = money('LBP', '1.00');
    const dollar: Money = money('USD', '1.00');
    for (const combine of [add, subtract]) {
      expect(() => combine(dollar, lbp)).toThrow('USD and LBP cannot be combined');
    }
  });

  it('say what is beyond the range, and what to do', () => {
    const error = (() => {
      try {
        return add(usd(LIMIT), usd(1n));
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(MoneyError);
    expect(error).toMatchObject({
      code: 'money',
      message: 'amounts in USD add up to more than the ledger can hold exactly',
      hint: expect.stringContaining('up to 922,337,203,685,477.5807'),
    });
  });
});

describe('a sum that the database made', () => {
  it('is read exactly, and refused beyond either end of the range', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -4n * LIMIT, max: 4n * LIMIT }), (sum) => {
        expect(resultOf(() => readSum(String(sum), 'USD'))).toBe(isInRange(sum) ? sum : 'overflow');
      }),
    );
    expect(readSum(null, 'USD')).toBe(0n);
  });
});

describe('totals', () => {
  const addition = fc.tuple(fc.constantFrom('USD', 'LBP', 'EUR'), units);

  it('keep one exact total for each currency, and refuse the first that is beyond the range', () => {
    fc.assert(
      fc.property(fc.array(addition, { maxLength: 40 }), (additions) => {
        const expected = new Map<string, bigint>();
        const totals = new Totals();
        for (const [currency, count] of additions) {
          const sum = (expected.get(currency) ?? 0n) + count;
          const added = resultOf(() => totals.add(currency, count).unitsOf(currency));
          expect(added).toBe(isInRange(sum) ? sum : 'overflow');
          if (added !== 'overflow') expected.set(currency, sum);
        }
        for (const [currency, sum] of expected) expect(formatAmount(totals.of(currency))).toBe(formatUnits(sum));
        expect(totals.currencies()).toEqual([...expected.keys()].sort());
      }),
    );
  });

  it('take a decimal as its units, and refuse one that units cannot hold', () => {
    fc.assert(
      fc.property(anyUnits, (count) => {
        expect(new Totals().add('USD', amountOfUnits(count)).unitsOf('USD')).toBe(count);
      }),
    );
    expect(() => new Totals().add('USD', parseAmount('0.00001')).unitsOf('USD')).toThrow(MoneyError);
  });

  it('are zero in a currency that was never added', () => {
    expect(new Totals().currencies()).toEqual([]);
    expect(formatAmount(new Totals().of('USD'))).toBe('0.00');
  });

  it('of columns are a row a currency; a row without a currency has no amounts', () => {
    const totals = new ColumnTotals('cod', 'net');
    totals.add('USD', { cod: parseUnits('1.10'), net: parseAmount('0.35') });
    totals.add('LBP', { cod: parseUnits('5'), net: parseUnits('-5') });
    totals.add('USD', { cod: parseUnits('-0.35'), net: parseUnits('0.0001') });
    totals.add(null, { cod: 7n, net: 7n });
    expect(totals.rows()).toEqual([
      { currency: 'LBP', cod: '5.00', net: '-5.00' },
      { currency: 'USD', cod: '0.75', net: '0.3501' },
    ]);
  });

  it('of very many rows are those of rows that are added one by one, in every order', () => {
    const amount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    const row = fc.tuple(fc.constantFrom('USD', 'LBP', null), amount, amount, fc.boolean());
    fc.assert(
      fc.property(fc.array(row, { minLength: 990, maxLength: 1_010 }), (rows) => {
        const [one, many] = [new ColumnTotals('cod', 'net'), new ColumnTotals('cod', 'net')];
        for (const [currency, cod, net, isOneOfMany] of rows) {
          one.add(currency, { cod, net });
          if (isOneOfMany) many.addRow(currency, { cod, net });
          else many.add(currency, { cod, net });
        }
        expect(many.rows()).toEqual(one.rows());
      }),
      { numRuns: 10 },
    );
  });

  it('of very many rows are refused beyond the range of the ledger too', () => {
    const totals = new ColumnTotals('cod');
    for (let row = 0; row < 3; row += 1) totals.addRow('USD', { cod: LIMIT });
    expect(() => totals.rows()).toThrow(SumRangeError);
  });
});

const NO_DECIMALS = ['', ' 1', '1 ', '+1', '.5', '5.', '12.3x', '1e5', '0x1f', '1_000', '1,000', 'NaN', 'Infinity'];

describe('reading', () => {
  it.each([...NO_DECIMALS, '--1', '١٢', '1.2.3', '9'.repeat(65)])('refuses the amount %j', (text) => {
    expect(() => parseAmount(text)).toThrow('is not a decimal amount');
    expect(() => parseUnits(text)).toThrow('is not a decimal amount');
    expect(() => money('USD', text)).toThrow('is not a decimal amount');
  });

  it.each(['', 'U', 'US D', '$', 'USD1234567X', 'دولار'])('refuses the currency %j', (code) => {
    expect(() => money(code, '1')).toThrow('is not a currency code');
  });

  it('takes usd and USD for one currency', () => {
    expect(money('usd', '1')).toEqual({ currency: 'USD', amount: amountOfUnits(10_000n) });
  });

  it('gives units back as they were written, and writes them as their decimal is written', () => {
    fc.assert(
      fc.property(units, (count) => {
        expect(parseUnits(formatUnits(count))).toBe(count);
        expect(formatUnits(String(count))).toBe(formatUnits(count));
        expect(formatUnits(count)).toBe(formatAmount(amountOfUnits(count)));
        expect(formatAmount(parseAmount(formatUnits(count)))).toBe(formatUnits(count));
      }),
      { numRuns: 2_000, examples: [[0n], [-1n], [10_000n], [-10n], [100n], [LIMIT], [-LIMIT]] },
    );
  });

  it('takes up to four decimals, and zeros after them, which add nothing', () => {
    fc.assert(
      fc.property(anyUnits, fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 20 }), (any, decimals, zeros) => {
        const count = any / 10n ** BigInt(4 - decimals);
        const text = textOf(count, decimals);
        const padded = `${text}${decimals === 0 && zeros > 0 ? '.' : ''}${'0'.repeat(zeros)}`;
        expect(parseUnits(padded)).toBe(count * 10n ** BigInt(4 - decimals));
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes the last amount that the ledger holds, and refuses the next one', () => {
    expect(parseUnits('922337203685477.5807')).toBe(LIMIT);
    expect(parseUnits('-922337203685477.5807')).toBe(-LIMIT);
    for (const text of ['922337203685477.5808', '-922337203685477.5808', '0.00001', '1.00010000001', '1'.repeat(30)]) {
      expect(() => parseUnits(text)).toThrow('is beyond what the ledger can hold exactly');
    }
  });

  it('keeps every digit of a decimal with more of them than the ledger holds', () => {
    const exact = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }));
    fc.assert(
      fc.property(exact, ([count, decimals]) => {
        const shift = new ExactDecimal(10).pow(decimals);
        expect(parseAmount(textOf(count, decimals)).times(shift).toFixed()).toBe(String(count));
      }),
    );
  });
});

describe('printing', () => {
  it.each([
    ['1200', '1200.00', '1,200.00'],
    ['0.125', '0.125', '0.125'],
    ['-1234567.5', '-1234567.50', '-1,234,567.50'],
    ['-999', '-999.00', '-999.00'],
    [
      '123456789012345678901234567890.12',
      '123456789012345678901234567890.12',
      '123,456,789,012,345,678,901,234,567,890.12',
    ],
    ['0.10000', '0.10', '0.10'],
    ['-0.00', '0.00', '0.00'],
  ])('%s', (text, plain, grouped) => {
    expect(formatAmount(parseAmount(text))).toBe(plain);
    expect(formatGrouped(parseAmount(text))).toBe(grouped);
  });

  it('names the currency after the amount', () => {
    expect(formatMoney(money('usd', '-1234.5'))).toBe('-1,234.50 USD');
  });
});

it('leads line by line from the sums of all rows to the header that each convention for returns makes', () => {
  const row = fc.record({ cod: fc.bigInt(-999n, 999n), delivery_fee: fc.bigInt(0n, 999n) });
  fc.assert(
    fc.property(fc.constantFrom(...RETURNS_CONVENTIONS), row, row, (convention, standard, returned) => {
      const steps = stepsOfReturns(convention, returned);
      const of = (figure: string) =>
        steps.filter((step) => step.figure === figure).reduce((sum, step) => sum + step.units, 0n);
      const header = {
        cod: standard.cod + returned.cod + of('cod'),
        delivery_fee: standard.delivery_fee + returned.delivery_fee + of('delivery_fee'),
      };
      const net_due_to_merchant = netUnits(header, STANDARD_SIGNS) + of('net_due_to_merchant');
      expect({ ...header, net_due_to_merchant }).toEqual(headerUnder(convention, standard, returned));
    }),
  );
});
