import { KindGuard, type TSchema } from '@sinclair/typebox';
import { UsageError } from '../../errors.ts';

/**
 * Reads the value of `key=value` as its schema says: a text, a whole number, a number, true or false, one of a few words,
 * `null` where the field may be null; a list or object as JSON.
 *
 * @throws UsageError naming the key and what it takes
 */
export function readValue(schema: TSchema, key: string, text: string): unknown {
  if (KindGuard.IsUnion(schema)) return readOneOf(schema.anyOf, key, text);
  if (KindGuard.IsString(schema)) return text;
  if (KindGuard.IsInteger(schema) && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (KindGuard.IsNumber(schema) && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  if (KindGuard.IsBoolean(schema) && (text === 'true' || text === 'false')) return text === 'true';
  if (KindGuard.IsArray(schema) || KindGuard.IsObject(schema)) {
    const value = readJson(text);
    if (Array.isArray(value) === KindGuard.IsArray(schema) && typeof value === 'object' && value !== null) return value;
  }
  throw new UsageError(
    `${key} takes ${describeType(schema)}, not ${JSON.stringify(text.slice(0, 60))}`,
    exampleOf(schema, key),
  );
}

function readOneOf(variants: readonly TSchema[], key: string, text: string): unknown {
  if (text === 'null' && variants.some((variant) => KindGuard.IsNull(variant))) return null;
  const words = variants.filter((variant) => KindGuard.IsLiteral(variant)).map((variant) => variant.const);
  if (words.length === 0) {
    return readValue(variants.find((variant) => !KindGuard.IsNull(variant)) as TSchema, key, text);
  }
  if (words.includes(text)) return text;
  throw new UsageError(
    `${key} takes one of ${words.join(', ')}, not ${JSON.stringify(text.slice(0, 60))}`,
    'To send something else on purpose, write the whole body with --body.',
  );
}

/** What a field takes, in a word: `text`, `integer`, `true|false`, `STANDARD|RETURN`, `JSON`. */
export function describeType(schema: TSchema): string {
  if (KindGuard.IsUnion(schema)) {
    return schema.anyOf
      .map((variant) => (KindGuard.IsLiteral(variant) ? String(variant.const) : describeType(variant)))
      .join('|');
  }
  if (KindGuard.IsString(schema)) return 'text';
  if (KindGuard.IsInteger(schema)) return 'integer';
  if (KindGuard.IsBoolean(schema)) return 'true|false';
  if (KindGuard.IsArray(schema) || KindGuard.IsObject(schema)) return 'JSON';
  return KindGuard.IsNull(schema) ? 'null' : 'number';
}

function exampleOf(schema: TSchema, key: string): string {
  const [example] = (schema.examples ?? []) as unknown[];
  return example === undefined
    ? '`remit api` lists what each operation takes.'
    : `Write ${key}='${JSON.stringify(example)}'.`;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
