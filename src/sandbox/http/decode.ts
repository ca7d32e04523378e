import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { Value } from '@sinclair/typebox/value';
import { pathOfPointer } from '../../api/decode.ts';
import { Problems, quote } from './errors.ts';

/** A request's body or query, decoded by its schema, with its faults. A faulty field is absent from the value. */
export interface Decoded<T> {
  readonly value: T;
  readonly problems: Problems;
}

/**
 * Checks a body or query against its schema and keeps the fields that the schema knows. Faults are collected, not
 * thrown, so that the rules can add theirs and one answer lists them all.
 */
export function decodeInput<S extends TObject>(schema: S, input: unknown): Decoded<Static<S>> {
  const problems = new Problems();
  for (const error of Value.Errors(schema, input)) {
    if (problems.isFull) break;
    problems.add(pathOfPointer(error.path), reasonOf(error));
  }
  return { value: (keepKnown(schema, input, '', problems) ?? {}) as Static<S>, problems };
}

const least = ({ minimum }: TSchema) => `Ensure this value is greater than or equal to ${minimum}.`;
const most = ({ maximum }: TSchema) => `Ensure this value is less than or equal to ${maximum}.`;
const pair = () => 'A pair of currency and amount is expected.';

const REASONS: Readonly<Partial<Record<ValueErrorType, (schema: TSchema) => string>>> = {
  [ValueErrorType.ObjectRequiredProperty]: () => 'This field is required.',
  [ValueErrorType.Object]: () => 'An object is expected.',
  [ValueErrorType.Array]: () => 'A list is expected.',
  [ValueErrorType.ArrayMinItems]: pair,
  [ValueErrorType.ArrayMaxItems]: pair,
  [ValueErrorType.String]: () => 'Not a valid string.',
  [ValueErrorType.StringMinLength]: () => 'This field may not be blank.',
  [ValueErrorType.StringMaxLength]: ({ maxLength }) => `Ensure this field has no more than ${maxLength} characters.`,
  [ValueErrorType.StringPattern]: () => 'A decimal with at most 3 integer and 15 fractional digits is expected.',
  [ValueErrorType.Integer]: () => 'A valid integer is required.',
  [ValueErrorType.Number]: () => 'A valid number is required.',
  [ValueErrorType.IntegerMinimum]: least,
  [ValueErrorType.NumberMinimum]: least,
  [ValueErrorType.IntegerMaximum]: most,
  [ValueErrorType.NumberMaximum]: most,
  [ValueErrorType.Boolean]: () => 'A boolean is expected.',
};

function reasonOf({ type, schema, value }: ValueError): string {
  if (value === null) return 'This field may not be null.';
  const reason = REASONS[type];
  if (reason) return reason(schema);
  const isChoice = schema.anyOf?.every((option: TSchema) => 'const' in option);
  return isChoice ? `${quote(value)} is not a valid choice.` : 'Not a valid value.';
}

const MAX_INTEGER = 2 ** 31 - 1;
/** The longest list that the service takes: a money field has one pair per currency. */
const MAX_ITEMS = 200;
const UNSTORABLE = /\0|\p{Surrogate}/u;

/**
 * Copies the valid fields that the schema knows, and notes the faults that a schema cannot express; undefined for a
 * faulty value.
 */
function keepKnown(schema: TSchema, value: unknown, path: string, problems: Problems): unknown {
  const reason = faultBeyondSchema(schema, value);
  if (reason) problems.add(path, reason);
  if (problems.has(path)) return undefined;
  if (Array.isArray(value)) {
    return value.map((item, i) => keepKnown(schema.items, item, `${path}[${i}]`, problems));
  }
  if (typeof value !== 'object' || value === null) return value;
  const knownFields: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries<TSchema>(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name)) continue;
    const field = path ? `${path}.${name}` : name;
    const kept = keepKnown(inner, (value as Record<string, unknown>)[name], field, problems);
    if (kept !== undefined) knownFields[name] = kept;
  }
  return knownFields;
}

/** The reason why a text is not Unicode, or an integer or list is too large; undefined if all is well. */
function faultBeyondSchema(schema: TSchema, value: unknown): string | undefined {
  if (typeof value === 'string' && UNSTORABLE.test(value)) {
    return 'Null characters and unpaired surrogates are not allowed.';
  }
  if (typeof value === 'number' && schema.type === 'integer' && Math.abs(value) > MAX_INTEGER) {
    return `Ensure this value is between -${MAX_INTEGER} and ${MAX_INTEGER}.`;
  }
  if (Array.isArray(value) && value.length > MAX_ITEMS) {
    return `Ensure this field has no more than ${MAX_ITEMS} items.`;
  }
  return undefined;
}

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
  const { value, problems } = decodeInput(schema, coerceTexts(schema, given));
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
  // A field that may be null, or a choice: all options but null have one type.
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
