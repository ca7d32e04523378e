import { Optional, String as Text } from '@sinclair/typebox';
import { AMOUNT, by, COURIER, decision, field, INVOICES, oneOf, TEXT, YES } from './decision.ts';

export const SETTLEMENTS = ['write-off', 'bank-charge', 'rounding', 'fx', 'other'] as const;

const CURRENCY = Optional(Text({ pattern: '^[A-Za-z][A-Za-z0-9]{1,9}$' }));

export const settle = decision({
  name: 'settle',
  summary: 'take something off what is open of invoices, without a receipt',
  description:
    'Settles invoices without a receipt: a write-off, a bank charge, rounding, an exchange difference. It is booked on the day on which you decide, and can be undone on record. On a terminal it asks first.',
  examples: [
    'remit settle 10009 --as write-off --note "agreed with the courier on the phone"',
    'remit settle 10009 10011 --as rounding --amount 0.01 --note cents',
    'remit settle list 2026-10',
    'remit settle undo 7 --reason "it was paid after all"',
  ],
  fields: {
    invoices: field('<invoice...>', 'the invoices, a payout of a sheet by its own number, such as ES-902', INVOICES),
    as: field('--as <kind>', 'what it is (needed)', oneOf(...SETTLEMENTS)),
    currency: field('--currency <code>', 'the currency, where several are open', CURRENCY),
    amount: field('--amount <amount>', 'how much of each invoice (default: all that is open of it)', AMOUNT),
    courier: COURIER,
    by: by('who settles'),
    note: field('--note <text>', 'why (needed); it stays on record', TEXT),
    yes: YES,
  },
  desk: { path: '/settlements', operationId: 'settle', to: '/settlements' },
  asks: () => 'on a terminal',
  decide: async (allBooks, { invoices: words, as: kind, currency, amount = null, note, by, seen }) => {
    const { settleInvoices } = await import('../settle/settle.ts');
    const { invoicesNamed } = await import('../each-courier.ts');
    const { unlessOvertaken } = await import('../desk/conflicts.ts');
    const { books, numbers: invoices } = await invoicesNamed(allBooks, words.map(String));
    const request = { invoices, kind, currency: currency?.toUpperCase() ?? null, amount, note, by };
    return unlessOvertaken(books, { invoices }, seen, () => settleInvoices(books, request));
  },
  approved: {
    what: 'settle',
    make: async (trx, books, request) => (await import('../settle/settle.ts')).settleIn(trx, books, request),
  },
});

export const settleUndo = decision({
  name: 'settle undo',
  summary: 'undo a settlement',
  description:
    'Undoes a settlement: its amount is open again. A match with a difference is taken away, a mismatch is open again. What was decided and its end stay on record.',
  examples: ['remit settle undo 7 --reason "it was paid after all"'],
  fields: {
    id: field('<id>', 'the settlement, match or mismatch, as `remit settle list` shows it', Text()),
    reason: field('--reason <text>', 'why; it stays on record', TEXT),
    by: by('who undoes it'),
  },
  desk: { path: '/settlements/:id/undo', operationId: 'undoSettlement', to: '/settlements' },
  undoes: 'undo-settlements',
  decide: async (books, { id, reason, by }) => {
    await (await import('../settle/undo.ts')).undoSettlement(books, { id, reason, by });
    return { settlement: /^\d{1,12}$/.test(id) ? Number(id) : id, reason, by };
  },
});
