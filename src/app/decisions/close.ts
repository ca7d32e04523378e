import { String as Text } from '@sinclair/typebox';
import { decision, FLAG, field, MONTH, NOTE, REASON, typedField } from './decision.ts';

export const closeMonth = decision({
  name: 'close',
  summary: 'close a month: freeze its figures',
  description:
    'Checks a month and closes it: its figures, its closing balance and the documents behind them are frozen as evidence. A later change of one of them leaves the close as it is and is a mismatch. Refused, with every reason, while the month is incomplete, not checked or has open errors, unless you say why it is closed all the same.',
  examples: ['remit close 2026-10 --by rana', 'remit close 2026-08 --by rana --first'],
  fields: {
    month: field('<month>', 'such as 2026-10', MONTH),
    by: typedField('--by <name>', 'who closes it', Text()),
    with_open: field(
      '--with-open <reason>',
      'close though it is incomplete, not checked or has open errors; each goes on record with the reason',
      NOTE,
    ),
    first: field('--first', 'your first month: the month before it need not be closed', FLAG),
  },
  desk: { path: '/closes', operationId: 'closeMonth', to: '/months/:month' },
  refuses: 'close',
  decide: async (books, { month, by, with_open: withOpen = null, first = false, seen }) => {
    const { closeBooks, closeJson } = await import('../close/close.ts');
    const { unlessOvertaken } = await import('../desk/conflicts.ts');
    const request = { month, by, withOpen, first };
    const result = await unlessOvertaken(books, { month }, seen, () => closeBooks(books, request));
    return 'waiting' in result ? result : closeJson(result);
  },
});

export const reopenMonth = decision({
  name: 'reopen',
  summary: 'open a closed month again',
  description:
    'Opens a closed month again: its figures follow the data, and its `closed-period-changed` mismatches are resolved. The close and the reopening stay on record.',
  examples: ['remit reopen 2026-10 --by rana --reason "invoice 10009 was restated"'],
  fields: {
    month: field('<month>', 'such as 2026-10', MONTH),
    by: typedField('--by <name>', 'who opens it', Text()),
    reason: REASON,
  },
  desk: { path: '/closes/:month/reopen', operationId: 'reopenMonth', to: '/months/:month' },
  refuses: 'reopen',
  undoes: 'reopen-month',
  decide: async (books, { month, by, reason, seen }) => {
    const { reopenBooks } = await import('../close/reopen.ts');
    const { unlessOvertaken } = await import('../desk/conflicts.ts');
    return unlessOvertaken(books, { month }, seen, () => reopenBooks(books, { month, by, reason }));
  },
});
