import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchReceipts } from '../../src/matching/match-receipts.ts';
import { invoice, receipt } from './sides.ts';

/** Everything below is found by trying all there is, with nothing of the product's own. */
interface Small {
  readonly number: number;
  readonly day: number;
  readonly net: number;
}

const PAID_ON = 25;
const dateOf = (day: number) => `2026-10-${String(day).padStart(2, '0')}`;
const small = fc.record({ day: fc.integer({ min: 1, max: 28 }), net: fc.integer({ min: -4, max: 14 }) });
const invoices = fc
  .array(small, { minLength: 1, maxLength: 8 })
  .map((all) => all.map((one, at): Small => ({ ...one, number: 10_001 + at })));

function allSubsets<T>(items: readonly T[]): T[][] {
  const sets: T[][] = [[]];
  for (const item of items) sets.push(...sets.map((set) => [...set, item]));
  return sets;
}

const total = (set: readonly Small[]) => set.reduce((sum, { net }) => sum + net, 0);
const numbers = (set: readonly Small[]) => set.map(({ number }) => number).sort((a, b) => a - b);

/** The ways of the first rule that finds any, for one receipt that names nothing. */
function expectedWays(amount: number, all: readonly Small[]): number[][] {
  const open = all.filter(({ net }) => net !== 0);
  const equal = open.filter(({ day, net }) => net === amount && PAID_ON >= day && PAID_ON - day <= 21);
  if (equal.length > 0) return equal.map((one) => [one.number]);
  const issued = open.filter(({ day }) => day <= PAID_ON);
  return allSubsets(issued)
    .filter((set) => set.length >= 2 && total(set) === amount)
    .map(numbers);
}

describe('one receipt without a name', () => {
  it('is matched, left or listed as trying everything says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), invoices, (amount, all) => {
        const outcome = matchReceipts({
          receipts: [receipt('r', String(amount), { date: dateOf(PAID_ON) })],
          invoices: all.map(({ number, day, net }) => invoice(number, String(net), { date: dateOf(day) })),
          options: { matchDays: 21 },
        });
        const expected = expectedWays(amount, all).map(String).sort();
        const matched = outcome.matches.map((match) => String(match.invoices.map((share) => share.number).sort()));
        const listed = outcome.ambiguous
          .flatMap(({ ways }) => ways.map((way) => String(way.invoices.toSorted())))
          .sort();
        if (expected.length === 1) expect([matched, listed]).toEqual([expected, []]);
        else if (expected.length <= 20) expect([matched, listed]).toEqual([[], expected]);
        else {
          expect(outcome.ambiguous).toMatchObject([{ tooMany: true }]);
          expect(expected).toEqual(expect.arrayContaining(listed));
        }
        expect(outcome.unmatched.receipts).toEqual(expected.length === 0 ? ['r'] : []);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('one receipt that names invoices', () => {
  it('is matched to them when they tally, and is theirs in any case', () => {
    const named = fc.tuple(invoices, fc.nat(255), fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(named, ([all, mask, amount]) => {
        const chosen = all.filter((_, at) => mask & (1 << at));
        const owed = chosen.filter(({ net }) => net !== 0);
        const outcome = matchReceipts({
          receipts: [receipt('r', String(amount), { date: dateOf(PAID_ON), text: numbers(chosen).join(', ') })],
          invoices: all.map(({ number, day, net }) => invoice(number, String(net), { date: dateOf(day) })),
          options: { matchDays: 21 },
        });
        const tallies = allSubsets(owed).filter((set) => set.length > 0 && total(set) === amount);
        if (total(owed) === amount && owed.length > 0) {
          expect(outcome.matches[0]).toMatchObject({ rule: 'named', difference: 0n });
          expect(outcome.matches[0]!.invoices.map((share) => share.number).sort()).toEqual(numbers(owed));
        } else if (tallies.length === 1) {
          expect(outcome.matches[0]!.invoices.map((share) => share.number).sort()).toEqual(numbers(tallies[0]!));
        } else if (tallies.length > 1) {
          expect(outcome.matches).toEqual([]);
          expect(outcome.ambiguous).toHaveLength(1);
        } else if (chosen.length > 0 && expectedWays(amount, all).length === 0) {
          expect(outcome.matches).toMatchObject([{ rule: 'named-part' }]);
          const touched = outcome.matches[0]!.invoices.map((share) => share.number);
          expect(touched.every((number) => numbers(chosen).includes(number))).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('several receipts for one invoice', () => {
  it('are matched when exactly one choice of them is its net', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 7 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 13, max: 40 }), (parts, net) => {
        const outcome = matchReceipts({
          receipts: parts.map((part, at) => receipt(`r${at}`, String(part))),
          invoices: [invoice(10_001, String(net))],
          options: { matchDays: 21 },
        });
        const sets = allSubsets(parts.map((part, at) => ({ part, at }))).filter(
          (set) => set.reduce((sum, { part }) => sum + part, 0) === net,
        );
        if (sets.length === 1) {
          const ids = outcome.matches[0]!.receipts.map(({ id }) => id).sort();
          expect(ids).toEqual(sets[0]!.map(({ at }) => `r${at}`));
        } else expect(outcome.matches).toEqual([]);
        const inSome = new Set(sets.length > 1 ? sets.flat().map(({ at }) => `r${at}`) : []);
        if (sets.length <= 20) expect(new Set(outcome.ambiguous.map((one) => one.receipt))).toEqual(inSome);
      }),
      { numRuns: 1_000 },
    );
  });
});
