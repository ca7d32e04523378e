import { OptionalKind, Type } from '@sinclair/typebox';
import { isWaiting } from '../app/approvals/propose.ts';
import type { Books } from '../app/books.ts';
import { checkBooks } from '../app/check-books.ts';
import { checkJson } from '../app/check-result.ts';
import type { RefusedClose } from '../app/close/close.ts';
import { COURIER, type Decision, type Fields, FLAG, IDS, isText, MONTH, TEXT } from '../app/decisions/decision.ts';
import { EVERY_DECISION } from '../app/decisions/every.ts';
import { explainRefusal } from '../app/decisions/preview.ts';
import { assign } from '../app/desk/assignments.ts';
import { listDecisions, type Opposite } from '../app/desk/decision-log.ts';
import { removeView, saveView } from '../app/desk/views.ts';
import { claimData } from '../app/disputes/claim-report.ts';
import { claim } from '../app/disputes/claims.ts';
import { usingCurrentFindings } from '../app/disputes/current-findings.ts';
import { planDispute } from '../app/disputes/plan.ts';
import { runMatching } from '../app/match/report-matches.ts';
import { byCourier } from '../app/mismatches/decide.ts';
import { UsageError } from '../base/errors.ts';
import { deskError } from '../words/errors/desk.ts';
import { ENGLISH } from '../words/index.ts';
import { DECIDE } from '../words/terms.ts';
import { IMPORT_ROUTES } from './deciding/imports.ts';
import { type DecideRoute, fields, numberInPath, route } from './deciding/route.ts';
import { tableJson, tableOf } from './desk-table.ts';
import { booksOfCourier, requireMonth } from './reading/address.ts';
import { Refusal } from './refusal.ts';

const VIEW_NAME = Type.String({ minLength: 1, maxLength: 80 });

/** Undoes a decision by its opposite: both stay on record. */
async function undo(books: Books, { kind, ...subject }: Opposite, by: string, reason: string): Promise<void> {
  const opposite = EVERY_DECISION.find(({ undoes }) => undoes === kind)!;
  const { id: idField } = opposite.fields;
  // An opposite with a field `id`, such as `match remove`, is decided once for each of several ids.
  const subjects =
    'ids' in subject && idField
      ? subject.ids.map((id) => ({ id: idField.schema.type === 'string' ? String(id) : id }))
      : [subject];
  for (const values of subjects) {
    // Some decisions have a field `reason`, some a field `note`: each reads the one that it declares. `seen: null` says
    // that what others decided meanwhile is no conflict.
    await decideDeclared(opposite, books, { ...values, reason, note: reason, by, seen: null });
  }
}

/** The decisions that are not declared in `src/app/decisions`, because only the desk makes them in this way. */
const DESK_ONLY_ROUTES: readonly DecideRoute[] = [
  route({
    path: '/mismatches/assign',
    title: 'Assign mismatches to a person; to nobody with an empty name',
    operationId: 'assignMismatches',
    body: fields({ ids: IDS, to: Type.String({ maxLength: 100 }) }),
    decide: async ({ desk: { books }, by, body: { ids, to } }) => {
      const assigned: string[] = [];
      for (const [courier, courierIds] of byCourier(ids)) {
        assigned.push(...(await assign(booksOfCourier(books, courier), courierIds, to, by)).ids);
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
      answer: (await runMatching(books, { periods: null, dryRun: false })).report,
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
    decide: async ({ desk, by, body: { ids = [], month, again = false, short: shortOnly = false, courier } }) => {
      const books = booksOfCourier(desk.books, courier);
      const months = month === undefined ? undefined : [month];
      // Without ids, the mismatches of the month are claimed.
      const selection = { ids, filter: ids.length > 0 ? {} : { periods: months } };
      const isDry = false;
      const plan = await usingCurrentFindings(books, selection, isDry, (current) =>
        planDispute(current, { selection, months, again, shortOnly, by }),
      );
      const { period, lines, left: leftOut } = plan;
      const { claimPage } = await import('../render/claim/html.tsx');
      const letter = Buffer.from(claimPage(plan, ENGLISH));
      const evidence = await claim(books, plan, { format: 'html', language: 'en', bytes: letter });
      const report = claimData(lines, { period }, 'json');
      const rows = [];
      for await (const row of report.rows) rows.push(row);
      const left = leftOut.map(({ mismatch: { id, status }, why }) => ({ id, status, why }));
      const { claimText } = await import('../render/claim/text.ts');
      return {
        answer: { claim: evidence, by, period, ...tableJson(tableOf(report, rows, books.now())), left },
        to: '/claims',
        see: { address: `/claims/${evidence}`, word: 'see-claim' },
        letter: `${claimText(plan, ENGLISH)}\n`,
      };
    },
  }),
  route({
    path: '/decisions/:id/undo',
    title: 'Undo a decision by its opposite',
    operationId: 'undoDecision',
    body: fields({ reason: TEXT }),
    decide: async ({ desk: { books }, by, body: { reason: typed }, parameters }) => {
      const id = numberInPath(parameters.id);
      const reason = typed.trim();
      if (reason === '') throw new UsageError(deskError({ id: 'reason-empty' })).at('reason');
      const entry = (await listDecisions(books)).find((decision) => decision.id === id);
      if (!entry) throw new UsageError(deskError({ id: 'no-decision', decision: id }));
      if (!entry.undo) throw new UsageError(deskError({ id: 'nothing-to-undo', decision: id }));
      await undo(booksOfCourier(books, entry.courier), entry.undo, by, reason);
      return { answer: { undone: id, ...entry.undo, reason, by }, to: '/decisions' };
    },
  }),
  route({
    path: '/views',
    title: 'Save a page with its filters under a name',
    operationId: 'saveView',
    body: fields({ name: VIEW_NAME, address: Type.String({ minLength: 1, maxLength: 2_000 }) }),
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
    body: fields({ name: VIEW_NAME }),
    decide: async ({ desk: { books }, by, body: { name } }) => {
      await removeView(books, { name, by });
      return { answer: { removed: name, by }, to: '/views', says: { id: 'desk', word: 'view-removed' } };
    },
  }),
];

/** The order of the decisions in `openapi.json`. */
const ORDER = Object.keys(DECIDE);

/** Every decision that can be sent, as a form to its path or as JSON below /api/v1. */
export const DECIDE_ROUTES: readonly DecideRoute[] = [
  ...EVERY_DECISION.map(routeOf),
  ...IMPORT_ROUTES,
  ...DESK_ONLY_ROUTES,
].sort((a, b) => ORDER.indexOf(a.operationId) - ORDER.indexOf(b.operationId));

/** The route of a declared decision. Its body has the fields that the desk takes and that the path does not name. */
function routeOf(decision: Decision): DecideRoute {
  const { fields: declared, desk, summary } = decision;
  const keysInPath = [...desk.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const inBody = Object.entries(declared).filter(([key, { isSent }]) => isSent && !keysInPath.includes(key));
  return route({
    ...desk,
    title: desk.title ?? summary.charAt(0).toUpperCase() + summary.slice(1),
    body: fields(Object.fromEntries(inBody.map(([key, { schema }]) => [key, schema]))),
    decide: async ({ desk: { books }, by, seen = null, body, parameters }) => {
      const valuesInPath = keysInPath.map((key) => [key, partOfPath(declared[key]!.schema, parameters[key])] as const);
      const { courier, ...values } = { ...trimmedValues(declared, body), ...Object.fromEntries(valuesInPath) };
      const courierBooks = booksOfCourier(books, courier as string | undefined);
      const answer = await decideDeclared(decision, courierBooks, { ...values, by, seen });
      const to = isWaiting(answer) ? '/approvals' : desk.to;
      // `/months/:month` → `/months/2026-10`
      return { answer, to: to.replace(/:(\w+)/g, (_, key: string) => String(values[key])) };
    },
  });
}

/** Makes a declared decision. @throws Refusal 422 if a month cannot be closed or reopened, with all reasons at once */
async function decideDeclared(
  { refuses, decide }: Decision,
  books: Books,
  values: Parameters<Decision['decide']>[1],
): Promise<object> {
  const answer = await decide(books, values);
  if (!refuses || !('reasons' in answer)) return answer;
  const refused = answer as RefusedClose;
  throw new Refusal(422, 'refused', explainRefusal(refused, refuses), { ...refused });
}

/** A part of the path as the value of its field. @throws UsageError or Refusal if it is none */
function partOfPath(schema: Fields[string]['schema'], text: string | undefined): unknown {
  if (schema === MONTH) return requireMonth(text);
  return schema.type === 'integer' ? numberInPath(text) : text;
}

/** The values of a body, without empty texts. @throws UsageError for an empty text that is required */
function trimmedValues(declared: Fields, body: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([key, value]) => {
      const { schema } = declared[key]!;
      if (!isText(schema)) return [[key, value]];
      const text = (value as string).trim();
      if (text !== '') return [[key, text]];
      if (OptionalKind in schema) return [];
      throw new UsageError(deskError({ id: 'field-empty' })).at(key);
    }),
  );
}
