/**
 * The form of a wire schema that decodes answers. It is stricter than the declared one where figures depend on it (amounts are plain
 * decimals, currency codes are valid, integers exact) and more lenient where they do not: the spec's length limits bind only what
 * is sent.
 */
import { Kind, KindGuard, type TSchema, Type, TypeRegistry } from '@sinclair/typebox';
import { MoneyError } from '../base/errors.ts';
import { isPlainDecimal, parseCurrency } from '../money/index.ts';

export const AMOUNT_KIND = 'remit:amount';
export const CURRENCY_KIND = 'remit:currency';

TypeRegistry.Set(AMOUNT_KIND, (_, value) => typeof value === 'string' && isPlainDecimal(value));
TypeRegistry.Set(CURRENCY_KIND, (_, value) => typeof value === 'string' && isCurrency(value));

const exactInteger = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const moneyPairs = Type.Array(
  Type.Tuple([Type.Unsafe<string>({ [Kind]: CURRENCY_KIND }), Type.Unsafe<string>({ [Kind]: AMOUNT_KIND })]),
);

/**
 * The reading form of a wire schema (see the head of this file), applied to all its lists, objects and unions.
 */
export function readingForm(schema: TSchema): TSchema {
  // Without its $id a schema is compiled in place, so it may occur twice in another.
  const { $id: _, ...form } = schema as TSchema & { $id?: string };
  if (isMoneyField(schema)) return { ...form, ...moneyPairs };
  if (KindGuard.IsInteger(form)) return { ...form, ...exactInteger };
  if (KindGuard.IsArray(form)) return { ...form, items: readingForm(form.items) };
  if (KindGuard.IsUnion(form)) return { ...form, anyOf: form.anyOf.map(readingForm) };
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

/** Whether a schema is a money field: a list of pairs of texts, as no other field of the spec is. */
function isMoneyField(schema: TSchema): boolean {
  return (
    KindGuard.IsArray(schema) &&
    KindGuard.IsArray(schema.items) &&
    KindGuard.IsString(schema.items.items) &&
    schema.items.minItems === 2 &&
    schema.items.maxItems === 2
  );
}

function isCurrency(text: string): boolean {
  try {
    parseCurrency(text);
    return true;
  } catch (error) {
    if (error instanceof MoneyError) return false;
    throw error;
  }
}
