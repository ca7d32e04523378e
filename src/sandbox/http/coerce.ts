import type { TSchema } from '@sinclair/typebox';

const TRUE = new Set(['true', '1', 'on', 'yes']);
const FALSE = new Set(['false', '0', 'off', 'no']);

/**
 * Gives the texts of a form or a query string the types that the schema expects: `"3"` → 3, `"true"` → true, and JSON text
 * where an object or a list belongs. An empty text where no text belongs counts as left out. What does not fit is left as
 * it is, for the schema to name.
 */
export function coerceTexts(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(schema.anyOf)) {
    const option = schema.anyOf.find((each: TSchema) => each.type !== 'null') as TSchema;
    return coerceTexts(option, value);
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
      return TRUE.has(value.toLowerCase()) ? true : FALSE.has(value.toLowerCase()) ? false : value;
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
