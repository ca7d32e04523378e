import { Optional, String as Text } from '@sinclair/typebox';
import {
  AMOUNT,
  by,
  COURIER,
  decision,
  FLAG,
  field,
  INVOICES,
  NOTE,
  NUMBER,
  oneOf,
  REASON,
  TEXT,
  typedField,
  YES,
} from './decision.ts';

/** The kinds of a difference between a receipt and its invoices. */
export const DIFFERENCES = ['bank-charge', 'rounding', 'fx', 'other'] as const;
export const SETTLEMENTS = ['write-off', ...DIFFERENCES] as const;

export const matchAdd = decision({
  name: 'match add',
  summary: 'match a receipt to invoices by hand',
  description:
    'Matches the rest of a receipt to invoices. The two must tally, or you name the difference or say --part. At a rate, a receipt in another currency pays them; what is left is an exchange difference.',
  examples: ['remit match add 41 10009 --difference bank-charge --note "wire fee"'],
  fields: {
    receipt: field('<receipt>', 'the receipt, as `remit match list --unmatched` shows it', NUMBER),
    invoices: field(
      '<invoice...>',
      'the invoices that it pays, a payout of a sheet by its own number, such as ES-902',
      INVOICES,
    ),
    difference: field('--difference <kind>', 'what the difference is', Optional(oneOf(...DIFFERENCES))),
    rate: field(
      '--rate <rate>',
      'the receipt’s currency for one of the invoice’s, or table: the imported rate of its day',
      Optional(Text({ maxLength: 40 })),
    ),
    part: field('--part', 'a part payment, the oldest invoice first: what is left of either stays open', FLAG),
    anyCourier: typedField(
      '--any-courier',
      'take a receipt of another courier’s payer, on record: --note says why',
      FLAG,
    ),
    courier: COURIER,
    note: field('--note <text>', 'a word about it', NOTE),
    by: by('who matches'),
  },
  desk: {
    path: '/matches',
    title: 'Match a receipt to invoices, and name the difference',
    operationId: 'matchReceipt',
    to: '/receipts',
  },
  decide: async (allBooks, { receipt, invoices: words, difference = null, rate = null, note = null, ...choice }) => {
    const { addMatch } = await import('../match/by-hand.ts');
    const { invoicesNamed } = await import('../each-courier.ts');
    const { unlessOvertaken } = await import('../desk/conflicts.ts');
    const { part: inPart = false, anyCourier = false, by, seen } = choice;
    const { books, numbers: invoices } = await invoicesNamed(allBooks, words.map(String));
    return unlessOvertaken(books, { receipts: [receipt], invoices }, seen, () =>
      addMatch(books, { receipt, invoices, difference, rate, inPart, anyCourier, note, by }),
    );
  },
  approved: {
    what: 'match',
    make: async (trx, books, request) => (await import('../match/by-hand.ts')).addMatchIn(trx, books, request),
  },
});

export const matchRemove = decision({
  name: 'match remove',
  summary: 'take a match away',
  description:
    'Takes a match away. Its receipts are matched by hand from then on; the match and its end stay on record.',
  examples: ['remit match remove 7 --reason "paid another shop"'],
  fields: {
    id: field('<id>', 'the match, as `remit match list` shows it', NUMBER),
    reason: REASON,
    by: by('who takes it away'),
  },
  desk: { path: '/matches/:id/remove', operationId: 'removeMatch', to: '/receipts' },
  undoes: 'remove-matches',
  decide: async (books, { id, reason, by }) => {
    await (await import('../match/by-hand.ts')).removeMatch(books, { id, reason, by });
    return { match: id, reason, by };
  },
});

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
    reason: REASON,
    by: by('who undoes it'),
  },
  desk: { path: '/settlements/:id/undo', operationId: 'undoSettlement', to: '/settlements' },
  undoes: 'undo-settlements',
  decide: async (books, { id, reason, by }) => {
    await (await import('../settle/settle.ts')).undoSettlement(books, { id, reason, by });
    return { settlement: /^\d{1,12}$/.test(id) ? Number(id) : id, reason, by };
  },
});

export const importUndo = decision({
  name: 'import undo',
  summary: 'take an import back',
  description:
    'Takes an import back: removes the rows that no other import holds, and the matches that rest on them, and resolves the mismatches that rested on it alone. The file and both events stay on record.',
  examples: ['remit import undo 57 --reason "wrong account"'],
  fields: {
    id: field('<id>', 'the import, as `remit import list` shows it', NUMBER),
    reason: REASON,
    by: by('who takes it back'),
  },
  desk: { path: '/imports/:id/undo', operationId: 'undoImport', to: '/imports' },
  undoes: 'undo-import',
  decide: async (books, { id, reason, by }) =>
    (await import('../import/undo.ts')).undoImport(books, { id, reason, by }),
});
