import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { decode } from './decode.ts';

/**
 * Reads a query string by its schema. An empty parameter counts as left out. A parameter with `aliases` in its schema
 * may be sent under any of them; its name in the schema wins.
 *
 * @param sent the parameters as texts, or as lists of texts if one was sent more than once
 * @throws ServiceError 400 with every fault
 */
export function readQuery<S extends TObject>(schema: S, sent: Readonly<Record<string, unknown>>): Static<S> {
  const given: Record<string, unknown> = {};
  for (const [name, { aliases = [] }] of Object.entries<TSchema>(schema.properties)) {
    const sentName = [name, ...aliases].find((alias) => Object.hasOwn(sent, alias) && sent[alias] !== '');
    if (sentName !== undefined) given[name] = sent[sentName];
  }
  const { value, problems } = decode(schema, coerceTexts(schema, given));
  problems.throwIfAny();
  return value;
}

const TRUE = new Set(['true', '1', 'on', 'yes']);
const FALSE = new Set(['false', '0', 'off', 'no']);

/**
 * Gives the texts of a form or a query string the types that the schema expects: `"3"` becomes 3, `"true"` becomes
 * true, and JSON text becomes an object or list. An empty text counts as left out, unless a text is expected. A text
 * that does not fit is kept, so that the check against the schema names it.
 */
export function coerceTexts(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(schema.anyOf)) {
    return coerceTexts(schema.anyOf.find(({ type }: TSchema) => type !== 'null') as TSchema, value);
  }
  switch (schema.type) {
    case 'object':
      return coerceObject(schema, typeof value === 'string' ? parsed(value) : value);
    case 'array': {
      const list = typeof value === 'string' ? parsed(value) : value;
      return Array.isArray(list) ? list.map((item) => coerceTexts(schema.items, item)) : list;
    }
    case 'integer':
      return typeof value === 'string' && /^-?[0-9]+$/.test(value) ? Number(value) : value;
    case 'number':
      return typeof value === 'string' && /^-?[0-9]+(\.[0-9]+)?$/.test(value) ? Number(value) : value;
    case 'boolean':
      if (typeof value !== 'string') return value;
      if (TRUE.has(value.toLowerCase())) return true;
      return FALSE.has(value.toLowerCase()) ? false : value;
    default:
      return value;
  }
}

function coerceObject(schema: TSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries<TSchema>(schema.properties)) {
    if (!Object.hasOwn(value, name)) continue;
    const text = (value as Record<string, unknown>)[name];
    if (text === '' && !holdsText(inner)) continue;
    result[name] = coerceTexts(inner, text);
  }
  return result;
}

function holdsText(schema: TSchema): boolean {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some((option: TSchema) => holdsText(option));
  return schema.type === 'string';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
