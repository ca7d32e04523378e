import { OptionalKind } from '@sinclair/typebox';
import { isWaiting } from '../../app/approvals/propose.ts';
import type { Books } from '../../app/books.ts';
import type { RefusedClose } from '../../app/close/close.ts';
import { Objection } from '../../app/close/objection.ts';
import { type Decision, type Fields, isText, MONTH } from '../../app/decisions/decision.ts';
import { UsageError } from '../../base/errors.ts';
import { because as refusedMonth } from '../../words/errors/close.ts';
import { because } from '../../words/errors/desk.ts';
import { booksOfCourier, requireMonth } from '../reading/address.ts';
import { Refusal } from '../refusal.ts';
import { type DecideRoute, fields, numberInPath, route } from './route.ts';

/** The route of a declared decision. Its body has the fields that the desk takes and that the path does not name. */
export function routeOf(decision: Decision): DecideRoute {
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
export async function decideDeclared(
  { refuses, decide }: Decision,
  books: Books,
  values: Parameters<Decision['decide']>[1],
): Promise<object> {
  const answer = await decide(books, values);
  if (!refuses || !('reasons' in answer)) return answer;
  const { period: month, reasons } = answer as RefusedClose;
  const explanation = refusedMonth({
    id: 'refused',
    month,
    what: refuses,
    reasons: Objection.joinAlike(reasons).map((reason) => reason.explanation),
  });
  throw new Refusal(422, 'refused', explanation, { status: 'refused', period: month, reasons });
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
      throw new UsageError(because({ id: 'field-empty' })).at(key);
    }),
  );
}
