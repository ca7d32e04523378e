import fc from 'fast-check';
import { journalOf } from '../../../reports/journal/journal.ts';
import type { Journal, JournalTransaction } from '../../../reports/journal/model.ts';
import { postDelivered, postInvoiced, postNamedDifference, postReceived } from '../../../reports/journal/post.ts';

const OUTSIDE = fc.oneof(
  fc.constantFrom(
    '=1+1',
    '@x',
    '-5',
    'a;b|c',
    'with "quotes" \\ and',
    'two\nlines\t',
    '(x)',
    'x  5.00 USD',
    '؜مرجع ١٢',
    ',',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const date = fc
  .tuple(fc.constantFrom('09', '10'), fc.integer({ min: 1, max: 30 }))
  .map(([month, day]) => `2026-${month}-${String(day).padStart(2, '0')}`);
const currency = fc.constantFrom('USD', 'LBP', 'USD2');
const units = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }));

/** Rows of all kinds, with texts from outside, over two months of which the second is the journal's. */
export const transactions = fc
  .record({
    delivered: fc.array(
      fc.record({ date, currency, cod: units, delivery_fee: units, reference_id: fc.option(OUTSIDE) }),
      { maxLength: 12 },
    ),
    invoiced: fc.array(fc.record({ date, currency, cod: units, delivery_fee: units, net_due_to_merchant: units }), {
      maxLength: 8,
    }),
    received: fc.array(fc.record({ date, currency, amount: units, allocated: units }), { maxLength: 8 }),
    named: fc.array(fc.record({ date, currency, amount: units, kind: OUTSIDE }), { maxLength: 3 }),
  })
  .map(({ delivered, invoiced, received, named }): JournalTransaction[] =>
    [
      ...delivered.map((row, at) => postDelivered({ ...row, order_id: `86DW546HQ${at}` })),
      ...invoiced.map((row, at) => postInvoiced({ ...row, number: 10_009 + at })),
      ...received.map((row, at) => postReceived({ ...row, receipt: `${41 + at}`, invoices: [10_009 + at] })),
      ...named.map((row, at) => postNamedDifference({ ...row, id: String(at), number: 10_009 + at })),
    ].flatMap((one) => one ?? []),
  );

export function october(all: readonly JournalTransaction[]): Journal {
  return journalOf({ period: '2026-10', from: '2026-10-01', to: '2026-10-31' }, all);
}

/** `account currency` → sum, of October's lines alone. */
export function sums(journal: Journal, nameOf: (account: string) => string): Record<string, bigint> {
  const all: Record<string, bigint> = {};
  for (const one of journal.transactions) {
    for (const { account, amount } of one.lines) {
      const key = `${nameOf(account)} ${one.currency}`;
      all[key] = (all[key] ?? 0n) + amount;
    }
  }
  return withoutZeros(all);
}

export function withoutZeros(all: Record<string, bigint>): Record<string, bigint> {
  return Object.fromEntries(Object.entries(all).filter(([, amount]) => amount !== 0n));
}
