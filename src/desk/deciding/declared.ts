import { OptionalKind } from '@sinclair/typebox';
import { isWaiting } from '../../app/approvals/propose.ts';
import type { Books } from '../../app/books.ts';
import type { RefusedClose } from '../../app/close/close.ts';
import { Refusal as Reason } from '../../app/close/refusal.ts';
import { type Decision, type Fields, isText, MONTH } from '../../app/decisions/decision.ts';
import { UsageError } from '../../base/errors.ts';
import { because as refusedMonth } from '../../words/errors/close.ts';
import { because } from '../../words/errors/desk.ts';
import { oneMonth } from '../reading/month-of.ts';
import { ofCourier } from '../reading/of-courier.ts';
import { Refusal } from '../refusal.ts';
import { type DecideRoute, fields, numberOf, route } from './act.ts';

/** The route of a decision. Its body has the fields that the path does not name. */
export function routeOf(decision: Decision): DecideRoute {
  const { fields: said, desk } = decision;
  const inPath = [...desk.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const sent = Object.entries(said).filter(([key, { isSent }]) => isSent && !inPath.includes(key));
  return route({
    ...desk,
    body: fields(Object.fromEntries(sent.map(([key, { schema }]) => [key, schema]))),
    decide: async ({ desk: { books }, by, seen = null, body, parameters }) => {
      const named = inPath.map((key) => [key, partOfPath(said[key]!.schema, parameters[key])] as const);
      const { courier, ...asked } = { ...filledIn(said, body), ...Object.fromEntries(named) };
      const own = ofCourier(books, courier as string | undefined);
      const answer = await decideDeclared(decision, own, { ...asked, by, seen });
      const to = isWaiting(answer) ? '/approvals' : desk.to;
      return { answer, to: to.replace(/:(\w+)/g, (_, key: string) => String(asked[key])) };
    },
  });
}

/** @throws Refusal 422 where a month cannot be closed or opened again, with all reasons at once */
export async function decideDeclared(
  { refuses, decide }: Decision,
  books: Books,
  asked: Parameters<Decision['decide']>[1],
): Promise<object> {
  const answer = await decide(books, asked);
  if (!refuses || !('reasons' in answer)) return answer;
  const { period: month, reasons } = answer as RefusedClose;
  const explanation = refusedMonth({
    id: 'refused',
    month,
    what: refuses,
    reasons: Reason.joinAlike(reasons).map((one) => one.explanation),
  });
  throw new Refusal(422, 'refused', explanation, { status: 'refused', period: month, reasons });
}

function partOfPath(schema: Fields[string]['schema'], text: string | undefined): unknown {
  if (schema === MONTH) return oneMonth(text);
  return schema.type === 'integer' ? numberOf(text) : text;
}

/** The fields of a body: texts are trimmed, and an empty optional one is left out. @throws UsageError for an empty text that is needed */
function filledIn(said: Fields, body: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([key, value]) => {
      const { schema } = said[key]!;
      if (!isText(schema)) return [[key, value]];
      const text = (value as string).trim();
      if (text !== '') return [[key, text]];
      if (OptionalKind in schema) return [];
      throw new UsageError(because({ id: 'field-empty' })).at(key);
    }),
  );
}
