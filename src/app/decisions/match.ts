import { Optional, String as Text } from '@sinclair/typebox';
import { by, COURIER, decision, FLAG, field, INVOICES, NOTE, NUMBER, oneOf, TEXT, typedField } from './decision.ts';

const DIFFERENCE = Optional(oneOf('bank-charge', 'rounding', 'fx', 'other'));

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
    difference: field('--difference <kind>', 'what the difference is', DIFFERENCE),
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
    reason: field('--reason <text>', 'why; it stays on record', TEXT),
    by: by('who takes it away'),
  },
  desk: { path: '/matches/:id/remove', operationId: 'removeMatch', to: '/receipts' },
  undoes: 'remove-matches',
  decide: async (books, { id, reason, by }) => {
    await (await import('../match/by-hand.ts')).removeMatch(books, { id, reason, by });
    return { match: id, reason, by };
  },
});
