import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { coerceTexts } from './coerce.ts';
import { decode } from './decode.ts';

/**
 * A query string as its schema describes it. A parameter that is empty counts as left out; one that a schema gives `aliases`
 * may be sent under any of them, and its own name goes before.
 *
 * @param sent the parameters as texts, or lists of texts where one stands more than once
 * @throws ServiceError 400 with every fault
 */
export function readQuery<S extends TObject>(schema: S, sent: Readonly<Record<string, unknown>>): Static<S> {
  const given: Record<string, unknown> = {};
  for (const [name, { aliases = [] }] of Object.entries<TSchema>(schema.properties)) {
    const used = [name, ...aliases].find((each) => Object.hasOwn(sent, each) && sent[each] !== '');
    if (used !== undefined) given[name] = sent[used];
  }
  const { value, problems } = decode(schema, coerceTexts(schema, given));
  problems.throwIfAny();
  return value;
}
