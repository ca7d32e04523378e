import { Type } from '@sinclair/typebox';
import { isWaiting } from '../../app/approvals/propose.ts';
import type { Books } from '../../app/books.ts';
import { readFirst, type Touched } from '../../app/desk/conflicts.ts';
import { invoicesNamed } from '../../app/invoices-named.ts';
import { addMatch, removeMatch } from '../../app/match/by-hand.ts';
import { matchBooks } from '../../app/match/index.ts';
import { settle } from '../../app/settle/settle.ts';
import { undoSettlement } from '../../app/settle/undo.ts';
import { UsageError } from '../../base/errors.ts';
import { because } from '../../words/errors/desk.ts';
import { ofCourier } from '../reading/of-courier.ts';
import { COURIER, conflict, type DecideRoute, fields, NUMBER, numberOf, route, TEXT } from './act.ts';

/** What a settlement may be. */
export const KINDS = ['write-off', 'bank-charge', 'rounding', 'fx', 'other'] as const;
const DIFFERENCES = ['bank-charge', 'rounding', 'fx', 'other'] as const;
/** A payout of a settlement sheet by its own number, such as `ES-902`. */
const INVOICES = Type.Array(Type.Union([NUMBER, Type.String({ maxLength: 200 })]), { minItems: 1, maxItems: 1_000 });
const REASON = fields({ reason: TEXT });

/**
 * Decides, unless somebody else did about the same since the page was made. What makes no sense any more because somebody did is told so too.
 *
 * @throws Refusal 409 naming who was first
 */
async function unlessOvertaken<T>(
  books: Books,
  touched: Touched,
  seen: number | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const what = because({ id: 'settled-since' });
  if (seen !== undefined) {
    const first = await readFirst(books, touched, seen);
    if (first) throw conflict(first, what);
  }
  try {
    return await work();
  } catch (error) {
    const first = error instanceof UsageError ? await readFirst(books, touched, seen ?? 0) : null;
    throw first ? conflict(first, (error as UsageError).explanation) : error;
  }
}

export const MONEY_ROUTES: readonly DecideRoute[] = [
  route({
    path: '/settlements',
    title: 'Take something off what is open of invoices, without a receipt',
    operationId: 'settle',
    isRechecked: true,
    body: fields({
      invoices: INVOICES,
      as: Type.Union(KINDS.map((kind) => Type.Literal(kind))),
      currency: Type.Optional(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]{1,9}$' })),
      amount: Type.Optional(Type.String({ pattern: '^-?[0-9]{1,15}([.][0-9]{1,4})?$' })),
      courier: COURIER,
      note: TEXT,
    }),
    decide: async ({ desk, by, seen, body: { invoices: named, as, currency, amount, courier, note } }) => {
      const { books, numbers: invoices } = await invoicesNamed(ofCourier(desk.books, courier), named.map(String));
      const said = note.trim();
      if (said === '') throw new UsageError(because({ id: 'settlement-without-reason' })).at('note');
      const request = { invoices, kind: as, currency: currency?.toUpperCase() ?? null, amount: amount ?? null };
      const settled = await unlessOvertaken(books, { invoices }, seen, () =>
        settle(books, { ...request, note: said, by }),
      );
      return { answer: isWaiting(settled) ? settled : { settled }, to: '/settlements' };
    },
  }),
  route({
    path: '/settlements/:id/undo',
    title: 'Undo a settlement',
    operationId: 'undoSettlement',
    isRechecked: true,
    body: REASON,
    decide: async ({ desk: { books }, by, body: { reason }, parameters }) => {
      const id = parameters.id ?? '';
      await undoSettlement(books, { id, reason, by });
      const settlement = /^\d{1,12}$/.test(id) ? Number(id) : id;
      return { answer: { settlement, reason: reason.trim(), by }, to: '/settlements' };
    },
  }),
  route({
    path: '/matches',
    title: 'Match a receipt to invoices, and name the difference',
    operationId: 'matchReceipt',
    isRechecked: true,
    body: fields({
      receipt: NUMBER,
      invoices: INVOICES,
      difference: Type.Optional(Type.Union(DIFFERENCES.map((kind) => Type.Literal(kind)))),
      rate: Type.Optional(Type.String({ maxLength: 40 })),
      part: Type.Optional(Type.Boolean()),
      courier: COURIER,
      note: Type.Optional(TEXT),
    }),
    decide: async ({ desk, by, body, seen }) => {
      const { books, numbers: invoices } = await invoicesNamed(
        ofCourier(desk.books, body.courier),
        body.invoices.map(String),
      );
      const { receipt, difference = null, rate = null, part = false, note } = body;
      const request = { receipt, invoices, difference, rate, inPart: part, note: note?.trim() || null, by };
      const touched = { receipts: [receipt], invoices };
      return {
        answer: await unlessOvertaken(books, touched, seen, () => addMatch(books, request)),
        to: '/receipts',
      };
    },
  }),
  route({
    path: '/matches/run',
    title: 'Match receipts to invoices by the rules',
    operationId: 'runMatching',
    isRechecked: true,
    body: fields({}),
    decide: async ({ desk: { books } }) => ({
      answer: (await matchBooks(books, { periods: null, dryRun: false })).report,
      to: '/receipts',
    }),
  }),
  route({
    path: '/matches/:id/remove',
    title: 'Take a match away',
    operationId: 'removeMatch',
    isRechecked: true,
    body: REASON,
    decide: async ({ desk: { books }, by, body: { reason }, parameters }) => {
      const id = numberOf(parameters.id);
      await removeMatch(books, { id, reason, by });
      return { answer: { match: id, reason: reason.trim(), by }, to: '/receipts' };
    },
  }),
];
