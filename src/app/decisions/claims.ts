import { Optional, String as Text } from '@sinclair/typebox';
import { UsageError } from '../../base/errors.ts';
import {
  by,
  COURIER,
  decision,
  FLAG,
  field,
  IDS,
  IDS_HELP,
  oneOf,
  PERIOD,
  sentField,
  TEXT,
  typedField,
} from './decision.ts';

export const disputeAnswer = decision({
  name: 'dispute answer',
  summary: 'record the delivery company’s answer',
  description:
    'Records the delivery company’s answer to claims. A claim is settled when the company corrects its documents: an answer alone changes no figure.',
  examples: ['remit dispute answer 4f1c --accepted --note "credited on the next invoice"'],
  fields: {
    ids: field('<ids...>', IDS_HELP, IDS),
    note: field('--note <text>', 'what was answered', TEXT),
    accepted: typedField('--accepted', 'it will be corrected', FLAG),
    refused: typedField('--refused', 'it will not', FLAG),
    answer: sentField(Optional(oneOf('accepted', 'refused'))),
    courier: COURIER,
    by: by('who decides'),
  },
  desk: {
    path: '/claims/answer',
    title: 'Record what the courier answered to claims',
    operationId: 'answerClaims',
    to: '/claims',
  },
  decide: async (books, { ids, note, by, accepted, refused, ...choice }) => {
    if (accepted && refused) throw new UsageError('--accepted and --refused were given', 'Give one of them, or none.');
    const answer = choice.answer ?? typedAnswer(accepted, refused);
    return (await import('../disputes/claims.ts')).answerClaims(books, { ids, note, by, answer });
  },
});

function typedAnswer(accepted = false, refused = false): 'accepted' | 'refused' | null {
  if (accepted) return 'accepted';
  return refused ? 'refused' : null;
}

export const disputeWriteOff = decision({
  name: 'dispute write-off',
  summary: 'give a claim up for a reason',
  description:
    'Gives claims up: their mismatches are resolved for a reason that is kept. They stay in the bridge, and their sum is listed as written off.',
  examples: ['remit dispute write-off 4f1c --by Rana --reason "too old to be worth a dispute"'],
  fields: {
    ids: field('<ids...>', IDS_HELP, IDS),
    by: typedField('--by <name>', 'who gives it up', Text()),
    courier: COURIER,
    reason: field('--reason <text>', 'why', TEXT),
  },
  desk: {
    path: '/claims/write-off',
    title: 'Give claims up for a reason',
    operationId: 'writeOffClaims',
    to: '/claims',
  },
  decide: async (books, { ids, reason: note, by }) =>
    (await import('../disputes/claims.ts')).writeOffClaims(books, { ids, note, by }),
  approved: {
    what: 'write-off',
    make: async (trx, books, request) => (await import('../disputes/claims.ts')).writeOffIn(trx, books, request),
  },
});

export const disputeWithdraw = decision({
  name: 'dispute withdraw',
  summary: 'take a claim back',
  description:
    'Takes claims back, on record: their mismatches are open again, and what was claimed stays in their history.',
  examples: ['remit dispute withdraw 4f1c --note "sent to the wrong company"'],
  fields: {
    ids: field('[ids...]', IDS_HELP, IDS),
    month: typedField('--month <month>', 'the claims of this month that are not over', PERIOD),
    courier: COURIER,
    note: field('--note <text>', 'why', TEXT),
    by: by('who decides'),
  },
  desk: {
    path: '/claims/withdraw',
    title: 'Take claims back: their mismatches are open again',
    operationId: 'withdrawClaims',
    to: '/claims',
  },
  undoes: 'withdraw-claims',
  decide: async (books, { ids, month: months = [], note, by }) => {
    if ((ids.length === 0) === (months.length === 0)) {
      throw new UsageError('name the claims to take back', 'Give the ids of mismatches, or --month MONTH.');
    }
    return (await import('../disputes/claims.ts')).withdrawClaims(books, { ids, months, note, by });
  },
});
