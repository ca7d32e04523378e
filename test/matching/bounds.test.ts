import { describe, expect, it } from 'vitest';
import { matchReceipts } from '../../src/matching/match-receipts.ts';
import { SubsetSearch } from '../../src/matching/subset-sum.ts';
import { brief, invoice, receipt } from './sides.ts';

const options = { matchDays: 21 };
const limits = { least: 2, most: 12, ways: 20, work: 2 ** 18 };
const powers = (count: number) => Array.from({ length: count }, (_, at) => 2n ** BigInt(at));

describe('the search for sets', () => {
  it('rules out all but one of the 69,000 million sets of 36 amounts', () => {
    const target = 2n ** 35n + 2n ** 21n + 2n ** 3n;
    expect(new SubsetSearch().find(powers(36), target, limits)).toEqual({ sets: [[3, 21, 35]], tooMany: false });
  });

  it('stops at its limit of work, and concludes nothing', () => {
    expect(new SubsetSearch().find(powers(37), 2n ** 37n - 1n, limits)).toEqual({ sets: [], tooMany: true });
  });

  it('stops when there are more ways than are listed', () => {
    const equal = Array.from({ length: 40 }, () => 5n);
    const found = new SubsetSearch().find(equal, 30n, limits);
    expect(found.sets).toHaveLength(20);
    expect(found.tooMany).toBe(true);
  });

  it('is exact where sums pass what a float holds', () => {
    const amounts = [
      9_007_199_254_740_993n,
      9_223_372_036_854_775_807n,
      -9_223_372_036_854_775_806n,
      2n ** 52n + 5n,
      5n,
    ];
    expect(new SubsetSearch().find(amounts, 9_007_199_254_740_994n, limits).sets).toEqual([[0, 1, 2]]);
    expect(new SubsetSearch().find([5n, 2n ** 52n + 5n, 7n], 12n, limits).sets).toEqual([[0, 2]]);
    expect(new SubsetSearch().find([5n, 2n ** 52n + 5n, 7n], 2n ** 52n + 12n, limits).sets).toEqual([[1, 2]]);
  });
});

describe('the worst of months', () => {
  it('ends, and says that there are too many ways', () => {
    const invoices = Array.from({ length: 400 }, (_, at) => invoice(20_001 + at, `${100 + at * 3}.00`));
    const outcome = matchReceipts({ receipts: [receipt('a', '9999.00')], invoices, options });
    expect(outcome.matches).toEqual([]);
    expect(outcome.ambiguous).toMatchObject([{ receipt: 'a', tooMany: true }]);
  });

  it('ends with many receipts that look alike', () => {
    const receipts = Array.from({ length: 600 }, (_, at) => receipt(`r${at}`, `${7 + (at % 5)}.00`));
    const invoices = Array.from({ length: 60 }, (_, at) => invoice(20_001 + at, `${1000 + at}.00`));
    const outcome = matchReceipts({ receipts, invoices, options });
    expect(outcome.matches).toEqual([]);
    expect(outcome.ambiguous).toHaveLength(600);
  });

  it('matches five thousand receipts', () => {
    const count = 5_000;
    const dateOf = (at: number) => new Date(Date.UTC(2020, 0, 1 + Math.floor(at / 3))).toISOString().slice(0, 10);
    const invoices = Array.from({ length: count }, (_, at) =>
      invoice(20_001 + at, `${at + 1}.37`, { date: dateOf(at) }),
    );
    const receipts = invoices.map(({ number, date }, at) =>
      receipt(`r${at}`, `${at + 1}.37`, { date, text: at % 2 ? `COD ${number}` : 'Transfer' }),
    );
    const outcome = matchReceipts({ receipts, invoices, options });
    expect(brief(outcome).filter((line) => line.startsWith('named'))).toHaveLength(count / 2);
    expect(outcome.matches).toHaveLength(count);
    expect(outcome.ambiguous).toEqual([]);
  });
});
