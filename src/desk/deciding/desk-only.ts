import { Type } from '@sinclair/typebox';
import type { Books } from '../../app/books.ts';
import { checkBooks } from '../../app/check-books.ts';
import { checkJson } from '../../app/check-result.ts';
import { COURIER, FLAG, IDS, MONTH, TEXT } from '../../app/decisions/decision.ts';
import { EVERY_DECISION } from '../../app/decisions/every.ts';
import { assign } from '../../app/desk/assignments.ts';
import { listDecisions, type Opposite } from '../../app/desk/decision-log.ts';
import { removeView, saveView } from '../../app/desk/views.ts';
import { claim } from '../../app/disputes/claim.ts';
import { claimData } from '../../app/disputes/claim-report.ts';
import { usingCurrentFindings } from '../../app/disputes/current-findings.ts';
import { planDispute } from '../../app/disputes/plan.ts';
import { matchBooks } from '../../app/match/report-matches.ts';
import { byCourier } from '../../app/mismatches/decide.ts';
import { UsageError } from '../../base/errors.ts';
import { because } from '../../words/errors/desk.ts';
import { ENGLISH } from '../../words/index.ts';
import { DeskTable } from '../desk-table.ts';
import { booksOfCourier } from '../reading/of-courier.ts';
import { decideDeclared } from './declared.ts';
import { type DecideRoute, fields, numberInPath, type Outcome, route } from './route.ts';

const NAME = Type.String({ minLength: 1, maxLength: 80 });

/** Undoes a decision by its opposite: both stay on record. */
async function undo(books: Books, { kind, ...subject }: Opposite, by: string, reason: string): Promise<void> {
  const opposite = EVERY_DECISION.find(({ undoes }) => undoes === kind)!;
  const { id: idField } = opposite.fields;
  // An opposite with a field `id`, such as `match remove`, is decided once for each of several ids.
  const subjects =
    'ids' in subject && idField
      ? subject.ids.map((id) => ({ id: idField.schema.type === 'string' ? String(id) : id }))
      : [subject];
  // Some decisions call their reason a note; each takes only its fields. With `seen: null` no later one is a conflict.
  for (const values of subjects)
    await decideDeclared(opposite, books, { ...values, reason, note: reason, by, seen: null });
}

interface ClaimRequest {
  /** The ids of mismatches; if there are none, those of the month are claimed. */
  readonly ids: readonly string[];
  readonly month: string | undefined;
  /** Whether findings that were claimed already are claimed again. */
  readonly again: boolean;
  /** Whether only what the courier owes is claimed. */
  readonly shortOnly: boolean;
}

/** Claims mismatches from a courier: puts the claim and its letter on record. */
async function claimMismatches(books: Books, by: string, request: ClaimRequest): Promise<Outcome> {
  const { ids, month, again, shortOnly } = request;
  const months = month === undefined ? undefined : [month];
  const selection = { ids, filter: ids.length > 0 ? {} : { periods: months } };
  const isDry = false;
  const plan = await usingCurrentFindings(books, selection, isDry, (current) =>
    planDispute(current, { selection, months, again, shortOnly, by }),
  );
  const { period, lines, left: leftOut } = plan;
  const { claimPage } = await import('../../render/claim/html.tsx');
  const letter = Buffer.from(claimPage(plan, ENGLISH));
  const evidence = await claim(books, plan, { format: 'html', language: 'en', bytes: letter });
  const report = claimData(lines, { period }, 'json');
  const rows = [];
  for await (const row of report.rows) rows.push(row);
  const table = new DeskTable({ ...report, rows, totals: report.totals(), notes: report.notes() }, books.now());
  const left = leftOut.map(({ mismatch: { id, status }, why }) => ({ id, status, why }));
  const { claimText } = await import('../../render/claim/text.ts');
  return {
    answer: { claim: evidence, by, period, ...table.toJSON(), left },
    to: '/claims',
    see: { address: `/claims/${evidence}`, word: 'see-claim' },
    letter: `${claimText(plan, ENGLISH)}\n`,
  };
}

/** The decisions that are not declared in `src/app/decisions`, because only the desk makes them in this way. */
export const DESK_ONLY_ROUTES: readonly DecideRoute[] = [
  route({
    path: '/mismatches/assign',
    title: 'Assign mismatches to a person; to nobody with an empty name',
    operationId: 'assignMismatches',
    body: fields({ ids: IDS, to: Type.String({ maxLength: 100 }) }),
    decide: async ({ desk: { books }, by, body: { ids, to } }) => {
      const assigned: string[] = [];
      for (const [courier, courierIds] of byCourier(ids)) {
        assigned.push(...(await assign(booksOfCourier(books, courier), { ids: courierIds, to, by })).ids);
      }
      return { answer: { ids: assigned, to: to.trim() || null, by }, to: '/mismatches' };
    },
  }),
  route({
    path: '/matches/run',
    title: 'Match receipts to invoices by the rules',
    operationId: 'runMatching',
    body: fields({}),
    decide: async ({ desk: { books } }) => ({
      answer: (await matchBooks(books, { periods: null, dryRun: false })).report,
      to: '/receipts',
    }),
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
  route({
    path: '/claims',
    title: 'Claim what you are owed, and put it on record',
    operationId: 'claim',
    canLeaveOutLines: true,
    body: fields({
      ids: Type.Optional(IDS),
      month: Type.Optional(MONTH),
      again: FLAG,
      short: FLAG,
      courier: COURIER.schema,
    }),
    decide: ({ desk, by, body: { ids = [], month, again = false, short = false, courier } }) =>
      claimMismatches(booksOfCourier(desk.books, courier), by, { ids, month, again, shortOnly: short }),
  }),
  route({
    path: '/decisions/:id/undo',
    title: 'Undo a decision by its opposite',
    operationId: 'undoDecision',
    body: fields({ reason: TEXT }),
    decide: async ({ desk: { books }, by, body: { reason: typed }, parameters }) => {
      const id = numberInPath(parameters.id);
      const reason = typed.trim();
      if (reason === '') throw new UsageError(because({ id: 'reason-empty' })).at('reason');
      const entry = (await listDecisions(books)).find((decision) => decision.id === id);
      if (!entry) throw new UsageError(because({ id: 'no-decision', decision: id }));
      if (!entry.undo) throw new UsageError(because({ id: 'nothing-to-undo', decision: id }));
      await undo(booksOfCourier(books, entry.courier), entry.undo, by, reason);
      return { answer: { undone: id, ...entry.undo, reason, by }, to: '/decisions' };
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
];
