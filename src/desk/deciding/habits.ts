import { Type } from '@sinclair/typebox';
import { approve } from '../../app/approvals/approve.ts';
import { refuse } from '../../app/approvals/refuse.ts';
import type { Books } from '../../app/books.ts';
import { reopenBooks } from '../../app/close/reopen.ts';
import { EVERY_DECISION } from '../../app/decisions/list.ts';
import { listDecisions, type Opposite } from '../../app/desk/decisions.ts';
import { removeView, saveView } from '../../app/desk/views.ts';
import { withdrawClaims } from '../../app/disputes/move.ts';
import { undoImport } from '../../app/import/undo.ts';
import { undoSettlement } from '../../app/settle/undo.ts';
import { UsageError } from '../../base/errors.ts';
import { because } from '../../words/errors/desk.ts';
import type { Desk } from '../desk.ts';
import { ofCourier } from '../reading/of-courier.ts';
import { type DecideRoute, fields, numberOf, route, TEXT } from './act.ts';
import { decideAll } from './mismatches.ts';
import { refused } from './months.ts';

const NAME = Type.String({ minLength: 1, maxLength: 80 });
const NOTE = fields({ note: Type.Optional(TEXT) });

interface Undoing {
  readonly by: string;
  readonly reason: string;
  readonly courier: string | null;
}

/** Undoes a decision by its opposite: both stay on record. */
async function undo(desk: Desk, opposite: Opposite, { by, reason, courier }: Undoing): Promise<void> {
  const { books }: { books: Books } = desk;
  const own = ofCourier(books, courier);
  const declared = EVERY_DECISION.find(({ undoes }) => undoes === opposite.kind);
  if (declared) {
    const { kind: _, ...named } = opposite;
    const each = 'ids' in named && 'id' in declared.fields ? named.ids.map((id) => ({ id })) : [named];
    for (const one of each) await declared.decide(own, { ...one, reason, note: reason, by });
    return;
  }
  switch (opposite.kind) {
    case 'reopen-mismatches':
      await decideAll('reopen', {
        desk: { ...desk, books: own },
        by,
        seen: undefined,
        body: { ids: opposite.ids, note: reason },
      });
      break;
    case 'withdraw-claims':
      await withdrawClaims(own, { ids: opposite.ids, months: [], note: reason, by });
      break;
    case 'undo-settlements':
      for (const id of opposite.ids) await undoSettlement(own, { id: String(id), reason, by });
      break;
    case 'undo-import':
      await undoImport(books, { id: opposite.id, reason, by });
      break;
    case 'reopen-month': {
      const { month } = opposite;
      const result = await reopenBooks(books, { month, reason, by });
      if (result.status === 'reopened') return;
      throw refused(month, 'reopen', result.reasons);
    }
  }
}

export const HABIT_ROUTES: readonly DecideRoute[] = [
  route({
    path: '/decisions/:id/undo',
    title: 'Undo a decision by its opposite',
    operationId: 'undoDecision',
    isRechecked: true,
    body: fields({ reason: TEXT }),
    decide: async ({ desk, by, body: { reason }, parameters }) => {
      const id = numberOf(parameters.id);
      if (reason.trim() === '') throw new UsageError(because({ id: 'reason-empty' })).at('reason');
      const entry = (await listDecisions(desk.books)).find((one) => one.id === id);
      if (!entry) throw new UsageError(because({ id: 'no-decision', decision: id }));
      if (!entry.undo) throw new UsageError(because({ id: 'nothing-to-undo', decision: id }));
      await undo(desk, entry.undo, { by, reason: reason.trim(), courier: entry.courier });
      return { answer: { undone: id, ...entry.undo, reason: reason.trim(), by }, to: '/decisions' };
    },
  }),
  route({
    path: '/views',
    title: 'Save a page with its filters under a name',
    operationId: 'saveView',
    body: fields({ name: NAME, address: Type.String({ minLength: 1, maxLength: 2_000 }) }),
    decide: async ({ desk: { books }, by, body: { name, address } }) => ({
      answer: await saveView(books, { name, address, by }),
      to: address,
      says: { id: 'desk', word: 'view-saved' },
    }),
  }),
  route({
    path: '/views/remove',
    title: 'Take a saved view away',
    operationId: 'removeView',
    body: fields({ name: NAME }),
    decide: async ({ desk: { books }, by, body: { name } }) => {
      await removeView(books, { name, by });
      return { answer: { removed: name, by }, to: '/views', says: { id: 'desk', word: 'view-removed' } };
    },
  }),
  route({
    path: '/approvals/:id/approve',
    title: 'Approve a decision of another person: it is done',
    operationId: 'approve',
    isRechecked: true,
    isForPeople: true,
    body: NOTE,
    decide: async ({ desk: { books }, by, body: { note }, parameters }) => {
      const result = await approve(books, { id: numberOf(parameters.id), by, note: note?.trim() || null });
      if (result.status === 'approved') return { answer: result, to: '/approvals' };
      const { period, reasons } = result;
      throw refused(period, 'close', reasons);
    },
  }),
  route({
    path: '/approvals/:id/refuse',
    title: 'Refuse a decision that waits: it is never done',
    operationId: 'refuse',
    isForPeople: true,
    body: NOTE,
    decide: async ({ desk: { books }, by, body: { note }, parameters }) => ({
      answer: await refuse(books, { id: numberOf(parameters.id), by, note: note?.trim() || null }),
      to: '/approvals',
    }),
  }),
];
