/**
 * Makes of a schema of `wire.ts` the form that reads answers. It is stricter where figures depend on it (amounts are
 * plain decimals, currency codes are valid, integers exact) and more lenient elsewhere: the spec's length limits bind
 * only what is sent, and null, true and false may be texts, as in the service's examples.
 */
import { Kind, KindGuard, type TSchema, Type, TypeRegistry } from '@sinclair/typebox';
import { isPlainDecimal } from '../money/decimal.ts';
import { currencyCode } from '../money/units.ts';

export const AMOUNT_KIND = 'remit:amount';
export const CURRENCY_KIND = 'remit:currency';

TypeRegistry.Set(AMOUNT_KIND, (_, value) => typeof value === 'string' && isPlainDecimal(value));
TypeRegistry.Set(CURRENCY_KIND, (_, value) => typeof value === 'string' && currencyCode(value) !== null);

const exactInteger = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const moneyPairs = Type.Array(
  Type.Tuple([Type.Unsafe<string>({ [Kind]: CURRENCY_KIND }), Type.Unsafe<string>({ [Kind]: AMOUNT_KIND })]),
);

/** The form that reads answers, of a schema and of all schemas inside it. */
export function readingForm(schema: TSchema): TSchema {
  // Without its $id a schema is compiled in place, so it may occur twice in another.
  const { $id: _, ...form } = schema as TSchema & { $id?: string };
  if (isMoneyField(schema)) return { ...form, ...moneyPairs };
  if (KindGuard.IsInteger(form)) return { ...form, ...exactInteger };
  if (KindGuard.IsArray(form)) return { ...form, items: readingForm(form.items) };
  if (KindGuard.IsUnion(form)) {
    const anyOf = form.anyOf.map(readingForm);
    return { ...form, anyOf: isNullable(form) ? [...anyOf, Type.Literal('null')] : anyOf };
  }
  if (KindGuard.IsBoolean(form)) {
    const { [Kind]: _kind, type: _type, ...options } = form;
    return { ...Type.Union([Type.Boolean(), Type.Literal('true'), Type.Literal('false')]), ...options };
  }
  if (KindGuard.IsObject(form)) {
    const properties = Object.entries(form.properties).map(([name, field]) => [name, readingForm(field)]);
    return { ...form, properties: Object.fromEntries(properties) };
  }
  if (KindGuard.IsString(form)) {
    const { maxLength: _length, ...text } = form;
    return text;
  }
  return form as TSchema;
}

function isNullable(schema: TSchema): boolean {
  return KindGuard.IsUnion(schema) && schema.anyOf.some((each) => KindGuard.IsNull(each));
}

/** Reads `"null"` as null and `"true"` as true; another value stays as it is. */
type ReadPlain = (value: unknown) => unknown;

/**
 * Makes a function that reads the text `"null"` as null if a schema allows null, and `"true"` and `"false"` as booleans
 * if it is boolean: the service's examples write them as texts. The function returns an unaffected value itself. Null
 * for a schema without such fields.
 */
export function plainReaderOf(schema: TSchema): ReadPlain | null {
  if (KindGuard.IsBoolean(schema)) return plainBoolean;
  if (KindGuard.IsUnion(schema)) {
    const inner = schema.anyOf.flatMap((each) => plainReaderOf(each) ?? []);
    const canBeNull = isNullable(schema);
    if (!canBeNull && inner.length === 0) return null;
    // One after the other: a part of the union that is not the value's leaves the value as it is.
    return (value) => (canBeNull && value === 'null' ? null : inner.reduce((plain, read) => read(plain), value));
  }
  if (KindGuard.IsArray(schema)) {
    const read = plainReaderOf(schema.items);
    return read && ((value) => (Array.isArray(value) ? readEach(value, read) : value));
  }
  if (!KindGuard.IsObject(schema)) return null;
  const fields = Object.entries(schema.properties).flatMap(([name, field]) => {
    const read = plainReaderOf(field);
    return read ? [[name, read] as const] : [];
  });
  if (fields.length === 0) return null;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    let plain = value as Record<string, unknown>;
    for (const [name, read] of fields) {
      const before = plain[name];
      const after = read(before);
      if (after === before) continue;
      // Copied at the first change: the value itself stays as it came.
      if (plain === value) plain = { ...plain };
      plain[name] = after;
    }
    return plain;
  };
}

function plainBoolean(value: unknown): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

function readEach(values: readonly unknown[], read: ReadPlain): readonly unknown[] {
  const plain = values.map(read);
  return plain.every((value, index) => value === values[index]) ? values : plain;
}

/** Whether it is a list of pairs of texts: of the spec's fields only money fields are. */
function isMoneyField(schema: TSchema): boolean {
  return (
    KindGuard.IsArray(schema) &&
    KindGuard.IsArray(schema.items) &&
    KindGuard.IsString(schema.items.items) &&
    schema.items.minItems === 2 &&
    schema.items.maxItems === 2
  );
}
