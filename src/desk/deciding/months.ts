import { Type } from '@sinclair/typebox';
import { isWaiting } from '../../app/approvals/propose.ts';
import { checkBooks } from '../../app/check-books.ts';
import { checkJson } from '../../app/check-result.ts';
import { closeBooks } from '../../app/close/close.ts';
import { closeJson } from '../../app/close/close-json.ts';
import { Refusal as Reason } from '../../app/close/refusal.ts';
import { reopenBooks } from '../../app/close/reopen.ts';
import { readFirst } from '../../app/desk/conflicts.ts';
import { because as refusedMonth } from '../../words/errors/close.ts';
import { because } from '../../words/errors/desk.ts';
import { oneMonth } from '../reading/month-of.ts';
import { Refusal } from '../refusal.ts';
import { conflict, type DecideRoute, fields, MONTH, route, TEXT } from './act.ts';

/** Why a month cannot be closed or opened again, all of it at once. */
export function refused(month: string, what: 'close' | 'reopen', reasons: readonly Reason[]): Refusal {
  const explanation = refusedMonth({
    id: 'refused',
    month,
    what,
    reasons: Reason.together(reasons).map((one) => one.explanation),
  });
  return new Refusal(422, 'refused', explanation, { status: 'refused', period: month, reasons });
}

export const MONTH_ROUTES: readonly DecideRoute[] = [
  route({
    path: '/closes',
    title: 'Close a month: freeze its figures',
    operationId: 'closeMonth',
    body: fields({
      month: MONTH,
      first: Type.Optional(Type.Boolean()),
      with_open: Type.Optional(TEXT),
    }),
    decide: async ({ desk: { books }, by, seen, body: { month, first = false, with_open } }) => {
      const overtaken = seen === undefined ? null : await readFirst(books, { month }, seen);
      if (overtaken) throw conflict(overtaken, because({ id: 'closed-or-opened-since', month }));
      const withOpen = with_open?.trim() || null;
      const result = await closeBooks(books, { month, by, withOpen, first });
      const to = `/months/${month}`;
      if (isWaiting(result)) return { answer: result, to };
      if (result.status === 'closed') return { answer: closeJson(result), to };
      const isClosed = result.reasons.some(({ code }) => code === 'already-closed');
      const earlier = isClosed ? await readFirst(books, { month }, 0) : null;
      throw earlier
        ? conflict(earlier, because({ id: 'closed-since', month }))
        : refused(month, 'close', result.reasons);
    },
  }),
  route({
    path: '/closes/:month/reopen',
    title: 'Open a closed month again',
    operationId: 'reopenMonth',
    body: fields({ reason: TEXT }),
    decide: async ({ desk: { books }, by, seen, body: { reason }, parameters }) => {
      const month = oneMonth(parameters.month);
      const first = seen === undefined ? null : await readFirst(books, { month }, seen);
      if (first) throw conflict(first, because({ id: 'closed-or-opened-since', month }));
      const result = await reopenBooks(books, { month, by, reason });
      if (result.status === 'refused') throw refused(month, 'reopen', result.reasons);
      return { answer: result, to: `/months/${month}` };
    },
  }),
  route({
    path: '/checks',
    title: 'Check months again, and keep what is found',
    operationId: 'check',
    body: fields({ month: Type.Optional(MONTH) }),
    decide: async ({ desk: { books }, body: { month } }) => ({
      answer: checkJson(await checkBooks(books, { periods: month === undefined ? null : [month] })),
      to: month === undefined ? '/' : `/months/${month}`,
      says: { id: 'desk', word: 'checked-again' },
    }),
  }),
];
