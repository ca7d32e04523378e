import { OptionalKind } from '@sinclair/typebox';
import { type Decision, type Fields, isText } from '../../app/decisions/decision.ts';
import { UsageError } from '../../base/errors.ts';
import { because } from '../../words/errors/desk.ts';
import { ofCourier } from '../reading/of-courier.ts';
import { type DecideRoute, fields, numberOf, route } from './act.ts';

/** The route of a decision: its body is what is said, but for what the path names. */
export function routeOf({ fields: said, desk, decide }: Decision): DecideRoute {
  const inPath = [...desk.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const sent = Object.entries(said).filter(([key, { isSent }]) => isSent && !inPath.includes(key));
  return route({
    ...desk,
    body: fields(Object.fromEntries(sent.map(([key, { schema }]) => [key, schema]))),
    decide: async ({ desk: { books }, by, seen = null, body, parameters }) => {
      const named = inPath.map((key) => [key, partOfPath(said[key]!.schema, parameters[key])] as const);
      const { courier, ...asked } = { ...filledIn(said, body), ...Object.fromEntries(named) };
      const answer = await decide(ofCourier(books, courier as string | undefined), { ...asked, by, seen });
      return { answer, to: desk.to.replace(/:(\w+)/g, (_, key: string) => String(asked[key])) };
    },
  });
}

function partOfPath({ type }: Fields[string]['schema'], text: string | undefined): unknown {
  return type === 'integer' ? numberOf(text) : text;
}

/** What was filled in: a text without the blanks around it, and none where it is empty. @throws UsageError for an empty one that is needed */
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
