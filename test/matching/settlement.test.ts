import { describe, expect, it } from 'vitest';
import { settlementOf } from '../../src/matching/settle.ts';
import { daysHeld } from '../../src/matching/statement-chain.ts';

const invoice = { date: '2026-10-05', net: 100n, matched: 0n, named: 0n, paying: 0, flagged: 100n };
const from = (from: string, to: string) => daysHeld([{ from, to }], []);

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
