import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balancesOf, journalOf, openingTransactions } from '../../../reports/journal/journal.ts';
import {
  postDelivered,
  postDeliveredDay,
  postInvoiced,
  postNamedDifference,
  postReceived,
  postSeenPaid,
} from '../../../reports/journal/post.ts';
import { say } from '../../../src/words/index.ts';

const at = { date: '2026-10-09', currency: 'USD' };
const month = { period: '2026-10', from: '2026-10-01', to: '2026-10-31' };
const lines = (
  transaction: { readonly lines: readonly { readonly account: string; readonly amount: bigint }[] } | null,
) => transaction?.lines.map(({ account, amount }) => `${account} ${amount}`);

describe('what is posted', () => {
  it('for a delivery', () => {
    const order = { ...at, order_id: 'A', reference_id: '7', cod: 5n, delivery_fee: 1n };
    expect(lines(postDelivered(order))).toEqual([
      'uninvoiced_cod 5',
      'receivables -5',
      'delivery_fees 1',
      'accrued_fees -1',
    ]);
    expect(postDelivered({ ...order, cod: 0n, delivery_fee: 0n })).toBeNull();
  });

  it('for the deliveries of a day', () => {
    const days = [
      postDeliveredDay({ ...at, cod: 10n, delivery_fee: 0n, orders: 2 }),
      postDeliveredDay({ ...at, currency: 'LBP', cod: 5n, delivery_fee: 0n, orders: 1 }),
    ];
    expect(days.map((day) => `${day?.id} ${day && say(day.narration)}`)).toEqual([
      'DEL-2026-10-09-USD Delivered: 2 orders',
      'DEL-2026-10-09-LBP Delivered: 1 order',
    ]);
    expect(lines(days[0]!)).toEqual(['uninvoiced_cod 10', 'receivables -10']);
    expect(postDeliveredDay({ ...at, cod: 0n, delivery_fee: 0n, orders: 2 })).toBeNull();
  });

  it('for an invoice, and where its net is not its COD less its fee', () => {
    const invoice = { ...at, number: 1, cod: 100n, delivery_fee: 7n, net_due_to_merchant: 93n };
    expect(lines(postInvoiced(invoice))).toEqual(['courier_receivable 93', 'delivery_fees 7', 'receivables -100']);
    expect(lines(postInvoiced({ ...invoice, net_due_to_merchant: 90n }))).toContain('other_differences 3');
    expect(postInvoiced(invoice, '2026-11-02')?.id).toBe('RES-1-2026-11-02-USD');
  });

  it('for a flag that says paid, or unpaid again, whichever way the net goes', () => {
    const said = (amount: bigint, isPaid: boolean) =>
      say(postSeenPaid({ ...at, number: 1, amount, isPaid, mark: '5' })!.narration);
    expect([said(-5n, true), said(5n, true)]).toEqual(Array(2).fill('Marked paid by the courier: invoice 1'));
    expect([said(5n, false), said(-5n, false)]).toEqual(Array(2).fill('Marked unpaid again: invoice 1'));
  });

  it('for a receipt, and for what of it no invoice is known', () => {
    const receipt = { ...at, receipt: '41', amount: 100n, allocated: 100n, invoices: [1] };
    expect(lines(postReceived(receipt))).toEqual(['bank 100', 'courier_receivable -100']);
    expect(lines(postReceived({ ...receipt, allocated: 60n }))).toEqual([
      'bank 100',
      'courier_receivable -60',
      'unallocated_receipts -40',
    ]);
    expect(lines(postReceived({ ...receipt, amount: -20n, allocated: -20n }))).toEqual([
      'bank -20',
      'courier_receivable 20',
    ]);
    expect(lines(postNamedDifference({ ...at, id: '9', number: 1, amount: 3n, kind: 'bank-charge' }))).toEqual([
      'bank_charges 3',
      'courier_receivable -3',
    ]);
  });
});

describe('a journal', () => {
  it('holds the courier’s receivable at net due less received, on every day', () => {
    const day = fc.integer({ min: 1, max: 28 }).map((n) => `2026-10-${String(n).padStart(2, '0')}`);
    const amount = fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n });
    const invoices = fc.array(fc.record({ date: day, cod: amount, delivery_fee: amount, net_due_to_merchant: amount }));
    const receipts = fc.array(fc.record({ date: day, amount, allocated: amount }));
    fc.assert(
      fc.property(invoices, receipts, day, (invoiced, received, to) => {
        const all = [
          ...invoiced.map((row, n) => postInvoiced({ ...row, currency: 'USD', number: n })),
          ...received.map((row, n) => postReceived({ ...row, currency: 'USD', receipt: String(n), invoices: [] })),
        ].flatMap((one) => one ?? []);
        const { opening, transactions } = journalOf({ ...month, to }, all);
        const held =
          balancesOf(opening, transactions).find(({ account }) => account === 'courier_receivable')?.amount ?? 0n;
        const until = <T extends { readonly date: string }>(rows: readonly T[]) =>
          rows.filter(({ date }) => date <= to);
        const due = until(invoiced).reduce((sum, row) => sum + row.net_due_to_merchant, 0n);
        expect(held).toBe(until(received).reduce((sum, row) => sum - row.allocated, due));
      }),
    );
  });

  it('opens with what was before it, against an account of its own, and leaves out what is after', () => {
    const received = (id: string, date: string, amount: bigint) =>
      postReceived({ receipt: id, date, currency: 'USD', amount, allocated: amount, invoices: [] })!;
    const journal = journalOf(month, [
      received('1', '2026-09-30', 5n),
      received('2', '2026-10-01', 7n),
      received('3', '2026-11-01', 9n),
    ]);
    expect(journal.transactions.map(({ id }) => id)).toEqual(['REC-2-USD']);
    expect(openingTransactions(journal).map((one) => [one.id, one.date, lines(one)])).toEqual([
      ['OPEN-2026-10-01-USD', '2026-09-30', ['courier_receivable -5', 'bank 5']],
    ]);
  });

  it('refuses what does not balance, and an id that stands twice', () => {
    const good = postDelivered({ ...at, order_id: 'A', reference_id: null, cod: 5n, delivery_fee: 0n })!;
    expect(() => journalOf(month, [good, good])).toThrow('two transactions are called DEL-A-USD');
    const bad = { ...good, lines: [{ account: 'bank' as const, amount: 15_000n }] };
    expect(() => journalOf(month, [bad])).toThrow('transaction DEL-A-USD does not balance: 1.50 USD too much');
  });
});
