import { describe, expect, it } from 'vitest';
import { type RemittanceInput, remittanceOf } from '../../src/matching/settle.ts';

const options = { lagDays: 5, tolerance: 0n, today: '2026-10-11' };
const due = (fields: Partial<RemittanceInput>): RemittanceInput => ({
  date: '2026-10-05',
  net: 1_000_000n,
  matched: 0n,
  named: 0n,
  matches: 0,
  isPaid: true,
  ...fields,
});

describe('what came of an invoice’s money', () => {
  it.each([
    ['paid, and nothing came in its days', {}, {}, 'missing', -1_000_000n],
    ['the last of its days', {}, { today: '2026-10-10' }, 'waiting', 0n],
    ['never called paid', { isPaid: false }, {}, 'waiting', 0n],
    ['nothing is due', { net: 0n }, {}, 'settled', 0n],
    ['the merchant owes', { net: -5n }, {}, 'settled', 0n],
    ['all of it came', { matched: 1_000_000n, matches: 1 }, {}, 'settled', 0n],
    ['a part, and paid', { matched: 950_000n, matches: 1 }, {}, 'short', -50_000n],
    ['a part, and paid, in its days', { matched: 950_000n, matches: 1 }, { today: '2026-10-10' }, 'waiting', 0n],
    ['a part, in its days', { matched: 950_000n, matches: 1, isPaid: false }, { today: '2026-10-10' }, 'waiting', 0n],
    ['a part, later', { matched: 950_000n, matches: 1, isPaid: false }, {}, 'short', -50_000n],
    ['a part, within tolerance', { matched: 950_000n, matches: 1 }, { tolerance: 50_000n }, 'settled', 0n],
    ['too much', { matched: 1_000_001n, matches: 2 }, { today: '2026-10-05' }, 'over', 1n],
    ['a part, the rest named', { matched: 950_000n, named: 50_000n, matches: 1 }, {}, 'settled', 0n],
    ['too much, named', { matched: 1_050_000n, named: -50_000n, matches: 1 }, {}, 'settled', 0n],
    ['vanished after it was paid', { net: 0n, matched: 1_000_000n, matches: 1 }, {}, 'over', 1_000_000n],
    ['taken back', { matched: 0n, matches: 2 }, {}, 'short', -1_000_000n],
  ] as const)('%s', (_, fields, change, outcome, effect) => {
    const remittance = remittanceOf(due(fields), { ...options, ...change });
    expect(remittance).toMatchObject({ outcome, effect });
    expect(remittance.received).toBe(due(fields).matched);
  });
});
