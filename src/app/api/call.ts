import { KindGuard, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { editDistance } from '../../base/edit-distance.ts';
import { UsageError } from '../../base/errors.ts';
import { jsonOf } from '../../base/text.ts';
import {
  type Answer,
  type CallInput,
  type Operation,
  type OperationName,
  operations,
  type Page,
  previewRequest,
} from '../../courier/index.ts';
import type { Books } from '../books.ts';
import { requireApiUrl, usingClient } from '../client.ts';

const NAMES = Object.keys(operations) as OperationName[];

export function listOperations() {
  return NAMES.map((operation) => {
    const { method, path, summary } = operations[operation];
    const parameters = keysOf(operations[operation]).map(({ key, schema, required }) => {
      return { key, type: describeType(schema), required };
    });
    return { operation, method, path: `/${path}`, summary, parameters };
  });
}

export type OperationRow = ReturnType<typeof listOperations>[number];

/** A call that was read from its arguments and not yet made. */
interface ApiCall {
  readonly operation: Operation;
  readonly input: CallInput;
}

/** `query.NAME=value` is sent as it is: for query parameters that the API takes and its specification does not name. */
const UNLISTED_QUERY = 'query.';

/**
 * Reads a call from its arguments. Nothing is sent, and no setting is needed.
 *
 * @param pairs `key=value`, laid over the body. A key is a path parameter, a query parameter or a field of the body, by
 * its name on the wire, with dots into the body (`customer.phone_number`)
 * @param body a JSON object
 * @throws UsageError for an operation, key or value that does not fit
 */
export function readCall(name: string, pairs: readonly string[], body: string | undefined): ApiCall {
  const operation = findOperation(name);
  const path: Record<string, string> = {};
  const query: Record<string, string> = {};
  const fields = parseBody(operation, body);
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw notAPairError(operation, pair);
    const [key, text] = [pair.slice(0, equals), pair.slice(equals + 1)];
    const place = placeOf(operation, key);
    if (place === null) throw unknownKeyError(operation, key);
    const value = readValue(place.schema, key, text);
    if (place.in === 'path') path[key] = String(value);
    else if (place.in === 'query') query[place.name] = String(value);
    else setField(fields, key.split('.'), value);
  }
  return { operation, input: operation.body === null ? { path, query } : { path, query, body: fields } };
}

/** The request that a call would send, with stars for the key. @throws ConfigError when the API's address is not set */
export function previewCall({ config }: Books, { operation, input }: ApiCall) {
  return { ...previewRequest(requireApiUrl(config), operation, input), body: input.body ?? null };
}

/**
 * Makes a call.
 *
 * @returns the answer: `body` exactly as received, empty where there is none; `faults`: why items of it cannot be read
 * @throws what the client throws
 */
export async function makeCall(books: Books, { operation, input }: ApiCall) {
  const answer: Answer<unknown> | Page<unknown> = await usingClient(books, (client) => client.call(operation, input));
  const faults = 'items' in answer ? answer.items.flatMap((item) => (item.ok ? [] : [item.fault.message])) : [];
  return { status: answer.status, body: answer.body, faults };
}

/**
 * The operation of a name, which may be written `createOrder` or `create-order`.
 *
 * @throws UsageError naming the operations that come close
 */
function findOperation(text: string): Operation {
  const wanted = lettersOnly(text);
  const name = NAMES.find((candidate) => lettersOnly(candidate) === wanted);
  if (name !== undefined) return operations[name];
  const close = NAMES.map((candidate) => ({ candidate, distance: editDistance(lettersOnly(candidate), wanted) }))
    .filter(({ candidate, distance }) => distance <= 3 || lettersOnly(candidate).includes(wanted))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3);
  const guess = close.length > 0 ? `Did you mean ${close.map(({ candidate }) => candidate).join(' or ')}? ` : '';
  const hint = `${guess}\`remit api\` lists all ${NAMES.length}.`;
  throw new UsageError(`the API has no operation ${asTyped(text)}`, hint);
}

function lettersOnly(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** The keys that an operation takes, in the order of path, query and body; nested fields one by one. */
function keysOf({ pathParams, query, body }: Operation) {
  return [pathParams, query, ...(body ? [body] : [])].flatMap((part) => fieldsOf(part));
}

function fieldsOf(object: TObject, prefix = ''): { key: string; schema: TSchema; required: boolean }[] {
  return Object.entries(object.properties).flatMap(([name, schema]) => {
    const key = prefix + name;
    if (KindGuard.IsObject(schema)) return fieldsOf(schema, `${key}.`);
    return [{ key, schema, required: object.required?.includes(name) ?? false }];
  });
}

/** Where a key's value goes: `name` is the key without `query.`. */
type Place = { in: 'path' | 'query' | 'body'; name: string; schema: TSchema };

function placeOf(operation: Operation, key: string): Place | null {
  const inPath = propertyOf(operation.pathParams, key);
  if (inPath) return { in: 'path', name: key, schema: inPath };
  const inQuery = propertyOf(operation.query, key);
  if (inQuery) return { in: 'query', name: key, schema: inQuery };
  if (operation.method === 'GET' && key.startsWith(UNLISTED_QUERY) && key.length > UNLISTED_QUERY.length) {
    return { in: 'query', name: key.slice(UNLISTED_QUERY.length), schema: Type.String() };
  }
  let schema: TSchema | null = operation.body;
  for (const name of key.split('.')) schema = schema && KindGuard.IsObject(schema) ? propertyOf(schema, name) : null;
  return schema && { in: 'body', name: key, schema };
}

function propertyOf(object: TObject, name: string): TSchema | null {
  return Object.hasOwn(object.properties, name) ? (object.properties[name] as TSchema) : null;
}

function setField(fields: Record<string, unknown>, [name = '', ...inside]: string[], value: unknown): void {
  if (inside.length === 0) {
    fields[name] = value;
    return;
  }
  const inner = fields[name];
  const nested = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  fields[name] = nested;
  setField(nested, inside, value);
}

function parseBody(operation: Operation, body: string | undefined): Record<string, unknown> {
  if (body === undefined) return {};
  if (operation.body === null) {
    throw new UsageError(`${operation.method} /${operation.path} takes no body`, 'Leave out --body.');
  }
  const parsed = jsonOf(body);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  const hint = 'Write --body \'{"name": "…"}\', or --body @FILE with a file that holds it.';
  throw new UsageError('the body is not a JSON object', hint);
}

/** What a person typed, as an error quotes it. */
function asTyped(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}

function notAPairError(operation: Operation, text: string): UsageError {
  const [key] = Object.keys(operation.pathParams.properties);
  const value = text.startsWith('=') ? '…' : text.slice(0, 60);
  const hint = key === undefined ? 'Write key=value, such as page=2.' : `Write ${key}=${value}.`;
  return new UsageError(`${asTyped(text)} is not key=value`, hint);
}

function unknownKeyError(operation: Operation, key: string): UsageError {
  const keys = keysOf(operation).map((field) => field.key);
  const other = operation.method === 'GET' ? ' A query parameter that is not listed is written query.NAME=value.' : '';
  const takes = keys.length === 0 ? 'It takes nothing.' : `It takes ${keys.join(', ')}.`;
  return new UsageError(`${operation.method} /${operation.path} has no ${asTyped(key)}`, `${takes}${other}`);
}

/**
 * Reads the value of `key=value` as its schema says: a text, a whole number, a number, true or false, one of a few
 * words, `null` where the field may be null; a list or object as JSON.
 *
 * @throws UsageError naming the key and what it takes
 */
function readValue(schema: TSchema, key: string, text: string): unknown {
  if (KindGuard.IsUnion(schema)) return readOneOf(schema.anyOf, key, text);
  if (KindGuard.IsString(schema)) return text;
  if (KindGuard.IsInteger(schema) && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (KindGuard.IsNumber(schema) && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  if (KindGuard.IsBoolean(schema) && (text === 'true' || text === 'false')) return text === 'true';
  if (KindGuard.IsArray(schema) || KindGuard.IsObject(schema)) {
    const value = jsonOf(text);
    if (Array.isArray(value) === KindGuard.IsArray(schema) && typeof value === 'object' && value !== null) return value;
  }
  throw new UsageError(`${key} takes ${describeType(schema)}, not ${asTyped(text)}`, exampleOf(schema, key));
}

function readOneOf(variants: readonly TSchema[], key: string, text: string): unknown {
  if (text === 'null' && variants.some((variant) => KindGuard.IsNull(variant))) return null;
  const words = variants.filter((variant) => KindGuard.IsLiteral(variant)).map((variant) => variant.const);
  if (words.length === 0) {
    return readValue(variants.find((variant) => !KindGuard.IsNull(variant)) as TSchema, key, text);
  }
  if (words.includes(text)) return text;
  const hint = 'To send something else on purpose, write the whole body with --body.';
  throw new UsageError(`${key} takes one of ${words.join(', ')}, not ${asTyped(text)}`, hint);
}

/** The type of a field in one word: `text`, `integer`, `true|false`, `STANDARD|RETURN`, `JSON`. */
function describeType(schema: TSchema): string {
  if (KindGuard.IsUnion(schema)) return schema.anyOf.map(describeType).join('|');
  if (KindGuard.IsLiteral(schema)) return String(schema.const);
  if (KindGuard.IsString(schema)) return 'text';
  if (KindGuard.IsInteger(schema)) return 'integer';
  if (KindGuard.IsBoolean(schema)) return 'true|false';
  if (KindGuard.IsArray(schema) || KindGuard.IsObject(schema)) return 'JSON';
  return KindGuard.IsNull(schema) ? 'null' : 'number';
}

function exampleOf(schema: TSchema, key: string): string {
  const [example] = (schema.examples ?? []) as unknown[];
  if (example === undefined) return '`remit api` lists what each operation takes.';
  return `Write ${key}='${JSON.stringify(example)}'.`;
}
