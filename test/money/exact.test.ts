import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  addUnits,
  amountOfUnits,
  compare,
  ExactDecimal,
  formatAmount,
  formatGrouped,
  formatMoney,
  isZero,
  money,
  negate,
  parseAmount,
  parseUnits,
  subtract,
  Totals,
  zero,
} from '../../src/money/index.ts';

/** An amount as an integer count of 10^-decimals: what BigInt, which never rounds, makes of it, is the oracle. */
const exact = fc
  .record({ count: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), decimals: fc.integer({ min: 0, max: 20 }) })
  .map(({ count, decimals }) => ({ count, decimals, text: textOf(count, decimals) }));

function textOf(count: bigint, decimals: number): string {
  const digits = (count < 0n ? -count : count).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = count < 0n ? '-' : '';
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/** The count of 10^-20 that an amount comes to. */
function atTwenty({ count, decimals }: { count: bigint; decimals: number }): bigint {
  return count * 10n ** BigInt(20 - decimals);
}

function countOf(amount: ExactDecimal): bigint {
  const [whole = '', decimals = ''] = amount.toFixed().split('.');
  return BigInt(whole + decimals.padEnd(20, '0'));
}

describe('arithmetic', () => {
  it('adds, subtracts, negates and compares as BigInt does', () => {
    fc.assert(
      fc.property(exact, exact, (a, b) => {
        const [x, y] = [money('USD', a.text), money('USD', b.text)];
        expect(countOf(add(x, y).amount)).toBe(atTwenty(a) + atTwenty(b));
        expect(countOf(subtract(x, y).amount)).toBe(atTwenty(a) - atTwenty(b));
        expect(countOf(negate(x).amount)).toBe(-atTwenty(a));
        expect(Math.sign(compare(x, y))).toBe(atTwenty(a) < atTwenty(b) ? -1 : atTwenty(a) > atTwenty(b) ? 1 : 0);
        expect(isZero(x)).toBe(a.count === 0n);
      }),
    );
  });

  it('sums long columns of 30-digit amounts without losing a digit', () => {
    const amounts = Array.from({ length: 10_000 }, (_, i) => BigInt(i) * 10n ** 26n + 123_456_789n * BigInt(i) + 1n);
    const totals = Totals.ofPairs(amounts.map((count) => ['LBP', textOf(count, 4)]));
    expect(countOf(totals.of('LBP'))).toBe(amounts.reduce((a, b) => a + b) * 10n ** 16n);
  });

  it('never leaves a negative zero', () => {
    expect(formatAmount(parseAmount('-0.00'))).toBe('0.00');
    expect(formatAmount(negate(zero('USD')).amount)).toBe('0.00');
    expect(formatAmount(subtract(money('USD', '-1.10'), money('USD', '-1.10')).amount)).toBe('0.00');
    expect(formatAmount(new ExactDecimal('-0'))).toBe('0.00');
  });

  it('refuses to combine two currencies', () => {
    const usd: string = 'USD';
    const lbp: string = 'LBP';
    for (const combine of [add, subtract, compare]) {
      expect(() => combine(money(usd, '1.00'), money(lbp, '1.00'))).toThrow('USD and LBP cannot be combined');
    }
  });
});

describe('Totals', () => {
  it('keeps one exact total for each currency, in any order of additions', () => {
    const pair = fc.tuple(fc.constantFrom('USD', 'LBP', 'EUR', 'usd'), exact);
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 40 }), (pairs) => {
        const totals = Totals.ofPairs(pairs.map(([currency, { text }]) => [currency, text]));
        for (const currency of ['USD', 'LBP', 'EUR']) {
          const own = pairs.filter(([code]) => code.toUpperCase() === currency);
          expect(countOf(totals.of(currency))).toBe(own.reduce((sum, [, amount]) => sum + atTwenty(amount), 0n));
        }
        const named = new Set(pairs.map(([code]) => code.toUpperCase()));
        expect(totals.currencies()).toEqual([...named].sort());
      }),
    );
  });

  it('adds up a currency that stands twice, and takes an empty list for nothing', () => {
    expect(
      formatAmount(
        Totals.ofPairs([
          ['USD', '1.10'],
          ['LBP', '5'],
          ['USD', '-0.35'],
        ]).of('USD'),
      ),
    ).toBe('0.75');
    expect(Totals.ofPairs([]).currencies()).toEqual([]);
    expect(formatAmount(Totals.ofPairs([]).of('USD'))).toBe('0.00');
  });

  it('counts a money value as its pair', () => {
    const totals = new Totals().addMoney(money('USD', '0.1')).addMoney(money('USD', '0.2'));
    expect(totals.toMoney().map(formatMoney)).toEqual(['0.30 USD']);
  });
});

describe('reading an amount', () => {
  it('gives back every plain decimal', () => {
    fc.assert(
      fc.property(exact, ({ text, count, decimals }) => {
        expect(countOf(parseAmount(text))).toBe(atTwenty({ count, decimals }));
      }),
    );
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '.5',
    '5.',
    '12.3x',
    '1e5',
    '0x1f',
    '1_000',
    '1,000',
    'NaN',
    'Infinity',
    '--1',
    '١٢',
    '1.2.3',
    '9'.repeat(65),
  ])('refuses %j', (text) => {
    expect(() => parseAmount(text)).toThrow('is not a decimal amount');
    expect(() => parseUnits(text)).toThrow('is not a decimal amount');
  });

  it.each(['', 'U', 'US D', '$', 'USD1234567X', 'دولار'])('refuses the currency %j', (code) => {
    expect(() => money(code, '1')).toThrow('is not a currency code');
  });

  it('takes usd and USD for one currency', () => {
    expect(money('usd', '1').currency).toBe('USD');
  });
});

const LIMIT = 2n ** 63n - 1n;

describe('ledger units', () => {
  it('hold every amount of four decimals in range, and give it back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -LIMIT, max: LIMIT }), fc.integer({ min: 0, max: 4 }), (count, decimals) => {
        const units = count / 10n ** BigInt(4 - decimals);
        const text = textOf(units, decimals);
        expect(parseUnits(text)).toBe(units * 10n ** BigInt(4 - decimals));
        expect(countOf(amountOfUnits(parseUnits(text)))).toBe(units * 10n ** BigInt(20 - decimals));
      }),
      { numRuns: 1_000 },
    );
  });

  it('agree with the amount that is read exactly, however small', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (count) => {
        const text = textOf(BigInt(count), 2);
        expect(parseUnits(text)).toBe(BigInt(count) * 100n);
      }),
    );
  });

  it('take zeros at the end, however many, which add nothing', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -LIMIT, max: LIMIT }),
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 0, max: 20 }),
        (count, decimals, zeros) => {
          const text = textOf(count / 10n ** BigInt(4 - decimals), decimals);
          expect(parseUnits(`${text}${decimals === 0 && zeros > 0 ? '.' : ''}${'0'.repeat(zeros)}`)).toBe(
            parseUnits(text),
          );
        },
      ),
    );
    expect(parseUnits('1.00000')).toBe(10_000n);
    expect(() => parseUnits('1.00010000001')).toThrow('is beyond what the ledger can hold exactly');
  });

  it('refuse what they cannot hold, and take the last that they can', () => {
    expect(parseUnits('922337203685477.5807')).toBe(LIMIT);
    expect(parseUnits('-922337203685477.5807')).toBe(-LIMIT);
    for (const text of ['922337203685477.5808', '-922337203685477.5808', '0.00001', '1'.repeat(30)]) {
      expect(() => parseUnits(text)).toThrow('is beyond what the ledger can hold exactly');
    }
  });
});

describe('sums of ledger units', () => {
  it('are those of BigInt, and an overflow is an error instead of another sum', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -LIMIT, max: LIMIT }), fc.bigInt({ min: -LIMIT, max: LIMIT }), (a, b) => {
        const sum = a + b;
        if (sum >= -LIMIT && sum <= LIMIT) expect(addUnits(a, b)).toBe(sum);
        else expect(() => addUnits(a, b)).toThrow('is beyond what the ledger can hold exactly');
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
  ])('%s', (text, plain, grouped) => {
    expect(formatAmount(parseAmount(text))).toBe(plain);
    expect(formatGrouped(parseAmount(text))).toBe(grouped);
  });

  it('reads back what it prints', () => {
    fc.assert(
      fc.property(exact, ({ text }) => {
        expect(parseAmount(formatAmount(parseAmount(text))).equals(parseAmount(text))).toBe(true);
      }),
    );
  });
});
