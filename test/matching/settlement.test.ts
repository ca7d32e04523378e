import { describe, expect, it } from 'vitest';
import { daysHeld, settlementOf } from '../../src/matching/index.ts';

const invoice = { date: '2026-10-05', net: 100n, matched: 0n, named: 0n, paying: 0, flagged: 100n };
const from = (from: string, to: string) => daysHeld([{ from, to }]);

describe('the days of which receipts are held', () => {
  it.each([
    ['nothing', [], []],
    [
      'neighbours are one',
      [
        ['2026-10-01', '2026-10-31'],
        ['2026-11-01', '2026-11-30'],
      ],
      [['2026-10-01', '2026-11-30']],
    ],
    [
      'so are those a week apart',
      [
        ['2026-10-02', '2026-10-27'],
        ['2026-11-03', '2026-11-30'],
      ],
      [['2026-10-02', '2026-11-30']],
    ],
    [
      'those further apart are not',
      [
        ['2026-10-02', '2026-10-27'],
        ['2026-11-04', '2026-11-30'],
      ],
      [
        ['2026-10-02', '2026-10-27'],
        ['2026-11-04', '2026-11-30'],
      ],
    ],
    [
      'one within another',
      [
        ['2026-10-05', '2026-10-06'],
        ['2026-10-01', '2026-10-31'],
      ],
      [['2026-10-01', '2026-10-31']],
    ],
  ] as const)('%s', (_, statements, held) => {
    const days = (pairs: readonly (readonly [string, string])[]) =>
      pairs.map(([first, last]) => ({ from: first, to: last }));
    expect(daysHeld(days(statements))).toEqual(days(held));
    expect(daysHeld(days(statements).toReversed())).toEqual(days(held));
  });
});

describe('what came of an invoice', () => {
  it.each([
    ['no receipts, paid', {}, [], { by: 'courier', received: 0n, paid_on_word: 100n, outstanding: 0n }],
    ['no receipts, not paid', { flagged: 0n }, [], { by: 'courier', paid_on_word: 0n, outstanding: 100n }],
    [
      'its window is held',
      {},
      from('2026-10-05', '2026-10-10'),
      { by: 'receipts', paid_on_word: 0n, outstanding: 100n },
    ],
    ['a day is missing at its end', {}, from('2026-10-01', '2026-10-09'), { by: 'courier', outstanding: 0n }],
    ['a day is missing at its start', {}, from('2026-10-06', '2026-10-31'), { by: 'courier', outstanding: 0n }],
    ['a match', { matched: 60n, paying: 1, flagged: 0n }, [], { by: 'receipts', received: 60n, outstanding: 40n }],
    [
      'the rest is named',
      { matched: 98n, named: 2n, paying: 1 },
      [],
      { received: 98n, differences: 2n, outstanding: 0n },
    ],
    ['taken back again', { paying: 2 }, [], { by: 'receipts', received: 0n, outstanding: 100n }],
    ['vanished, and was paid', { net: 0n, matched: 100n, paying: 1 }, [], { received: 100n, outstanding: -100n }],
    ['restated since it was paid', { net: 105n }, [], { by: 'courier', paid_on_word: 100n, outstanding: 5n }],
    ['vanished, and was marked paid', { net: 0n }, [], { by: 'courier', paid_on_word: 100n, outstanding: -100n }],
    ['the merchant owes', { net: -5n, flagged: 0n }, [], { by: 'courier', outstanding: -5n }],
  ] as const)('%s', (_, fields, held, expected) => {
    const settlement = settlementOf({ ...invoice, ...fields }, held, 5);
    expect(settlement).toMatchObject(expected);
    const { received, differences, paid_on_word, outstanding } = settlement;
    expect(received + differences + paid_on_word + outstanding).toBe({ ...invoice, ...fields }.net);
  });
});
