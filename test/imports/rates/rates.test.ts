import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareFractions,
  exchangeOf,
  judgeExchange,
  parseFraction,
  parseRate,
  type Rate,
  RateTable,
  rateConflicts,
  sayFraction,
} from '../../../src/imports/rates.ts';
import { parseUnits } from '../../../src/money/units.ts';

const rate = (date: string, from: string, to: string, text: string): Rate => {
  return { place: `rates.csv ${date}`, date, from, to, rate: parseFraction(text) };
};
const table = new RateTable([
  rate('2026-10-01', 'USD', 'LBP', '89500'),
  rate('2026-10-10', 'USD', 'LBP', '90000'),
  rate('2026-10-05', 'LBP', 'USD', '0.0000112'),
]);
const said = (day: string, from: string, to: string) => {
  const found = table.on(day, from, to);
  return found ? sayFraction(found.rate) : null;
};

describe('dated rates', () => {
  it('are the latest on or before the day', () => {
    expect(said('2026-09-30', 'USD', 'LBP')).toBeNull();
    expect(said('2026-10-01', 'USD', 'LBP')).toBe('89500');
    expect(said('2026-10-04', 'USD', 'LBP')).toBe('89500');
    expect(said('2026-10-10', 'USD', 'LBP')).toBe('90000');
    expect(said('2027-01-01', 'USD', 'LBP')).toBe('90000');
    expect(said('2026-10-11', 'USD', 'EUR')).toBeNull();
  });

  it('are turned round where the table has them the other way, and the later date counts', () => {
    expect(said('2026-10-06', 'USD', 'LBP')).toBe('89285.714');
    expect(said('2026-10-06', 'LBP', 'USD')).toBe('0.0000112');
    expect(said('2026-10-02', 'LBP', 'USD')).toBe('0.000011173184');
  });

  it('contradict each other where one day has two', () => {
    const rates = [
      rate('2026-10-01', 'USD', 'LBP', '1'),
      rate('2026-10-01', 'USD', 'LBP', '1.00'),
      rate('2026-10-01', 'USD', 'LBP', '2'),
    ];
    expect(rateConflicts(rates).map(({ explanation }) => explanation.message)).toEqual([
      'rates.csv 2026-10-01 and rates.csv 2026-10-01 give two rates of USD to LBP for 2026-10-01',
    ]);
  });
});

describe('fractions', () => {
  it('read back what they say, within the digits asked for', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 12 }), (count, decimals) => {
        const exact = { above: count, below: 10n ** BigInt(decimals) };
        expect(compareFractions(parseFraction(sayFraction(exact, 40)), exact)).toBe(0);
      }),
    );
  });

  it.each(['', '-1', '1e5', '1,5', '.5', ' 1', 'NaN'])('refuse %j', (text) => {
    expect(() => parseFraction(text)).toThrow('is not a rate');
  });

  it('are no rates at zero', () => {
    expect(() => parseRate('0.00')).toThrow('a rate of 0');
    expect(parseRate('0.5')).toEqual({ above: 5n, below: 10n });
  });

  it('round the last digit half up', () => {
    expect(sayFraction({ above: 2n, below: 3n }, 3)).toBe('0.667');
    expect(sayFraction({ above: 0n, below: 3n })).toBe('0');
    expect(sayFraction(parseFraction('1.005'), 3)).toBe('1.01');
    expect(sayFraction(parseFraction('100'))).toBe('100');
    expect(sayFraction(parseFraction('123456789012'))).toBe('123456789012');
  });
});

const money = (amounts: Record<string, string>) =>
  new Map(Object.entries(amounts).map(([currency, amount]) => [currency, parseUnits(amount)]));

describe('the rate that an order’s COD implies', () => {
  it.each([
    [{ USD: '100' }, { LBP: '8950000' }, '89500'],
    [{ USD: '60', LBP: '1000000' }, { USD: '40', LBP: '2790000' }, '89500'],
    [{ USD: '3', EUR: '5' }, { LBP: '100000', EUR: '5' }, '33333.333'],
  ])('of %j for %j is %s', (asked, collected, implied) => {
    expect(sayFraction(exchangeOf(money(asked as never), money(collected as never))!.implied)).toBe(implied);
  });

  it.each([
    [{ USD: '100' }, { USD: '100' }],
    [{ USD: '100' }, { USD: '90' }],
    [{ USD: '100' }, { USD: '110', LBP: '5' }],
    [{ USD: '100' }, {}],
    [{ USD: '100' }, { LBP: '5', EUR: '5' }],
  ])('of %j for %j is not to be computed', (asked, collected) => {
    expect(exchangeOf(money(asked as never), money(collected as never))).toBeNull();
  });

  const judge = (collected: string, tolerance: string, day = '2026-10-02') => {
    const exchange = exchangeOf(money({ USD: '100' }), money({ LBP: collected }))!;
    return judgeExchange(exchange, day, table, parseFraction(tolerance)).outcome;
  };

  it('is outside only beyond the tolerance, to the last digit', () => {
    expect(judge('8950000', '0')).toBe('within');
    expect(judge('8950000.0001', '0')).toBe('outside');
    expect(judge('9039500', '0.01')).toBe('within');
    expect(judge('9039500.0001', '0.01')).toBe('outside');
    expect(judge('8860500', '0.01')).toBe('within');
    expect(judge('8860499.9999', '0.01')).toBe('outside');
    expect(judge('8950000', '0.01', '2026-01-01')).toBe('no-rate');
  });
});
