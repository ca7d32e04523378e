import { Kind, KindGuard, type Static, type TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { counted } from '../base/counted.ts';
import { ContractError } from '../base/errors.ts';
import { quoted } from '../base/text.ts';
import { MAX_LEVELS, type ParsedJson } from './json.ts';
import { AMOUNT_KIND, CURRENCY_KIND, plainReaderOf, readingForm } from './reading-form.ts';

/** A fault of a document: `orders[3].cod[0][1]`, `"12.3x" is not a decimal amount`. */
export interface Fault {
  readonly path: string;
  readonly reason: string;
}

/** Makes a function that calls `make` once for each schema, and gives the same value again. */
function oncePerSchema<T>(make: (schema: TSchema) => T): (schema: TSchema) => T {
  const made = new WeakMap<TSchema, T>();
  return (schema) => {
    if (!made.has(schema)) made.set(schema, make(schema));
    return made.get(schema)!;
  };
}

/** Compiled from a schema's reading form, which reads answers more leniently than requests (reading-form.ts). */
const checkerOf = oncePerSchema((schema) => TypeCompiler.Compile(readingForm(schema)));

/**
 * The first fault of a JSON value, or null when it matches the schema. The value is never changed.
 *
 * @param place of the value in its document, such as `results[2]`; the paths of faults begin with it
 */
export function faultOf(schema: TSchema, value: unknown, place = ''): Fault | null {
  const checker = checkerOf(schema);
  if (checker.Check(value)) return null;
  const error = deepest(checker.Errors(value).First() as ValueError);
  return { path: pathOfPointer(error.path, place), reason: reasonOf(error) };
}

/** Decodes one document. @throws ContractError with the path of the first fault */
export function decode<S extends TSchema>(schema: S, value: unknown, place = ''): Static<S> {
  const fault = faultOf(schema, value, place);
  if (fault !== null) throw contractError(fault);
  return plainValue(schema, value);
}

const plainReader = oncePerSchema(plainReaderOf);

/**
 * A faultless value, or a copy with null, true and false for its texts `"null"`, `"true"` and `"false"`: the service's
 * examples write them so.
 */
export function plainValue<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const read = plainReader(schema);
  return (read ? read(value) : value) as Static<S>;
}

/** The first fault of one whole document, or null. @param document as `parseJson` made it */
export function documentFault(schema: TSchema, { value, levels }: Pick<ParsedJson, 'value' | 'levels'>): Fault | null {
  return levels > MAX_LEVELS ? tooDeep('') : faultOf(schema, value);
}

export function tooDeep(path: string): Fault {
  return { path, reason: `${path === '' ? 'the document is ' : ''}nested more than ${MAX_LEVELS} levels deep` };
}

/** A fault as an error. @param body the answer in which it was found */
export function contractError({ path, reason }: Fault, body: Buffer | null = null): ContractError {
  return new ContractError(
    path === '' ? reason : `${path}: ${reason}`,
    'The answer is not what the specification describes; send the delivery company this message and ask for a correction.',
    { path, body },
  );
}

/**
 * For a value that fits no variant of a union, the fault inside the nearest variant: of an object or null, that of a
 * field in the object.
 */
function deepest(error: ValueError): ValueError {
  if (error.type !== ValueErrorType.Union) return error;
  const inner = error.errors.map((variant) => variant.First()).filter((fault) => fault !== undefined);
  const nearest = inner.find((fault) => fault.path.length > error.path.length || isOutOfRange(fault.type));
  return nearest === undefined ? error : deepest(nearest);
}

/** Whether the value has the right type, but cannot be read exactly. */
function isOutOfRange(type: ValueErrorType): boolean {
  return type === ValueErrorType.IntegerMaximum || type === ValueErrorType.IntegerMinimum;
}

function reasonOf({ type, schema, value }: ValueError): string {
  if (type === ValueErrorType.ObjectRequiredProperty) return 'missing';
  if (typeof value === 'string') {
    if (schema[Kind] === AMOUNT_KIND) return `${quoted(value)} is not a decimal amount`;
    if (schema[Kind] === CURRENCY_KIND) return `${quoted(value)} is not a currency code`;
    if (type === ValueErrorType.StringMinLength) return 'expected a text, got an empty one';
  }
  if (type === ValueErrorType.TupleLength) {
    return `expected a pair of currency code and amount, got ${counted((value as unknown[]).length, 'element')}`;
  }
  if (isOutOfRange(type)) return `${String(value)} is beyond the integers that can be read exactly`;
  return `expected ${nameOf(schema)}, got ${described(value)}`;
}

const NAMES: Record<string, string> = { [AMOUNT_KIND]: 'string', [CURRENCY_KIND]: 'string', Tuple: 'array' };

function nameOf(schema: TSchema): string {
  if (KindGuard.IsUnion(schema)) {
    // Without the texts `"null"`, `"true"` and `"false"`, which are only read, not expected.
    const named = schema.anyOf.filter((each) => !KindGuard.IsLiteral(each));
    return named.map(nameOf).join(' or ');
  }
  const kind = String(schema[Kind]);
  return NAMES[kind] ?? kind.toLowerCase();
}

/** `/cod/0/1` is `cod[0][1]`, and within the place `results[2]` it is `results[2].cod[0][1]`. */
export function pathOfPointer(pointer: string, place = ''): string {
  let path = place;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (/^[0-9]+$/.test(name)) path += `[${name}]`;
    else path += path === '' ? name : `.${name}`;
  }
  return path;
}

/** Describes a JSON value for a message: `number 12.3`, `string "12"`, `null`, `array`. */
export function described(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return `string ${quoted(value)}`;
  return typeof value === 'object' ? 'object' : `${typeof value} ${String(value)}`;
}
