import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainOfStatements, daysHeld, type HeldStatement } from '../../src/matching/statement-chain.ts';

const RUNS = Number(process.env.REMIT_PROPERTY_RUNS ?? 400);
const day = (number: number) => new Date(Date.UTC(2026, 8, number)).toISOString().slice(0, 10);

/** A statement of days of September 2026 and later. */
function statement(from: number, to: number, more: Partial<HeldStatement> = {}): HeldStatement {
  const whose = { account: 'LB1', currency: 'USD', from: day(from), to: day(to) };
  return { ...whose, statesDays: false, balances: null, unexplained: 0n, edges: [], ...more };
}

const held = (...statements: HeldStatement[]) => {
  const { days, gaps } = chainOfStatements(statements);
  return { days: daysHeld(days, gaps), gaps: gaps.map(({ after, before, amount }) => [after, before, amount]) };
};
const balances = (opening: number, closing: number) => ({
  balances: { opening: BigInt(opening), closing: BigInt(closing) },
});

describe('the days that statements of an account hold', () => {
  it.each([
    ['cash books a week apart are one', [statement(1, 10), statement(17, 30)], [[1, 30]], 0],
    [
      'those further apart are not, and nobody knows of a gap',
      [statement(1, 10), statement(18, 30)],
      [
        [1, 10],
        [18, 30],
      ],
      0,
    ],
    [
      'neighbours that state their days are one',
      [
        [1, 10],
        [11, 30],
      ].map(([a, b]) => statement(a!, b!, { statesDays: true })),
      [[1, 30]],
      0,
    ],
    [
      'those with a day between them are not',
      [
        [1, 10],
        [12, 30],
      ].map(([a, b]) => statement(a!, b!, { statesDays: true })),
      [
        [1, 10],
        [12, 30],
      ],
      1,
    ],
    [
      'a cash book fills no gap of a bank',
      [statement(1, 10, { statesDays: true }), statement(13, 30)],
      [
        [1, 10],
        [13, 30],
      ],
      1,
    ],
    ['one within another', [statement(1, 30, { statesDays: true }), statement(5, 6, balances(1, 2))], [[1, 30]], 0],
    [
      'balances that chain hold weeks',
      [statement(1, 3, balances(0, 5)), statement(28, 30, balances(5, 6))],
      [[1, 30]],
      0,
    ],
    [
      'balances that do not chain part neighbours',
      [statement(1, 10, balances(0, 5)), statement(11, 30, balances(6, 6))],
      [
        [1, 10],
        [11, 30],
      ],
      1,
    ],
    [
      'and part a day',
      [statement(1, 10, balances(0, 5)), statement(10, 30, balances(6, 6))],
      [
        [1, 9],
        [11, 30],
      ],
      1,
    ],
    [
      'one that does not add up holds none of its days: what is missing may be of the first or the last',
      [statement(1, 10), statement(11, 20, { unexplained: 5n }), statement(21, 30)],
      [
        [1, 10],
        [21, 30],
      ],
      1,
    ],
    [
      'not even its one day',
      [statement(1, 10), statement(11, 11, { unexplained: 5n }), statement(12, 30)],
      [
        [1, 10],
        [12, 30],
      ],
      1,
    ],
  ] as const)('%s', (_, statements, days, gaps) => {
    const found = held(...statements);
    expect(found.days).toEqual(days.map(([from, to]) => ({ from: day(from), to: day(to) })));
    expect(found.gaps).toHaveLength(gaps);
    expect(held(...[...statements].reverse())).toEqual(found);
  });
});

interface Movement {
  readonly receipt: number;
  readonly day: number;
  readonly amount: bigint;
}

/**
 * What moved on an account; where the bank's files are cut; which are there; and two of them once more, in one file.
 */
const worlds = fc
  .array(fc.record({ after: fc.integer({ min: 0, max: 9 }), amount: fc.integer({ min: -3, max: 9 }) }), {
    minLength: 2,
    maxLength: 14,
  })
  .chain((steps) => {
    let at = 1;
    const movements = steps.map(({ after, amount }, receipt): Movement => {
      at += after;
      return { receipt, day: at, amount: BigInt(amount) };
    });
    return fc.record({
      movements: fc.constant(movements),
      cuts: fc.uniqueArray(fc.integer({ min: 1, max: movements.length - 1 }), { maxLength: 5 }),
      kept: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      again: fc.boolean(),
      order: fc.array(fc.nat(), { minLength: 7, maxLength: 7 }),
    });
  })
  // Balances that come back within a day leave the order of its files open.
  .filter(({ movements }) => {
    let balance = 0n;
    const seen = new Map<number, Set<bigint>>();
    return movements.every(({ day: on, amount }) => {
      const own = seen.get(on) ?? new Set([balance]);
      seen.set(on, own);
      balance += amount;
      const isNew = !own.has(balance);
      own.add(balance);
      return isNew;
    });
  });

describe('files of one account in any order', () => {
  it('hold what the contract says, and name each sum that is missing', () => {
    fc.assert(
      fc.property(worlds, ({ movements, cuts, kept, again, order }) => {
        const edges = [0, ...[...cuts].sort((a, b) => a - b), movements.length];
        const parts = edges.slice(1).map((end, at) => movements.slice(edges[at], end));
        const there = parts.filter((_, at) => kept[at]);
        // Nobody can tell the order of two files that are wholly of one day, and of what was between them.
        const single = there.filter((part) => part[0]!.day === part.at(-1)!.day).map((part) => part[0]!.day);
        fc.pre(there.length > 0 && new Set(single).size === single.length);
        const sum = (of: readonly Movement[]) => of.reduce((total, { amount }) => total + amount, 0n);
        const heldBefore = (of: readonly Movement[]) => sum(movements.slice(0, of[0]!.receipt));
        const file = (of: readonly Movement[]) =>
          statement(of[0]!.day, of.at(-1)!.day, {
            balances: { opening: heldBefore(of), closing: heldBefore(of) + sum(of) },
            edges: of.map(({ receipt, day: on, amount }) => ({ receipt, date: day(on), amount })),
          });
        const both = there.find((part, at) => at > 0 && there[at - 1]!.at(-1)!.receipt + 1 === part[0]!.receipt);
        const wide = both ? [...there[there.indexOf(both) - 1]!, ...both] : null;
        const files = [...there.map(file), ...(again && wide ? [file(wide)] : [])]
          .map((one, at) => ({ one, key: order[at]! }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);

        // From the contract: what lies between two files that are there, if anything, and comes to something.
        const gaps = there.slice(1).flatMap((part, at) => {
          const last = there[at]!.at(-1)!;
          const amount = sum(movements.slice(last.receipt + 1, part[0]!.receipt));
          return amount === 0n ? [] : [{ after: last.day, before: part[0]!.day, amount }];
        });
        const found = held(...files);
        expect(found.gaps).toEqual(gaps.map((gap) => [day(gap.after), day(gap.before), gap.amount]));
        const days = there.flat().map((movement) => movement.day);
        const [first, end] = [Math.min(...days), Math.max(...days)];
        for (let from = first; from <= end; from += 1) {
          for (let to = from; to <= end; to += 1) {
            const isWhole = gaps.every((gap) =>
              gap.after === gap.before
                ? from > gap.after || to < gap.before
                : gap.after + 1 === gap.before
                  ? !(from <= gap.after && to >= gap.before)
                  : to <= gap.after || from >= gap.before,
            );
            const is = found.days.some((one) => one.from <= day(from) && day(to) <= one.to);
            expect([from, to, is]).toEqual([from, to, isWhole]);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});
