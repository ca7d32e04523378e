import { describe, expect, it } from 'vitest';
import { ClosedBook } from '../../../reports/journal/closed-book.ts';
import type { JournalTransaction } from '../../../reports/journal/model.ts';

/** A receipt of an amount that pays one invoice. */
const receipt = (amount: bigint, invoice: number): JournalTransaction => ({
  id: 'REC-1',
  date: '2026-10-05',
  narration: { id: 'booked-receipt' } as never,
  references: {},
  currency: 'USD',
  shares: [{ number: invoice, amount: -amount }],
  lines: [
    { account: 'bank', amount },
    { account: 'courier_receivable', amount: -amount },
  ],
});

describe('the book of closed months', () => {
  it('keeps a share that moves from one invoice to another between closes, until the amount changes too', () => {
    const book = new ClosedBook();
    book.close([receipt(100n, 1)], { id: 10, period: '2026-10' });
    book.close([receipt(100n, 2)], { id: 20, period: '2026-11' });
    expect(book.transactions).toHaveLength(1);
    book.add([receipt(90n, 2)]);
    const shares = new Map<number, bigint>();
    for (const { number, amount } of book.transactions.flatMap((one) => one.shares ?? [])) {
      shares.set(number, (shares.get(number) ?? 0n) + amount);
    }
    expect([...shares]).toEqual([
      [1, 0n],
      [2, -90n],
    ]);
  });
});
