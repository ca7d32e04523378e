import type { Books } from '../books.ts';
import type { Act, MismatchesInput, TypedFilter } from '../mismatches/decide.ts';
import { by, CODES, decision, FLAG, field, IDS, IDS_HELP, LEDGER, NOTE, typedField, WORD, YES } from './decision.ts';

/** The fields that choose mismatches: ids, or a filter. */
export const SELECTION = {
  ids: field('[ids...]', IDS_HELP, IDS),
  code: typedField('--code <code...>', 'all of these checks', CODES),
  invoice: typedField('--invoice <number>', 'all about this invoice', WORD),
  currency: typedField('--currency <code>', 'all in this currency', WORD),
  maxEffect: typedField('--max-effect <amount>', 'all whose effect is at most this, either way; with --currency', WORD),
  by: by('who decides'),
  yes: YES,
  ledger: LEDGER,
};

/** Whether a filter was typed, which may take more than the person thought of. */
export function isFiltered({ code, invoice, currency, maxEffect }: TypedFilter): boolean {
  return [code, invoice, currency, maxEffect].some((one) => one !== undefined);
}

const asks = (asked: TypedFilter) => (isFiltered(asked) ? 'always' : null);

const decideMismatchesAs = async (act: Act, books: Books, asked: MismatchesInput) =>
  (await import('../mismatches/decide.ts')).decideMismatches(act, books, asked);

const NEEDED_NOTE = {
  ...field('--note <text>', 'the reason (needed; asked for on a terminal)', NOTE),
  isAskedFor: true,
} as const;

export const mismatchAck = decision({
  name: 'mismatch ack',
  summary: 'say that you know of it, and that someone is at work on it',
  description:
    'Acknowledges mismatches: they stay open and count as known. Given a filter it asks first; without a terminal give --yes.',
  examples: [
    'remit mismatch ack 4f1c --note "asked the courier on the 5th"',
    'remit mismatch ack --code payment-overdue --yes',
  ],
  fields: { ...SELECTION, note: field('--note <text>', 'what is being done about it', NOTE) },
  desk: {
    path: '/mismatches/ack',
    title: 'Acknowledge mismatches: somebody is at work on them',
    operationId: 'ackMismatches',
    to: '/mismatches',
  },
  asks,
  decide: (books, asked) => decideMismatchesAs('ack', books, asked),
});

export const mismatchResolve = decision({
  name: 'mismatch resolve',
  summary: 'settle it for a reason',
  description:
    'Resolves mismatches for a reason that is kept. They stay resolved while their data is the same, and stay in the bridge. What they are short is given up: above the limit of [approvals] it waits for a second person. `remit settle list` shows it, and `remit settle undo` opens it again.',
  examples: [
    'remit mismatch resolve 4f1c --note "credited on invoice 10012"',
    'remit mismatch resolve --max-effect 0.05 --currency USD --note rounding --yes',
  ],
  fields: {
    ...SELECTION,
    note: NEEDED_NOTE,
    settle: field('--settle', 'take what they are short off their invoices too, as a write-off', FLAG),
  },
  desk: {
    path: '/mismatches/resolve',
    title: 'Resolve mismatches for a reason',
    operationId: 'resolveMismatches',
    to: '/mismatches',
  },
  asks,
  decide: (books, asked) => decideMismatchesAs('resolve', books, asked),
  approved: {
    what: 'resolve',
    make: async (trx, books, request) => (await import('../mismatches/decide.ts')).resolveIn(trx, books, request),
  },
});

export const mismatchReopen = decision({
  name: 'mismatch reopen',
  summary: 'open it again for a reason',
  description: 'Opens mismatches again that were acknowledged or resolved.',
  examples: ['remit mismatch reopen 4f1c --note "the credit never came"'],
  fields: { ids: field('<ids...>', IDS_HELP, IDS), note: NEEDED_NOTE, by: by('who decides') },
  desk: {
    path: '/mismatches/reopen',
    title: 'Open mismatches again for a reason',
    operationId: 'reopenMismatches',
    to: '/mismatches',
  },
  undoes: 'reopen-mismatches',
  decide: (books, asked) => decideMismatchesAs('reopen', books, asked),
});
