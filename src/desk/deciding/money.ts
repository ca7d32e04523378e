import { Type } from '@sinclair/typebox';
import { isWaiting } from '../../app/approvals/propose.ts';
import { unlessOvertaken } from '../../app/desk/conflicts.ts';
import { invoicesNamed } from '../../app/invoices-named.ts';
import { matchBooks } from '../../app/match/index.ts';
import { settle } from '../../app/settle/settle.ts';
import { undoSettlement } from '../../app/settle/undo.ts';
import { UsageError } from '../../base/errors.ts';
import { because } from '../../words/errors/desk.ts';
import { ofCourier } from '../reading/of-courier.ts';
import { COURIER, type DecideRoute, fields, NUMBER, route, TEXT } from './act.ts';

/** What a settlement may be. */
export const KINDS = ['write-off', 'bank-charge', 'rounding', 'fx', 'other'] as const;
/** A payout of a settlement sheet by its own number, such as `ES-902`. */
const INVOICES = Type.Array(Type.Union([NUMBER, Type.String({ maxLength: 200 })]), { minItems: 1, maxItems: 1_000 });
const REASON = fields({ reason: TEXT });

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
    decide: async ({ desk, by, seen = null, body: { invoices: named, as, currency, amount, courier, note } }) => {
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
];
